"""Run the recorded exchanges of an adapter, and judge them."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from harness.checks import judge
from harness.contract.violations import Violation
from harness.dialects import load_dialect
from harness.endpoint.in_process import InProcessEndpoint
from harness.endpoint.loop import StallSelector, run_loop
from harness.run import Subject, observe
from tests.recordings.corpus import CorpusExchange, exchanges
from tests.replay.cases import Case, cases, skipped
from tests.replay.known import EXPLAINED
from tests.replay.protocols import ADAPTERS, PROTOCOLS


@dataclass(frozen=True, slots=True)
class Breach:
    """A violation, and the replay in which it was met."""

    case: Case
    violation: Violation

    @property
    def explained(self) -> bool:
        """Whether a row says whose fault it is."""
        return (self.case.found.name, self.violation.rule) in EXPLAINED

    def __str__(self) -> str:
        mode = "stream" if self.case.exchange.stream else "whole"
        told = f"{self.violation.rule}: {self.violation.met}; wanted {self.violation.wanted}"
        return f"{self.case.found.name} ({mode}, {self.case.cut}): {told}"


@dataclass(slots=True)
class Tally:
    """The numbers of one protocol."""

    exchanges: int = 0
    replayed: int = 0
    errors: int = 0
    replays: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    breaches: list[Breach] = field(default_factory=list)
    exercised: set[str] = field(default_factory=set)

    @property
    def unexplained(self) -> list[Breach]:
        """What no row explains."""
        return [breach for breach in self.breaches if not breach.explained]


@cache
def replay(provider: str) -> dict[str, Tally]:
    """The numbers of every protocol of a provider; run once a process."""
    selector, endpoint = StallSelector(), InProcessEndpoint()
    adapter = ADAPTERS[provider]
    subject = Subject(adapter, load_dialect(adapter.dialect), endpoint, selector)
    with run_loop(selector) as runner:
        tallies = {protocol: _replay(subject, runner, exchanges([protocol])) for protocol in PROTOCOLS[provider]}
    endpoint.close()
    return tallies


def _replay(subject: Subject, runner: asyncio.Runner, recorded: Iterable[CorpusExchange]) -> Tally:
    tally = Tally()
    for found in recorded:
        tally.exchanges += 1
        reason = skipped(found)
        if reason:
            tally.skipped[reason] += 1
        else:
            runner.run(_take(subject, found, tally))
    return tally


async def _take(subject: Subject, found: CorpusExchange, tally: Tally) -> None:
    tally.replayed += 1
    failed = False
    for case in cases(found, subject.dialect):
        findings = judge(await observe(subject, case.exchange))
        tally.replays += 1
        tally.exercised |= findings.exercised
        tally.breaches += [Breach(case, violation) for violation in findings.violations]
        failed = failed or case.exchange.answer.error is not None
    tally.errors += failed


def tallies() -> Iterator[tuple[str, str, Tally]]:
    """Provider, protocol and numbers, of all."""
    for provider in PROTOCOLS:
        for protocol, tally in replay(provider).items():
            yield provider, protocol, tally
