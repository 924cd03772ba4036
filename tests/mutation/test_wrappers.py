"""A few faults of each kind, put into one adapter: its suite finds them, and nothing where there is no fault."""

from functools import partial

import pytest

from tests.mutation.catalogue import MUTANTS
from tests.mutation.forks import Task, run_all
from tests.mutation.mutant import Mutant
from tests.mutation.wrappers import first_kill, warm

PROVIDER = "openai"
BY_ID = {mutant.id: mutant for mutant in MUTANTS}

#: a fault, and the rule that finds it first
KILLED = {
    "a blank is put after the text": "CONTENT-TEXT",
    "ids change places": "TOOL-ID",
    "end_turn is tool_use": "STOP-MAPPED",
    "counts are zero": "USAGE-INPUT",
    "the result comes first": "STRUCT-OUTPUT",
    "no system prompt": "REQUEST-SYSTEM",
    "another method": "",
    "overflow is throttling": "ERROR-OVERFLOW",
    "a cut is throttling": "ERROR-MISNAMED",
    "the count is 0": "TOKENS-COUNT",
}


def test_a_mutant_is_known_by_its_id() -> None:
    assert len(BY_ID) == len(MUTANTS)


@pytest.mark.parametrize("kind", ["event", "request", "error"])
def test_there_are_mutants_of_each_kind(kind: str) -> None:
    assert sum(mutant.kind == kind for mutant in MUTANTS) >= 25


def test_some_faults_are_those_of_other_suites() -> None:
    assert sum(mutant.peers for mutant in MUTANTS) == 27


def _killer(mutant: Mutant) -> str | None:
    """The rule that finds a mutant first, which is tried in a process of its own."""
    task = Task(mutant.id, partial(first_kill, PROVIDER, mutant, frozenset()), partial(warm, PROVIDER))
    (ended,) = run_all([task], jobs=1, limit=120)
    assert ended.value is not None
    return str(ended.value[0]) if ended.value else None


@pytest.mark.parametrize("name", KILLED)
def test_a_fault_is_found(name: str) -> None:
    assert _killer(BY_ID[name]) == KILLED[name]
