"""Recordable scenarios as cases of the suite: played to the real service, kept, and judged, then and by replay."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

from harness import __version__
from harness.bench import Bench
from harness.cassettes.budget import Budget
from harness.cassettes.drift.compare import Severity, compare
from harness.cassettes.emulator import Emulator
from harness.cassettes.model import Cassette, CassetteError, Interaction, Origin, Provenance
from harness.cassettes.player import Player
from harness.cassettes.reading import answered, tokens_of
from harness.cassettes.recordable import RECORDABLE, Recordable, live_of
from harness.cassettes.relay import Relay
from harness.cassettes.scrub import Scrubber, Secrets
from harness.cassettes.service import Service, secret_values
from harness.cassettes.storage import SUFFIX, load, save
from harness.checks.observation import Observation
from harness.contract import VERSION
from harness.dialects.base import WireReply
from harness.discovery import versions
from harness.endpoint.loop import StallSelector
from harness.exchange import Answer, Operation
from harness.laboratory import Laboratory
from harness.provider import Provider
from harness.run import observe
from harness.suite.case import Case
from harness.suite.replay import RULES, known_prefix, replay


class RecordMode(StrEnum):
    """When the service is called, by the words of pytest-recording."""

    NONE = "none"  # never
    ONCE = "once"  # where there is no cassette
    NEW_EPISODES = "new_episodes"  # for requests that are not recorded
    ALL = "all"  # for every request; a cassette holds one scenario, so that is to rewrite it
    REWRITE = "rewrite"  # for every request


class NoAnswerError(RuntimeError):
    """The service could not be reached, or closed the connection without a response."""


class _Untimed(StallSelector):
    """Measures nothing, so that no call is made again for a second measurement."""

    @property
    def longest(self) -> float:
        """No time at all."""
        return 0.0


@dataclass
class Recording:
    """What a session records: to which folder, from which services, and what it may cost."""

    mode: RecordMode
    folder: Path
    services: dict[str, Service]
    budget: Budget = field(default_factory=Budget)
    model: str | None = None
    emulator: Emulator | None = None
    relays: dict[str, Relay] = field(default_factory=dict)
    #: what new recordings have changed, in words
    drift: list[str] = field(default_factory=list)

    def cases(self, provider: Provider) -> Iterator[Case]:
        """A case for each scenario that can be recorded with the provider."""
        for each in RECORDABLE:
            if each.suits(provider):
                play = _Recorded(self, each)
                yield Case(provider, f"cassette-{each.id}", f"recording: {each.title}", RULES, play)

    def relay(self, provider: Provider) -> Relay:
        """The way to the provider's service."""
        if provider.name not in self.relays:
            self.relays[provider.name] = Relay(self.services[provider.name], self.budget)
        return self.relays[provider.name]

    def path(self, provider: Provider, recordable: Recordable) -> Path:
        """Where a cassette is kept."""
        return self.folder / provider.name / f"{recordable.id}{SUFFIX}"

    @property
    def hosts(self) -> frozenset[str]:
        """The hosts that may be reached."""
        return frozenset(service.host for service in self.services.values())

    def close(self) -> None:
        """Close the connections."""
        for relay in self.relays.values():
            relay.close()
        if self.emulator is not None:
            self.emulator.close()


@dataclass(frozen=True)
class _Recorded:
    """The recording of one scenario."""

    recording: Recording
    recordable: Recordable

    def __call__(self, laboratory: Laboratory, bench: Bench) -> None:
        """Record the scenario where the mode says so, then play it back."""
        path = self.recording.path(bench.subject.provider, self.recordable)
        old = load(path) if path.exists() and self.recording.mode not in (RecordMode.ALL, RecordMode.REWRITE) else None
        if old is None or self.recording.mode is RecordMode.NEW_EPISODES:
            old = self._record(laboratory, bench, path, old)
        laboratory.run(replay(bench, old))

    def _record(self, laboratory: Laboratory, bench: Bench, path: Path, old: Cassette | None) -> Cassette:
        provider, dialect = bench.subject.provider, bench.subject.dialect
        scrubber = Scrubber(Secrets(secret_values(provider)))
        self.recording.budget.check()
        relay = self.recording.relay(provider)
        relay.begin(Player(old.interactions, scrubber) if old is not None else None)
        if self.recording.emulator is not None:
            self.recording.emulator.play(self.recordable.id, provider, dialect)
        seen = self._call(laboratory, bench, relay)
        if not relay.taken or relay.failures:
            raise NoAnswerError("; ".join(relay.failures) or f"{provider.name} sent no request: {seen.error!r}")
        for taken in relay.taken:
            self.recording.budget.take_tokens(tokens_of(taken, dialect))
        judge_live(bench, seen, relay.taken, self.recordable)
        known = old.interactions if old is not None else ()
        interactions = tuple(one if one in known else scrubber.interaction(self._timed(one)) for one in relay.taken)
        if old is not None and interactions == known:
            return old
        origin = Origin.LIVE if self.recording.emulator is None else Origin.EMULATED
        told = provenance(provider, self.recordable, origin, self.recording.model)
        cassette = Cassette(replace(told, source=_server(relay.taken[-1])), interactions)
        self._note_drift(path, cassette)
        save(path, cassette)
        return cassette

    def _note_drift(self, path: Path, new: Cassette) -> None:
        """Keep what the new recording has changed; an old one that cannot be read tells nothing."""
        with suppress(CassetteError):
            old = {path.stem: load(path)} if path.exists() else {}
            changes = compare(old, {path.stem: new}) if old else []
            grave = [change for change in changes if change.severity > Severity.LOW]
            self.recording.drift += [f"{new.provenance.provider}-{path.stem}: {change}" for change in grave]

    def _timed(self, one: Interaction) -> Interaction:
        """The exchange; how long a stand-in takes says nothing."""
        return one if self.recording.emulator is None else replace(one, times=())

    def _call(self, laboratory: Laboratory, bench: Bench, relay: Relay) -> Observation:
        exchange = self.recordable.exchange(bench.subject.provider, self.recording.model)
        exchange = replace(exchange, answer=Answer(raw=_TO_COME))
        subject = replace(bench.subject, endpoint=relay, selector=_Untimed(), patience=_PATIENCE, _models={})
        seen = laboratory.run(observe(subject, exchange))
        relay.finish()
        return seen


def _server(one: Interaction) -> str | None:
    """What the service says that it is."""
    return next((value for name, value in one.headers if name == "server"), None)


#: the answer, until it has come
_TO_COME: Final = WireReply(0, (), ())
#: how long a real service may take for a reply, in seconds
_PATIENCE: Final = 600.0


def judge_live(bench: Bench, seen: Observation, taken: list[Interaction], recordable: Recordable) -> None:
    """Judge what the adapter made of the service's own bytes."""
    exchange = seen.exchange = answered(seen.exchange, taken[-1], recordable, bench.subject.dialect)
    streamed = exchange.legal and exchange.call.operation is Operation.STREAM
    seen.expected = exchange.answer.reply if streamed else None
    bench.note(known_prefix(seen))


def provenance(provider: Provider, recordable: Recordable, origin: Origin, model: str | None = None) -> Provenance:
    """Where a cassette that is made now comes from."""
    return Provenance(
        origin,
        provider.name,
        recordable.id,
        recorded=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        model=model or live_of(provider).model,
        adapter=__version__,
        sdk=versions(provider),
        contract=VERSION,
    )
