"""The cases of a provider: its named scenarios and its properties, as things that can be run on a bench."""

from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

import hypothesis.core
from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis.errors import FlakyFailure

from harness.bench import Bench, CallNeverEnds, Finding
from harness.dialects import load_dialect
from harness.exchange import Exchange
from harness.laboratory import Laboratory
from harness.provider import Provider
from harness.run import Subject
from harness.scenarios.catalogue import CATALOGUE
from harness.scenarios.generated import PROPERTIES, Property
from harness.scenarios.scenario import Scenario
from harness.suite.case import Case
from harness.suite.examples import Examples
from harness.suite.replay import replay_cases

#: how many different rules one property may find broken before it stops looking for more
_ROUNDS: Final = 8
#: examples that one engine draws at most
_PART: Final = 500


def cases(provider: Provider, examples: Examples | None = None) -> Iterator[Case]:
    """Everything that is tried on a provider. ``examples`` is where failing ones are kept, and found again."""
    dialect = load_dialect(provider.dialect)
    for scenario in CATALOGUE:
        if scenario.needs(provider, dialect):
            yield Case(provider, scenario.id, scenario.title, scenario.rules, _named(scenario))
    for prop in PROPERTIES:
        if prop.needs(provider, dialect):
            yield Case(provider, prop.id, prop.title, prop.rules, _generated(prop, examples))
    yield from replay_cases(provider)


def _named(scenario: Scenario) -> Callable[[Laboratory, Bench], None]:
    return lambda laboratory, bench: laboratory.run(scenario.play(bench))


class BrokenRuleError(AssertionError):
    """An exchange broke a rule that was not known to be broken; one subclass a rule, so that shrinking keeps to it."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.violation.rule)
        self.finding = finding


_ERRORS: dict[str, type[BrokenRuleError]] = {}


def _error(finding: Finding) -> BrokenRuleError:
    rule = finding.violation.rule
    kind = _ERRORS.setdefault(rule, type(f"Broken{rule.title().replace('-', '')}", (BrokenRuleError,), {}))
    return kind(finding)


def _generated(prop: Property, examples: Examples | None) -> Callable[[Laboratory, Bench], None]:
    """Draw and run; each broken rule is shrunk to its shortest exchange, then the search goes on for others."""

    def run(laboratory: Laboratory, bench: Bench) -> None:
        for _ in range(_ROUNDS):
            known = set(bench.findings)
            trial = Bench(bench.subject)
            try:
                search(prop, laboratory, trial, known, examples)
            except CallNeverEnds:
                bench.findings.update(trial.findings)
                raise
            except BrokenRuleError as error:
                _keep(bench, error)
            except FlakyFailure as group:  # met twice on end, so it was there, and then no more: timing, mostly
                for once in group.exceptions:
                    _keep(bench, once)
            finally:
                bench.exercised |= trial.exercised
                bench.exchanges += trial.exchanges
            if set(bench.findings) == known:
                return

    return run


def _keep(bench: Bench, error: Exception) -> None:
    if not isinstance(error, BrokenRuleError):
        raise error
    bench.findings[str(error)] = error.finding


def search(
    prop: Property, laboratory: Laboratory, trial: Bench, known: set[str], examples: Examples | None = None
) -> None:
    """Run drawn exchanges until one breaks a rule that is not ``known``; ``trial`` then holds the shortest one."""
    provider = trial.subject.provider
    strategy = prop.draw(provider, trial.subject.dialect)

    def attempt(exchanges: list[Exchange]) -> None:
        laboratory.run(_try(trial, exchanges, known))

    attempt.__qualname__ = f"conformance_{prop.id.replace('-', '_')}"
    forced = hypothesis.core.global_force_seed
    for number, count in enumerate(_parts(examples.count if examples else settings().max_examples)):
        test: Any = given(strategy)(attempt)
        if number and (examples is None or forced is not None):
            test = hypothesis.seed(f"{forced}-{number}")(test)  # else it would draw what the part before has drawn
        if examples is None:
            _settings(test, count, database=None, derandomize=forced is None)()
            continue
        # what is found while other rules are known to be broken would be dropped as harmless by a search for those
        test._hypothesis_internal_database_key = " ".join((provider.name, prop.id, *sorted(known))).encode()
        _settings(test, count, database=examples.database)()


def _parts(count: int) -> Iterator[int]:
    """So many examples in parts, each drawn by an engine of its own, since an engine remembers all that it drew."""
    yield from (min(_PART, count - start) for start in range(0, count, _PART))


async def _try(trial: Bench, exchanges: list[Exchange], known: set[str]) -> None:
    for seen in await trial.observe(exchanges):
        trial.findings.clear()
        trial.note(seen)
        new = [finding for rule, finding in trial.findings.items() if rule not in known]
        if new and new[0].violation.rule in await _findings(trial.subject, seen.exchange):
            raise _error(new[0])


async def _findings(subject: Subject, exchange: Exchange) -> Collection[str]:
    """The rules that an exchange breaks when it is run again."""
    again = Bench(subject)
    await again.run(exchange)
    return again.findings


def _settings(test: Any, count: int, **options: Any) -> Any:
    """Hypothesis as a gate: without a seed and a database, examples are always the same ones."""
    return settings(
        max_examples=count,
        deadline=None,
        phases=(Phase.reuse, Phase.generate, Phase.shrink),
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        **options,
    )(test)
