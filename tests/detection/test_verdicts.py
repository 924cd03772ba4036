"""What is made of trials."""

from collections.abc import Sequence

import pytest

from tests.detection.bugs import Bug, Run
from tests.detection.kinds import every
from tests.detection.trials import Trial
from tests.detection.verdicts import Verdict, verdict

_BUG = Bug("a", "openai", "usage", "1.0.0", "1.1.0", title="usage lost")
_RULE = "USAGE-REPORTED"


def _trial(*breaches: str, judged: Sequence[str] = ("x",), exercised: Sequence[str] = (_RULE,)) -> Trial:
    record = {
        "exercised": exercised,
        "judged": judged,
        "breaches": [(_RULE, "x", words) for words in breaches],
        "told": {"x": ["an exchange"]},
    }
    return Trial("", {"styles": record})


def _verdict(bad: Trial, good: Trial) -> Verdict:
    return verdict(_BUG, {Run("1.0.0", "openai"): bad, Run("1.1.0", "openai"): good})


def test_a_rule_that_the_bad_version_breaks_and_the_good_one_keeps_detects() -> None:
    found = _verdict(_trial("no usage"), _trial())
    assert (found.outcome, found.signs[0].rule, found.signs[0].met) == ("detected", _RULE, "no usage")


@pytest.mark.parametrize(
    "good",
    [
        pytest.param(_trial("no usage"), id="still broken"),
        pytest.param(_trial("port 4711"), id="broken in another way"),
        pytest.param(_trial(exercised=()), id="never put to the test"),
        pytest.param(_trial("else", judged=("y",)), id="of another exchange of the scenario, and broken"),
    ],
)
def test_anything_else_does_not(good: Trial) -> None:
    assert _verdict(_trial("no usage"), good).outcome == "missed"


def test_one_breach_of_several_may_be_mended() -> None:
    found = _verdict(_trial("port 4711", "no usage"), _trial("port 4712"))
    assert [sign.met for sign in found.signs] == ["no usage"]


def test_rules_of_other_kinds_are_told_but_do_not_count() -> None:
    other = Trial("", {"styles": {**_trial().scenarios["styles"], "breaches": [("LIFE-LOOP", "x", "blocked")]}})
    good = _trial(exercised=("LIFE-LOOP",))
    found = _verdict(other, good)
    assert (found.outcome, found.others) == ("missed", ("LIFE-LOOP",))


def test_a_trial_that_could_not_be_made_says_why() -> None:
    found = _verdict(Trial("ModuleNotFoundError: No module named 'strands.models.openai'", {}), _trial())
    assert (found.outcome, found.too_early) == ("not_runnable", True)
    assert found.why.startswith("1.0.0: ModuleNotFoundError")


def test_rules_that_every_exchange_tests_are_looked_for_where_inputs_are_handed_over() -> None:
    assert {"LIFE-INPUTS", "STRUCT-OUTPUT"} <= every(Bug("a", "openai", "input-mutation", "1.0.0"))
