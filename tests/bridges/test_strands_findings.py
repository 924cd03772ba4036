"""Findings about Strands: whole pages, scripts that stand alone, and expected failures that point to them."""

import ast
import re
from pathlib import Path
from typing import Final

import pytest

from harness.bridges.strands import PROVIDERS
from harness.contract.expected import read_expected, unknown
from harness.contract.rules import RULES
from harness.scenarios.catalogue import CATALOGUE
from harness.scenarios.generated import PROPERTIES

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = ROOT / "reports" / "findings" / "strands"
INDEX: Final = FOLDER / "README.md"
PAGES: Final = sorted(set(FOLDER.glob("*.md")) - {INDEX})
FILES: Final = sorted((ROOT / "reports" / "findings" / "expected").glob("strands-*.toml"))

SECTIONS: Final = ["Exchange", "Expected", "Observed", "Evidence"]
SCRIPT: Final = re.compile(
    r"^## Script\n\n```python\n(.+?)^```\n\nIt prints:\n\n```text\n(.+?)^```$", re.MULTILINE | re.DOTALL
)


def names(paths: list[Path]) -> list[str]:
    return [path.stem for path in paths]


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_a_page_says_what_a_maintainer_needs(page: Path) -> None:
    text = text_of(page)
    title, versions = text.split("\n\n")[:2]
    assert re.fullmatch(r"# \S.*", title)
    assert re.match(r"Versions: strands-agents \d+\.\d+\.\d+", versions)
    assert "| class | rules | met in |" in text
    parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)[1:]
    said = dict(zip(parts[::2], parts[1::2], strict=True))
    assert list(said)[: len(SECTIONS)] == SECTIONS
    assert all(said[section].strip() for section in SECTIONS)
    assert said.get("Script")


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_a_script_parses_and_needs_no_harness(page: Path) -> None:
    found = SCRIPT.findall(text_of(page))
    assert len(found) == text_of(page).count("## Script")
    for script, printed in found:
        tree = ast.parse(script)
        imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert any(name.startswith("strands.") for name in imported)
        assert not any(name.split(".")[0] in ("harness", "providers", "tests") for name in imported)
        assert printed.strip()


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_a_page_names_rules_that_there_are(page: Path) -> None:
    rows = re.findall(r"^\| \w[\w.]* \| ([A-Z].*?) \|", text_of(page), re.MULTILINE)
    met = {rule for row in rows for rule in re.findall(r"[A-Z]+(?:-[A-Z]+)+", row)}
    assert met
    assert met <= set(RULES)


def test_the_index_has_every_page_once() -> None:
    assert sorted(re.findall(r"\]\((.+?)\.md\)", text_of(INDEX))) == names(PAGES)


@pytest.mark.parametrize("path", FILES, ids=names(FILES))
def test_expected_failures_are_of_these_adapters_and_have_their_page(path: Path) -> None:
    entries = read_expected(path)
    scenarios = [*(scenario.id for scenario in CATALOGUE), *(each.id for each in PROPERTIES)]
    assert not list(unknown(entries, [f"strands/{name}" for name in PROVIDERS], scenarios))
    assert all((ROOT / entry.link).is_file() for entry in entries if entry.link)
    assert len({(entry.rule, entry.provider, entry.scenario) for entry in entries}) == len(entries)
    told = {Path(entry.link).stem for entry in entries if entry.link}
    assert told <= set(names(PAGES))
