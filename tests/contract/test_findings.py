"""The table of findings."""

import re

import pytest

from harness.contract.findings import FINDINGS, Finding
from harness.contract.rules import RULES
from tests.shared import SHARED, needs_shared


def test_there_are_sixty() -> None:
    assert list(FINDINGS) == [f"XR{number:02}" for number in range(1, 61)]


@pytest.mark.parametrize("finding", FINDINGS.values(), ids=FINDINGS)
def test_a_finding_is_answered_by_rules(finding: Finding) -> None:
    assert finding.answered_by


def test_rules_answer_known_findings() -> None:
    assert {answer for rule in RULES.values() for answer in rule.answers} <= set(FINDINGS)


def test_a_finding_is_answered_by_the_rules_that_say_so() -> None:
    assert [rule.id for rule in FINDINGS["XR32"].answered_by] == ["REASON-CALL-SIGNATURE", "REQUEST-CALL-SIGNATURE"]


@needs_shared
def test_names_are_those_of_the_evidence() -> None:
    told = (SHARED / "facts" / "rules.md").read_text(encoding="utf-8")
    assert {f.id: f.name for f in FINDINGS.values()} == dict(re.findall(r"\| (XR\d\d) \| ([a-z0-9-]+) \|", told))
