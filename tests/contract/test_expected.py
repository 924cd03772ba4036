from datetime import date
from pathlib import Path

import pytest

from harness.contract.expected import ExpectationError, ExpectedFailure, read_expected, unknown

FULL = """
# a remark
[[expected]]
rule = "TOOL-ID"
provider = "strands/*"
scenario = "tool"
reason = "ids are new"
link = "https://example.com/1"
expires = 2027-01-31

[[expected]]
rule = "USAGE-TOTAL"
reason = "known"
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "known.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_entries_are_read_in_their_order(tmp_path: Path) -> None:
    assert read_expected(written(tmp_path, FULL)) == (
        ExpectedFailure("TOOL-ID", "ids are new", "strands/*", "tool", "https://example.com/1", "2027-01-31"),
        ExpectedFailure("USAGE-TOTAL", "known"),
    )
    assert read_expected(written(tmp_path, "")) == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[expected]", "no TOML"),
        ("other = 1", "met other"),
        ("expected = 1", "tables alone"),
        ("expected = [1]", "entry 1: expected a table, met 1"),
        ('[[expected]]\nrule = "TOOL-ID"', "entry 1: reason is missing"),
        ('[[expected]]\nreason = "r"', "rule is missing"),
        ('[[expected]]\nrule = "TOOL-IT"\nreason = "r"', "there is no rule 'TOOL-IT'"),
        ('[[expected]]\nrule = "TOOL-ID"\nreason = ""', "reason must be a text that is not empty, met ''"),
        ('[[expected]]\nrule = "TOOL-ID"\nreason = "r"\nexpires = "soon"', "expires must be a date"),
        ('[[expected]]\nrule = "TOOL-ID"\nreason = "r"\nexpires = 2027-01-01T00:00:00', "expires must be a date"),
        ('[[expected]]\nrule = "TOOL-ID"\nreason = "r"\nscenarios = "x"', "unknown key 'scenarios'"),
    ],
)
def test_what_is_no_entry_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ExpectationError, match=r"known\.toml") as raised:
        read_expected(written(tmp_path, text))
    assert told in str(raised.value)


def test_a_failure_is_expected_through_its_last_day() -> None:
    entry = ExpectedFailure("TOOL-ID", "r", expires="2027-01-31")
    assert [entry.expired(date(2027, 1, 31)), entry.expired(date(2027, 2, 1))] == [False, True]
    assert not ExpectedFailure("TOOL-ID", "r").expired(date.max)


@pytest.mark.parametrize(
    ("scenario", "met", "covered"),
    [("*", "tool", True), ("tool", "tool", True), ("tool", "tools", False), ("cassette-*", "cassette-x", True)],
)
def test_a_scenario_is_a_name_or_a_pattern(scenario: str, met: str, covered: bool) -> None:
    entry = ExpectedFailure("TOOL-ID", "r", scenario=scenario)
    assert entry.covers("TOOL-ID", met) is covered
    assert not entry.covers("TOOL-COUNT", met)
    assert entry.one_scenario is ("*" not in scenario)


def test_several_adapters_and_scenarios_are_joined_by_commas() -> None:
    entry = ExpectedFailure("TOOL-ID", "r", "mine, strands/*", "tool,any-*")
    assert [entry.of(name) for name in ("mine", "strands/bedrock", "others")] == [True, True, False]
    assert [entry.covers("TOOL-ID", name) for name in ("tool", "any-reply", "text")] == [True, True, False]
    assert not entry.one_scenario


def test_names_that_nothing_answers_to_are_told() -> None:
    entries = [
        ExpectedFailure("TOOL-ID", "r", "strands/*", "tool"),
        ExpectedFailure("TOOL-ID", "r", "strand/*", "tool"),
        ExpectedFailure("TOOL-ID", "r", "mine", "tool, tols"),
    ]
    assert list(unknown(entries, ["strands/bedrock", "mine"], ["tool"])) == [
        "entry 2 (TOOL-ID in tool): there is no provider 'strand/*'",
        "entry 3 (TOOL-ID in tool, tols): there is no scenario 'tols'",
    ]
