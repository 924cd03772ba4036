"""The table of rules."""

import re
from collections import Counter
from importlib.resources import files
from typing import get_args

import pytest

from harness.contract.capabilities import Profile
from harness.contract.rules import FAMILIES, RULES, Level, Rule
from tests.shared import SHARED, needs_shared

by_id = pytest.mark.parametrize("rule", RULES.values(), ids=RULES)


@by_id
def test_a_rule_is_well_formed(rule: Rule) -> None:
    assert re.fullmatch(r"[A-Z]+(-[A-Z]+)+", rule.id)
    assert rule.level in get_args(Level)
    assert rule.profile in get_args(Profile)
    assert all(re.fullmatch(r"XR(0[1-9]|[1-5]\d|60)", answer) for answer in rule.answers)
    assert len(set(rule.answers)) == len(rule.answers)
    assert RULES[rule.id] is rule


@by_id
def test_a_rule_says_what_must_hold_and_why(rule: Rule) -> None:
    """A title goes on in a report's line, so it is no sentence; the reason is one."""
    assert not rule.title.endswith(".")
    assert rule.title[0].islower() or rule.title.split()[0].rstrip("s") in {"contentBlockStop", "inputToken"}
    assert len(rule.title) <= 120
    assert rule.why.endswith(".")
    assert rule.why[0].isupper() or rule.why.split()[0] == "asyncio.run"
    assert rule.evidence.strip()
    assert not rule.evidence.endswith(".")
    assert rule.fix.endswith((".", "?"))
    assert len(rule.fix) > 20


def test_titles_are_unique() -> None:
    assert [title for title, times in Counter(rule.title for rule in RULES.values()).items() if times > 1] == []


def test_rules_of_a_family_stand_together_under_its_name() -> None:
    """Reports show rules in the table's order, by family."""
    names = [rule.id.split("-")[0] for rule in RULES.values()]
    changes = [name for name, last in zip(names, [None, *names], strict=False) if name != last]
    assert len(changes) == len(set(changes))
    assert tuple(changes) == FAMILIES


def test_the_table_is_in_the_order_of_the_file() -> None:
    source = files("harness.contract").joinpath("rules.toml").read_text(encoding="utf-8")
    assert re.findall(r"^\[(.+)\]$", source, re.MULTILINE) == list(RULES)


def test_a_rule_is_owed_with_its_profile_and_features() -> None:
    rule = Rule("A-B", "MUST", "tools", "t", "w", "e", needs=("x", "y"))
    assert rule.applies(["core", "tools"], ["x", "y", "z"])
    assert not rule.applies(["core"], ["x", "y"])
    assert not rule.applies(["tools"], ["x"])


@needs_shared
def test_answers_name_findings_that_exist() -> None:
    findings = set(re.findall(r"XR\d+", (SHARED / "facts" / "rules.md").read_text(encoding="utf-8")))
    assert len(findings) == 60
    assert {answer for rule in RULES.values() for answer in rule.answers} <= findings
