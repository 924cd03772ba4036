"""Named scenarios: what is tried on every adapter that claims what they need."""

from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from harness.checks.findings import Findings
from harness.checks.observation import Observation
from harness.contract.capabilities import Capabilities
from harness.dialects.base import Dialect
from harness.exchange import Exchange
from harness.provider import Provider


class Stage(Protocol):
    """What a scenario's own course of action may use: see :class:`harness.bench.Bench`."""

    @property
    def subject(self) -> Any:
        """The provider on trial, with its dialect, endpoint and models."""

    async def run(self, exchange: Exchange) -> Observation:
        """Run an exchange and judge it."""

    async def watch(self, exchange: Exchange) -> Observation:
        """Run an exchange without judging it."""

    async def run_all(self, exchanges: Iterable[Exchange]) -> None:
        """Run exchanges one after the other and judge each."""

    async def together(self, *exchanges: Exchange) -> list[Observation]:
        """Run exchanges at the same time, without judging them."""

    async def elsewhere(self, exchange: Exchange) -> Observation:
        """Run an exchange in an event loop of its own, without judging it."""

    def keep(self, found: Findings, seen: Observation) -> None:
        """Keep findings about several exchanges."""

    def expect(self, rule: str, holds: bool, met: object, wanted: object, seen: Observation) -> None:
        """Put a rule to the test that is about several exchanges."""

    def compare(self, rule: str, seen: Observation, plain: Observation) -> None:
        """Put a rule to the test by which ``seen`` breaks no rule that its exchange does not break by itself."""


Play = Callable[[Stage], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario.

    ``rules`` are the rules that it is there for; all checks run on each of its exchanges anyway. ``evidence`` names
    the public report behind it, where there is one. ``needs`` says which adapters it is for, ``otherwise`` why it is
    not for the others.
    """

    id: str
    title: str
    rules: tuple[str, ...]
    play: Play
    evidence: str = ""
    needs: Callable[[Provider, Dialect], bool] = lambda provider, dialect: True
    otherwise: str = ""


def exchanges(make: Callable[[Provider, Dialect], Iterator[Exchange]]) -> Play:
    """The course of action that runs a row of exchanges one after the other."""

    async def play(stage: Stage) -> None:
        await stage.run_all(make(stage.subject.provider, stage.subject.dialect))

    return play


def capable(*flags: str) -> Callable[[Provider, Dialect], bool]:
    """Adapters that declare all these capabilities."""
    return lambda provider, dialect: all(_declares(provider.capabilities, flag) for flag in flags)


def _declares(abilities: Capabilities, flag: str) -> bool:
    return bool(getattr(abilities, flag))


def modes(provider: Provider) -> tuple[bool, ...]:
    """The modes that an adapter has: streamed (True), whole (False)."""
    return tuple(
        stream
        for stream, config in ((True, provider.stream_config), (False, provider.whole_config))
        if config is not None
    )
