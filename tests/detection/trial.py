"""Run in the environment of one version: try one adapter there, and tell every breach of every exchange as JSON Lines.

``python -m tests.detection.trial PROVIDER OUT RULE...`` from the root of the checkout. Unlike a run of the suite it
goes on after a breach, and shrinks nothing: what two versions do differently is found exchange by exchange. Only those
scenarios are played that are there for one of the rules, and replies are drawn only where ``drawn`` is among them. What
OUT has already is not played again, nor is what was begun there and never ended.
"""

import contextlib
import hashlib
import json
import os
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

from hypothesis import HealthCheck, Phase, Verbosity, given, settings

from harness.bench import Bench, CallNeverEnds
from harness.checks.findings import Findings
from harness.checks.observation import Observation
from harness.dialects import load_dialect
from harness.discovery import find, missing
from harness.endpoint.network import no_network
from harness.exchange import Exchange
from harness.laboratory import Laboratory
from harness.provider import Provider
from harness.scenarios.catalogue import CATALOGUE
from harness.scenarios.catalogue.loop import LOOP
from harness.scenarios.describe import describe
from harness.scenarios.generated import PROPERTIES, Property
from harness.scenarios.scenario import Scenario
from harness.suite.replay import replay_cases
from tests.detection.kinds import DRAWN

#: draws of each property; the named scenarios are what tells versions apart, these come on top
_DRAWS: Final = 15
#: breaches of one rule by one exchange
_TOLD_AT_MOST: Final = 8
#: runs of the tool loop are about the harness's own loop, and long lives about no single fault
_LEFT_OUT: Final = frozenset({*(scenario.id for scenario in LOOP), "growth"})

Play = Callable[[Laboratory, "Ledger"], None]
#: a scenario's id, the rules that it is there for, and its course of action
Planned = tuple[str, tuple[str, ...], Play]


@dataclass
class Ledger(Bench):
    """A bench that keeps every breach with its exchange, not the first of each rule."""

    #: keys of the exchanges that were judged
    judged: dict[str, None] = field(default_factory=dict)
    #: rule, key of the exchange, and the words of the breach
    breaches: list[tuple[str, str, str]] = field(default_factory=list)
    #: exchanges that broke a rule, in words
    told: dict[str, list[str]] = field(default_factory=dict)

    def _keep(self, found: Findings, seen: Observation, *, alone: bool) -> None:
        key = hashlib.sha1(repr(seen.exchange).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:12]
        self.judged[key] = None
        self.exercised |= found.exercised
        for rule, violations in found.broken.items():
            told = dict.fromkeys(f"{each.met} (wanted: {each.wanted})" for each in violations)
            self.breaches += [(rule, key, words) for words in islice(told, _TOLD_AT_MOST)]
            self.told[key] = describe(seen.exchange, seen.dialect)


def plays(provider: Provider, *, drawn: bool) -> Iterator[Planned]:
    """What can be tried."""
    dialect = load_dialect(provider.dialect)
    for scenario in CATALOGUE:
        if scenario.id not in _LEFT_OUT and scenario.needs(provider, dialect):
            yield scenario.id, scenario.rules, _named(scenario)
    for prop in PROPERTIES if drawn else ():
        if prop.needs(provider, dialect):
            yield prop.id, prop.rules, partial(_draw, prop)
    for case in replay_cases(provider):
        yield case.id, tuple(case.rules), case.run


def _named(scenario: Scenario) -> Play:
    return lambda laboratory, bench: laboratory.run(scenario.play(bench))


def _draw(prop: Property, laboratory: Laboratory, bench: Ledger) -> None:
    """The same draws for every version, since none of them fails in hypothesis' eyes."""

    def attempt(exchanges: list[Exchange]) -> None:
        laboratory.run(bench.run_all(exchanges))

    attempt.__qualname__ = f"detection_{prop.id.replace('-', '_')}"
    budget = settings(
        database=None,
        deadline=None,
        derandomize=True,
        max_examples=_DRAWS,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    budget(given(prop.draw(bench.subject.provider, bench.subject.dialect))(attempt))()


def try_provider(name: str, wanted: Set[str], known: Set[str]) -> Iterator[dict[str, Any]]:
    """Two records for each scenario that is there for a wanted rule and not known yet: that it begins, and what came.

    The last record says for which rules everything has been played.
    """
    (provider,) = find([name])
    if absent := missing(provider):
        raise ImportError(f"not installed: {', '.join(absent)}")
    laboratory = Laboratory()
    try:
        laboratory.bench(provider).subject.fresh(Exchange())  # so that an adapter that cannot be made says so once
        for scenario, rules, play in plays(provider, drawn=DRAWN in wanted):
            if scenario not in known and not wanted.isdisjoint(rules):
                yield {"begins": scenario}
                yield _try(laboratory, provider, scenario, play)
        yield {"ended": sorted(wanted)}  # before the laboratory is closed: threads of an adapter can keep that from it
    finally:
        laboratory.close()


def _try(laboratory: Laboratory, provider: Provider, scenario: str, play: Play) -> dict[str, Any]:
    bench = Ledger(laboratory.bench(provider).subject)
    begun, crash = time.perf_counter(), ""
    try:
        with warnings.catch_warnings(), no_network(), contextlib.suppress(CallNeverEnds):  # which is among the breaches
            warnings.simplefilter("ignore")
            play(laboratory, bench)
    except Exception as error:
        crash = "".join(traceback.format_exception(error))[-2000:]
    return {
        "scenario": scenario,
        "exchanges": bench.exchanges,
        "judged": [*bench.judged],
        "exercised": sorted(bench.exercised),
        "breaches": bench.breaches,
        "told": bench.told,
        "crash": crash,
        "seconds": round(time.perf_counter() - begun, 2),
    }


def records(path: Path) -> Iterator[dict[str, Any]]:
    """What a trial has written so far; a line that was being written when it was killed is none."""
    for line in path.read_text(encoding="utf-8").split("\n") if path.is_file() else ():
        with contextlib.suppress(ValueError):
            yield json.loads(line)


def main(name: str, out: str, *rules: str) -> None:
    """Write the records, each as soon as it is made, and at last that all are, or why there are none."""
    path = Path(out)
    known = {record[key] for record in records(path) for key in ("begins", "scenario") if key in record}
    bench = os.getppid()
    with path.open("a", encoding="utf-8", buffering=1) as told:
        told.write("\n")  # whatever an earlier trial was writing when it was killed
        try:
            for record in try_provider(name, frozenset(rules), known):
                told.write(json.dumps(record, ensure_ascii=True) + "\n")
                if os.getppid() != bench:  # it was killed, and another may go on where this one is
                    return
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"[:600]
            told.write(json.dumps({"failure": failure}, ensure_ascii=True) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
