"""The rules as a document."""

from pathlib import Path

import pytest

from harness.cli import main
from harness.contract.rules import RULES
from harness.reporting.rulebook import rulebook

WRITTEN = Path(__file__).resolve().parents[2] / "docs" / "rules.md"


def test_the_document_in_the_repository_is_up_to_date() -> None:
    assert WRITTEN.read_text(encoding="utf-8") == rulebook(), "run: conformance rules --markdown > docs/rules.md"


def test_the_command_writes_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--markdown"]) == 0
    assert capsys.readouterr().out == rulebook()


def test_each_rule_has_one_row_with_all_that_is_known_of_it() -> None:
    rows = {row[1].strip("`"): row for row in _rows() if row[1].strip("`") in RULES}
    assert list(rows) == list(RULES)
    for rule, (_, _, level, profile, title, why, fix, evidence, _) in rows.items():
        known = RULES[rule]
        told = (known.level, known.title, known.why, known.fix, known.evidence)
        assert (level, title, why, fix, evidence) == told
        assert profile.split()[0] == known.profile
        assert all(need in profile for need in known.needs)


def test_a_finding_names_the_rules_that_answer_it() -> None:
    answers = {row[1]: row[3] for row in _rows() if row[1].startswith("XR")}
    assert answers["XR32"] == "`REASON-CALL-SIGNATURE`, `REQUEST-CALL-SIGNATURE`"
    assert answers["XR59"] == "`REACT-TEXT`"


def _rows() -> list[list[str]]:
    lines = (line for line in rulebook().splitlines() if line.startswith("|"))
    return [[cell.strip() for cell in line.split(" | ")] for line in map(_spread, lines)]


def _spread(line: str) -> str:
    """The line with its outer bars as separators like the others."""
    return f" {line} "
