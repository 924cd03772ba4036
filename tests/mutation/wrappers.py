"""The bench of wrapper mutants: each fault, put into each adapter, against that adapter's own suite."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any, Final
from unittest.mock import patch

from harness.dialects import load_dialect
from harness.discovery import find
from harness.endpoint.in_process import InProcessEndpoint
from harness.laboratory import Laboratory
from harness.provider import Provider
from harness.run import Subject
from tests.miniatures.miniature import RewritingEndpoint
from tests.mutation.catalogue import CONTROLS, MUTANTS
from tests.mutation.forks import Task, run_all
from tests.mutation.mutant import Mutant
from tests.mutation.results import Result, hint, keep, kept, recall, recalled
from tests.mutation.suite import Kill, Sign, kills, with_cassettes
from tests.mutation.taps import Heard

#: seconds for one mutant in one adapter
LIMIT: Final = 240.0
#: shorter limits of the runner, in seconds: mutants that hang are many
IMPATIENT: Final[Mapping[str, float]] = {
    "harness.run.TIME_LIMIT": 5.0,
    "harness.run.SETTLE_LIMIT": 0.3,
    "harness.listener.SETTLE_LIMIT": 0.3,
    "harness.endpoint.watchdog.PATIENCE": 8.0,
}

#: a provider's name and a mutant's id
Key = tuple[str, str]


def bench(providers: Sequence[str], mutants: Sequence[Mutant] = MUTANTS, jobs: int = 2) -> Iterator[Result]:
    """The result of every mutant in every provider, as they come; those of the cache first."""
    known = _controls(providers, jobs)
    wanted = [(provider, mutant) for provider in providers for mutant in mutants]
    missing = []
    for provider, mutant in wanted:
        result = recalled(provider, mutant.id)
        if result is None:
            missing.append((provider, mutant))
        else:
            yield result
    by_id = {mutant.id: mutant for mutant in mutants}
    tasks = [_task(provider, mutant, known[provider, _buffers(mutant)]) for provider, mutant in missing]
    for ended in run_all(tasks, jobs, LIMIT):
        provider, mutant_id = ended.key
        yield kept(_result(provider, by_id[mutant_id], ended.value, ended.seconds))


def _buffers(mutant: Mutant) -> bool:
    """Whether the wrapper hands replies on when they are whole, which is a fault by itself."""
    return mutant.kind == "event"


def _controls(providers: Sequence[str], jobs: int) -> dict[tuple[str, bool], frozenset[Sign]]:
    """What wrapping alone shows, by provider and way of wrapping."""
    keys = [(provider, buffers) for provider in providers for buffers in CONTROLS]
    found = {key: recall(key[0], CONTROLS[key[1]].id) for key in keys}
    tasks = [
        Task(key, partial(all_signs, key[0], CONTROLS[key[1]]), partial(warm, key[0]))
        for key, signs in found.items()
        if signs is None
    ]
    for ended in run_all(tasks, jobs, LIMIT):
        if ended.value is None:
            raise RuntimeError(f"{ended.key[0]} does not come to an end without a fault")
        keep(ended.key[0], CONTROLS[ended.key[1]].id, ended.value)
        found[ended.key] = ended.value
    return {key: frozenset((rule, case) for rule, case in signs) for key, signs in found.items()}


def _task(provider: str, mutant: Mutant, known: frozenset[Sign]) -> Task[Key]:
    return Task((provider, mutant.id), partial(first_kill, provider, mutant, known), partial(warm, provider))


def warm(provider: str) -> None:
    """Import the adapter and its SDK, so that every fork has them."""
    (record,) = find([provider])
    import_module(f"providers.{provider}.model")
    load_dialect(record.dialect)
    record.build(InProcessEndpoint(), dict(record.stream_config or record.whole_config or {}))


def _result(provider: str, mutant: Mutant, told: Any, seconds: float) -> Result:
    plain = Result(provider, mutant.id, mutant.kind, mutant.id, "survived", seconds=seconds)
    if told is None:
        return replace(plain, outcome="killed", met="the suite does not come to an end")
    kill, differs = told
    if kill is not None:
        rule, case, level, met = kill
        return replace(plain, outcome="killed", rule=rule, case=case, level=level, met=met)
    return plain if differs or mutant.quiet else replace(plain, outcome="no_effect")


def all_signs(provider: str, mutant: Mutant) -> list[Sign]:
    """Everything that the suite finds."""
    found, _ = _play(provider, mutant, known=None)
    return [kill.sign for kill in found]


def first_kill(provider: str, mutant: Mutant, known: Collection[Sign]) -> tuple[tuple[str, ...] | None, bool]:
    """The first thing that the suite finds which is not known, and whether the mutant changed anything until then."""
    found, heard = _play(provider, mutant, known)
    kill = found[0] if found else None
    return (None if kill is None else (kill.rule, kill.case, kill.level, kill.met)), heard.differs


def _play(provider: str, mutant: Mutant, known: Collection[Sign] | None) -> tuple[list[Kill], Heard]:
    """Play the suite, up to the first thing that is not known, or to its end where ``known`` is None."""
    heard, made, found = Heard(), list[Any](), list[Kill]()
    with ExitStack() as stack:
        for name, seconds in {**IMPATIENT, **(mutant.limits or {})}.items():
            stack.enter_context(patch(name, seconds))
        laboratory = Laboratory()
        subject = _subject(laboratory, provider, mutant, heard, made)
        for kill in kills(laboratory, subject, [hint(provider, mutant.id), mutant.hint]):
            if known is None or kill.sign not in known:
                found.append(kill)
                if known is not None:
                    break
        for model in made:
            laboratory.run(model.release())
        subject.endpoint.close()
        laboratory.close()
    return found, heard


def _subject(laboratory: Laboratory, name: str, mutant: Mutant, heard: Heard, made: list[Any]) -> Subject:
    record: Provider = with_cassettes(*find([name]))
    plain = laboratory.bench(record).subject
    endpoint = RewritingEndpoint(mutant.sees(heard))
    broken = mutant.of(record, heard, made)
    return replace(plain, provider=broken, endpoint=endpoint, settling=0.3, _models={})
