"""Each rule, shown by an adapter that breaks it and no other; and each of these adapters is right without its break."""

import warnings

import pytest

from harness.contract.rules import RULES
from harness.dialects import load_dialect
from harness.laboratory import Laboratory
from harness.provider import Provider
from tests.miniatures.calls import CALLS
from tests.miniatures.looping import LOOPING
from tests.miniatures.miniature import ALL, SCENARIOS, Miniature, provider, try_broken, try_unbroken
from tests.miniatures.readers import READERS
from tests.miniatures.replies import REPLIES
from tests.miniatures.schemas import SCHEMAS

MINIATURES = (*REPLIES, *CALLS, *SCHEMAS, *LOOPING, *READERS)

#: breaks that must be found in every adapter
EVERYWHERE = (
    "metadata before messageStop",
    "a dropped text delta",
    "two deltas swapped",
    "a duplicated delta",
    "a tool id changed",
    "tool arguments cut",
    "stop reason wrong",
    "usage doubled",
    "a clean EOF reported as end_turn",
    "a mutated message list",
    "a blocked loop",
    "a connection left open after aclose()",
)


def _plays(scenario: str, record: Provider) -> bool:
    """Whether the suite plays a scenario on an adapter."""
    return SCENARIOS[scenario].needs(record, load_dialect(record.dialect))


_BROKEN = [
    pytest.param(miniature, base, id=f"{miniature.rule}-{base}-{miniature.title}")
    for miniature in MINIATURES
    for base in miniature.on
]


@pytest.mark.parametrize(("miniature", "base"), _BROKEN)
def test_breaks_one_rule(
    miniature: Miniature, base: str, laboratory: Laboratory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in (miniature.limits or {}).items():
        monkeypatch.setattr(name, seconds)
    with warnings.catch_warnings(action="ignore"):
        bench = try_broken(laboratory, base, miniature)
    assert set(bench.findings) == {miniature.rule, *miniature.also}


@pytest.mark.parametrize(("miniature", "base"), _BROKEN)
def test_the_suite_plays_its_scenario(miniature: Miniature, base: str) -> None:
    assert _plays(miniature.scenario, miniature.of(provider(base)))


_UNBROKEN = sorted(
    {
        (miniature.scenario, base)
        for miniature in MINIATURES
        for base in miniature.on
        if _plays(miniature.scenario, provider(base))
    }
)


@pytest.mark.parametrize(("scenario", "base"), _UNBROKEN)
def test_unbroken_adapters_break_none(scenario: str, base: str, laboratory: Laboratory) -> None:
    with warnings.catch_warnings(action="ignore"):
        bench = try_unbroken(laboratory, base, scenario)
    assert bench.findings == {}
    assert bench.exchanges > 0


def test_every_rule_has_a_miniature() -> None:
    # What breaks the rules about recordings is a recording: tests/suite/test_replay.py breaks each of them.
    adapters = {rule.id for rule in RULES.values() if rule.family != "CASSETTE"}
    assert {miniature.rule for miniature in MINIATURES} == adapters


def test_every_second_rule_has_its_reason() -> None:
    assert all(bool(miniature.also) == bool(miniature.because) for miniature in MINIATURES)


@pytest.mark.parametrize("title", EVERYWHERE)
def test_some_breaks_are_found_in_every_adapter(title: str) -> None:
    assert [miniature.on for miniature in MINIATURES if miniature.title == title] == [ALL]
