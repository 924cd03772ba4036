import tomllib
from dataclasses import replace

import pytest

from harness.contract.requirements import UnknownRequirementsError, freeze, requirement_sets, requirements
from harness.contract.rules import RULES


@pytest.mark.parametrize("name", requirement_sets())
def test_a_set_lists_rules_that_there_are(name: str) -> None:
    levels = requirements(name).levels
    assert levels
    assert set(levels) <= set(RULES)


def test_an_unknown_set_names_those_that_there_are() -> None:
    with pytest.raises(UnknownRequirementsError, match=r"unknown requirements '2020-01'\. There are: 2026-12"):
        requirements("2020-01")


def test_a_set_keeps_the_level_that_a_rule_had() -> None:
    frozen = requirements("2026-12")
    raised = replace(RULES["STREAM-BLOCK-INDEX"], level="MUST")
    assert frozen.rule(raised).level == "SHOULD"
    new = replace(raised, id="STREAM-NEW")
    assert frozen.rule(new) == new
    assert not frozen.scores("STREAM-NEW")


def test_a_new_set_lists_every_rule_once() -> None:
    table = tomllib.loads(freeze())
    assert {rule: level for level, rules in table.items() for rule in rules} == {
        rule.id: rule.level for rule in RULES.values()
    }
    assert sum(map(len, table.values())) == len(RULES)
