"""Results are kept while the code is the same, and arguments about survivors are held to them."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.mutation import results
from tests.mutation.catalogue import MUTANTS
from tests.mutation.report import ANY, argued, rates, reason, rows, wrong
from tests.mutation.results import Result, hint, kept, recalled

KILLED = Result("openai", "a", "event", "a", "killed", rule="CONTENT-TEXT", case="text", level="MUST")
SURVIVED = replace(KILLED, mutant="b", outcome="survived", rule="", case="", level="")
IDLE = replace(SURVIVED, mutant="c", outcome="no_effect")
ADVISED = replace(KILLED, mutant="d", level="SHOULD")
ALL = (KILLED, SURVIVED, IDLE, ADVISED)


def _faults(told: dict[str, dict[str, str]]) -> list[str]:
    return [*wrong(told, ALL, lambda provider: {"a", "b", "c", "d"})]


def test_an_argument_about_a_survivor_is_right() -> None:
    assert _faults({"openai": {"b": "why"}, ANY: {"b": "why"}}) == []
    assert reason({ANY: {"b": "why"}}, SURVIVED) == "why"


def test_no_argument_may_be_about_what_is_killed() -> None:
    assert _faults({ANY: {"a": "why"}}) == ["argued, and killed: openai: a"]


def test_no_argument_of_a_provider_may_be_about_what_has_no_effect() -> None:
    assert _faults({"openai": {"c": "why"}, ANY: {"c": "why"}}) == ["argued, and no_effect: openai: c"]


def test_no_argument_may_be_about_an_unknown_mutant() -> None:
    assert _faults({"openai": {"x": "why"}}) == ["argued, and there is no such mutant: openai: x"]


def test_arguments_about_wrapper_mutants_name_some() -> None:
    known = {mutant.id for mutant in MUTANTS}
    assert {name for told in argued("wrappers").values() for name in told} <= known
    assert all(why for told in argued("wrappers").values() for why in told.values())


def test_equivalent_mutants_and_those_without_effect_do_not_count() -> None:
    table = [*rates({ANY: {"b": "why"}}, ALL)]
    assert table[-1] == "| in all | 2 | 2 | 100.0% | 1 | 1 | 0 | 1 |"
    assert [*rates({}, ALL)][-1] == "| in all | 2 | 3 | 66.7% | 1 | 0 | 1 | 1 |"


def test_survivors_are_told_with_their_argument() -> None:
    assert [*rows({}, ALL)] == ["survived  openai  b", "    not argued", "no effect  c: openai"]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


@pytest.mark.usefixtures("cache")
def test_a_result_is_recalled_while_the_code_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    assert recalled("openai", "a") is None
    kept(KILLED)
    assert recalled("openai", "a") == KILLED
    monkeypatch.setattr(results, "fingerprint", lambda: "other")
    assert recalled("openai", "a") is None
    assert hint("openai", "a") == "text"


@pytest.mark.usefixtures("cache")
def test_there_is_no_hint_about_what_was_never_tried() -> None:
    assert hint("openai", "a") == ""
