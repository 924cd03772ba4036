"""Where scenarios are tried: exchanges run, every check judges, and what was found is kept with its exchange."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from harness.checks import Findings, judge
from harness.checks.judging import Judge
from harness.checks.observation import Observation
from harness.contract.violations import Violation
from harness.endpoint.loop import StallSelector, run_loop
from harness.exchange import Exchange
from harness.run import Subject, observe, observe_all, observe_together
from harness.scenarios.describe import describe, timeline

#: exchanges that are run before any of them is judged
BATCH: Final = 16


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation, and the exchange in which it was met: in words, and as it was seen.

    ``alone`` says that the violation is that of this one exchange, whatever else was run.
    """

    violation: Violation
    exchange: tuple[str, ...]
    timeline: tuple[str, ...]
    seen: Observation
    alone: bool


class CallNeverEnds(BaseException):
    """A call did not end: the case is given up, since every further one would cost the time limit again."""


@dataclass
class Bench:
    """One subject on trial. Findings add up over all exchanges, the first of each rule being kept."""

    subject: Subject
    exercised: set[str] = field(default_factory=set)
    findings: dict[str, Finding] = field(default_factory=dict)
    exchanges: int = 0
    _judge: Judge = field(default_factory=Judge, init=False)

    async def run(self, exchange: Exchange) -> Observation:
        """Run an exchange, judge it, and note what was found."""
        return self.note(await observe(self.subject, exchange))

    async def run_all(self, exchanges: Iterable[Exchange]) -> None:
        """Run exchanges one after the other, a batch at a time, judge each, and note what was found."""
        rest = iter(exchanges)
        while batch := list(islice(rest, BATCH)):
            for seen in await self.observe(batch):
                self.note(seen)

    async def observe(self, exchanges: Sequence[Exchange]) -> list[Observation]:
        """Run exchanges one after the other, and judge none."""
        return await observe_all(self.subject, exchanges)

    async def watch(self, exchange: Exchange) -> Observation:
        """Run an exchange for a scenario to judge by itself."""
        self.exchanges += 1
        return await observe(self.subject, exchange)

    async def together(self, *exchanges: Exchange) -> list[Observation]:
        """Run exchanges of one model at the same time, in lock-step, for a scenario to judge by itself."""
        self.exchanges += len(exchanges)
        return await observe_together(self.subject, exchanges)

    async def elsewhere(self, exchange: Exchange) -> Observation:
        """Run an exchange in an event loop of its own, which is then closed, for a scenario to judge by itself."""
        self.exchanges += 1
        return await asyncio.to_thread(self._in_new_loop, exchange)

    def _in_new_loop(self, exchange: Exchange) -> Observation:
        selector = StallSelector()
        subject = self.subject.on(selector)
        with run_loop(selector) as runner:
            return runner.run(observe(subject, exchange))

    def note(self, seen: Observation) -> Observation:
        """Judge what was seen."""
        self.exchanges += 1
        self._keep(self._judge.judge(seen), seen, alone=True)
        if seen.timed_out:
            raise CallNeverEnds
        return seen

    def keep(self, found: Findings, seen: Observation) -> None:
        """Keep findings of a scenario's own, with the exchange that they are about."""
        self._keep(found, seen, alone=False)

    def _keep(self, found: Findings, seen: Observation, *, alone: bool) -> None:
        self.exercised |= found.exercised
        if not found.violations:
            return
        for rule, violations in found.broken.items():
            if rule not in self.findings:
                words = tuple(describe(seen.exchange, seen.dialect))
                events = tuple(timeline(seen.run or seen.events))
                self.findings[rule] = Finding(violations[0], words, events, seen, alone)

    def expect(self, rule: str, holds: bool, met: object, wanted: object, seen: Observation) -> None:
        """Put a rule to the test that is about more than one exchange; ``seen`` is the one to show."""
        found = Findings()
        found.expect(rule, holds, met, wanted)
        self.keep(found, seen)

    def compare(self, rule: str, seen: Observation, plain: Observation) -> None:
        """Put a rule to the test by which ``seen`` breaks no rule that its exchange does not break by itself."""
        known = judge(plain).broken
        worse = [f"{name}: {found[0].met}" for name, found in judge(seen).broken.items() if name not in known]
        self.expect(rule, not worse, "; ".join(worse), "what the same call gives by itself", seen)
