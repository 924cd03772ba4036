"""The bench of wrapper mutants: each fault, put into each adapter, against that adapter's own suite."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any, Final
from unittest.mock import patch

from harness.dialects import load_dialect
from harness.discovery import find, shipped
from harness.endpoint.in_process import InProcessEndpoint
from harness.laboratory import Laboratory
from harness.run import Subject
from tests.miniatures.miniature import RewritingEndpoint
from tests.mutation.catalogue import HANDED_ON, MUTANTS, excused
from tests.mutation.forks import Task, run_all
from tests.mutation.mutant import Mutant
from tests.mutation.results import Outcome, Result, hint, keep, kept, recall, recalled
from tests.mutation.shadows import Heard
from tests.mutation.suite import Kill, Sign, kills, sound

#: seconds for one mutant in one adapter
LIMIT: Final = 240.0
#: shorter limits of the runner, in seconds: mutants that hang are many
IMPATIENT: Final[Mapping[str, float]] = {
    "harness.run.TIME_LIMIT": 10.0,
    "harness.run.SETTLE_LIMIT": 0.3,
    "harness.listener.SETTLE_LIMIT": 0.3,
    "harness.endpoint.watchdog.PATIENCE": 8.0,
}

#: a provider's name and a mutant's id
Key = tuple[str, str]


def bench(provider: str, mutants: Sequence[Mutant] = MUTANTS, jobs: int = 2) -> Iterator[Result]:
    """The result of every mutant in a provider, as they come; those of the cache first."""
    found = {mutant.id: recalled(provider, mutant.id) for mutant in mutants}
    yield from (result for result in found.values() if result is not None)
    missing = {mutant.id: mutant for mutant in mutants if found[mutant.id] is None}
    signs, shown = _plain(provider) if missing else (frozenset[Sign](), frozenset[str]())
    for name in sorted(missing.keys() - shown):
        yield kept(_result(provider, missing.pop(name), "no_effect"))
    tasks = [_task(provider, mutant, signs) for mutant in missing.values()]
    for ended in run_all(tasks, jobs, LIMIT):
        yield kept(_tried(provider, missing[ended.key[1]], ended.value, ended.seconds))


def _plain(provider: str) -> tuple[frozenset[Sign], frozenset[str]]:
    """What the suite finds without a fault, and the mutants that can show."""
    told = recall(provider, HANDED_ON.id)
    if told is None:
        task = Task(provider, partial(without_fault, provider), partial(warm, provider))
        (ended,) = run_all([task], 1, 2 * LIMIT)
        if ended.value is None:
            raise RuntimeError(f"{provider} does not come to an end without a fault")
        told = ended.value
        keep(provider, HANDED_ON.id, told)
    return sound(provider, told["signs"]), frozenset(told["shown"])


def _task(provider: str, mutant: Mutant, known: frozenset[Sign]) -> Task[Key]:
    return Task((provider, mutant.id), partial(first_kill, provider, mutant, known), partial(warm, provider))


def warm(provider: str) -> None:
    """Import the adapter and its SDK, so that every fork has them."""
    (record,) = find([provider])
    import_module(f"providers.{provider}.model")
    load_dialect(record.dialect)
    record.build(InProcessEndpoint(), dict(record.stream_config or record.whole_config or {}))


def _result(provider: str, mutant: Mutant, outcome: Outcome) -> Result:
    return Result(provider, mutant.id, mutant.kind, mutant.id, outcome)


def _tried(provider: str, mutant: Mutant, told: Any, seconds: float) -> Result:
    if told is None:
        endless = "the suite does not come to an end"
        return replace(_result(provider, mutant, "killed"), met=endless, seconds=seconds)
    if not told:
        return replace(_result(provider, mutant, "survived"), seconds=seconds)
    rule, case, level, met = told
    killed = _result(provider, mutant, "killed")
    return replace(killed, rule=rule, case=case, level=level, met=met, seconds=seconds)


def without_fault(provider: str) -> dict[str, Any]:
    """Everything that the suite finds, and the mutants that can show; to be called in a process of its own."""
    heard = Heard()
    found = list(_play(provider, replace(HANDED_ON, wrap=heard.wrap, rewrite=heard.rewrite)))
    return {"signs": [kill.sign for kill in found], "shown": [each.id for each in MUTANTS if heard.shows(each)]}


def first_kill(provider: str, mutant: Mutant, known: Collection[Sign]) -> tuple[str, ...]:
    """The first thing that the suite finds which is not known; empty where there is none."""
    new = (each for each in _play(provider, mutant) if each.sign not in known and not excused(mutant, each.rule))
    kill = next(new, None)
    return () if kill is None else (kill.rule, kill.case, kill.level, kill.met)


def _play(provider: str, mutant: Mutant) -> Iterator[Kill]:
    """Play the suite."""
    made = list[Any]()
    with ExitStack() as stack:
        for name, seconds in {**IMPATIENT, **(mutant.limits or {})}.items():
            stack.enter_context(patch(name, seconds))
        laboratory = Laboratory()
        subject = _subject(laboratory, provider, mutant, made)
        yield from kills(laboratory, subject, [*_hints(provider, mutant), mutant.hint])
        for model in made:
            laboratory.run(model.release())
        subject.endpoint.close()
        laboratory.close()


def _hints(provider: str, mutant: Mutant) -> Iterator[str]:
    """The cases that killed a mutant before, in this adapter first."""
    return (hint(name, mutant.id) for name in (provider, *shipped()))


def _subject(laboratory: Laboratory, name: str, mutant: Mutant, made: list[Any]) -> Subject:
    (record,) = find([name])
    plain = laboratory.bench(record).subject
    endpoint = RewritingEndpoint(mutant.rewrite)
    return replace(plain, provider=mutant.of(record, made), endpoint=endpoint, settling=0.3, _models={})
