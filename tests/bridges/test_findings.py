"""Every expected failure of a framework has its page, and every page is told of."""

from pathlib import Path

import pytest

from harness.contract.expected import read_expected
from harness.discovery import foreign

ROOT = Path(__file__).resolve().parents[2]
FINDINGS = ROOT / "reports" / "findings"
FILES = [
    file
    for framework in ("langchain", "pydantic_ai")
    for file in sorted((FINDINGS / "expected").glob(f"{framework}-*.toml"))
]
PAGES = {page.name: page.read_text(encoding="utf-8") for page in FINDINGS.glob("*.md") if page.name != "README.md"}


def test_there_are_findings() -> None:
    assert {_framework(file) for file in FILES} == {"langchain", "pydantic_ai"}


def _framework(file: Path) -> str:
    """A file is named after a framework and its version."""
    return file.stem.rpartition("-")[0]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_expected_failure_has_a_page_that_names_its_rule_and_adapter(file: Path) -> None:
    for entry in read_expected(file):
        page = (ROOT / entry.link).read_text(encoding="utf-8")
        assert f"`{entry.rule}`" in page, entry
        assert f"`{entry.provider}`" in page, entry


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_failure_is_expected_of_a_rule_that_is_not_judged(file: Path) -> None:
    records = foreign(_framework(file))
    for entry in read_expected(file):
        assert entry.rule not in records[entry.provider.partition("/")[2]].cannot_show, entry


def test_the_index_names_every_page() -> None:
    index = (FINDINGS / "README.md").read_text(encoding="utf-8")
    assert [page for page in PAGES if f"({page})" not in index] == []


def test_every_script_is_shown_as_it_is() -> None:
    for script in (FINDINGS / "scripts").glob("*.py"):
        told = script.read_text(encoding="utf-8").rstrip()
        assert script.name == "service.py" or any(told in page for page in PAGES.values()), script.name
