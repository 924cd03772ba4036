"""Recorded exchanges as cases of the suite: played to the adapter, and judged like all others."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final, cast

from harness.bench import Bench
from harness.cassettes.model import Cassette, CassetteError
from harness.cassettes.player import AS_RECORDED, Player
from harness.cassettes.reading import answered, leaks, untrue
from harness.cassettes.recordable import BY_ID, Recordable
from harness.cassettes.scrub import Scrubber, Secrets
from harness.cassettes.service import secret_values
from harness.cassettes.storage import cassettes_in, load
from harness.checks.content import text_of
from harness.checks.findings import Findings
from harness.checks.observation import Observation
from harness.dialects.reply import Reply, Text
from harness.endpoint.base import Endpoint, EndpointLog, Responder
from harness.exchange import Exchange
from harness.laboratory import Laboratory, endpoint_for
from harness.provider import Provider
from harness.run import observe
from harness.suite.case import Case
from harness.wire.cuts import Cut, CutKind

RULES: Final = ("CASSETTE-MATCH", "CASSETTE-PLAYED", "CASSETTE-WIRE", "CASSETTE-SECRETS")
#: bodies are cut every so many bytes; long ones less finely, since in-process chunks never wait
_SMALL, _LESS_SMALL, _LONG_BODY = Cut(CutKind.FIXED, 7), Cut(CutKind.FIXED, 997), 16 * 1024


def with_cassettes(provider: Provider, folder: Path) -> Provider:
    """The provider with the cassettes of a folder, if there are any."""
    return replace(provider, cassettes=folder) if cassettes_in(folder) else provider


def replay_cases(provider: Provider) -> Iterator[Case]:
    """A case for each cassette of the provider."""
    for scenario, path in cassettes_in(provider.cassettes).items() if provider.cassettes else ():
        title = BY_ID[scenario].title if scenario in BY_ID else "an exchange recorded elsewhere"
        yield Case(provider, f"cassette-{scenario}", f"recorded: {title}", RULES, _replaying(path))


def _replaying(path: Path) -> Callable[[Laboratory, Bench], None]:
    return lambda laboratory, bench: laboratory.run(replay_file(bench, path))


class _Directed:
    """An endpoint whose answers are those of a player, whatever the run would answer."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._takes: Iterator[Player] = iter(())

    def play(self, player: Player) -> None:
        """Have the player answer the next run; where a run is repeated, to measure it again, others begin anew."""
        self._takes = chain((player,), iter(player.rewound, None))

    def reset(self, responder: Responder) -> None:
        self._endpoint.reset(next(self._takes).respond)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._endpoint, name)


@dataclass(frozen=True)
class _Replay:
    """What one cassette is played with."""

    bench: Bench
    stage: _Directed
    scrubber: Scrubber
    recordable: Recordable
    exchange: Exchange


async def replay_file(bench: Bench, path: Path) -> None:
    """Play a cassette. One that cannot be read is a finding too."""
    try:
        cassette = load(path)
    except CassetteError as error:
        _tell(bench, "CASSETTE-WIRE", [str(error)])
        return
    await replay(bench, cassette)


async def replay(bench: Bench, cassette: Cassette) -> None:
    """Play a cassette in every way in which its bytes may come, and judge what the adapter makes of it."""
    provider, dialect = bench.subject.provider, bench.subject.dialect
    scrubber = Scrubber(Secrets(secret_values(provider)))
    _tell(bench, "CASSETTE-SECRETS", list(leaks(cassette, scrubber)))
    _tell(bench, "CASSETTE-WIRE", list(untrue(cassette, dialect)))
    recordable = BY_ID.get(cassette.provenance.scenario)
    if recordable is None or not cassette.interactions:
        return
    exchange = recordable.exchange(provider, cassette.provenance.model)
    exchange = answered(exchange, cassette.interactions[-1], recordable, dialect)
    endpoint = endpoint_for(provider)
    stage = _Directed(endpoint)
    subject = replace(bench.subject, endpoint=cast("Endpoint", stage), _models={})
    played = _Replay(replace(bench, subject=subject), stage, scrubber, recordable, exchange)
    for cut, timed in _manners(cassette):
        await _play(played, Player(cassette.interactions, scrubber, cut, timed))
    bench.exchanges = played.bench.exchanges
    endpoint.close()


def _manners(cassette: Cassette) -> Iterator[tuple[Cut, bool]]:
    """The ways in which the bytes come: as recorded, and cut anew; and whether the silences are kept."""
    bodies = [one.body for one in cassette.interactions]
    yield AS_RECORDED, True
    yield Cut(CutKind.WHOLE), False
    yield _SMALL if max(map(len, bodies)) <= _LONG_BODY else _LESS_SMALL, False
    if not all(body.isascii() for body in bodies):
        yield Cut(CutKind.INSIDE_CHARACTER), False


async def _play(replay: _Replay, player: Player) -> None:
    replay.stage.play(player)
    seen = await observe(replay.bench.subject, replay.exchange)
    _tell(replay.bench, "CASSETTE-MATCH", player.misses, seen)
    _tell(replay.bench, "CASSETTE-PLAYED", [*player.unused(), *player.partly_used(seen.log)], seen)
    if not player.misses:
        replay.bench.note(known_prefix(seen))


def known_prefix(seen: Observation) -> Observation:
    """What had been said when a recorded stream was cut is told by nobody but who heard it."""
    if seen.exchange.answer.fault is None:
        return seen
    heard = Reply((Text("".join(text_of(block) for block in seen.content)),))
    seen.exchange = replace(seen.exchange, answer=replace(seen.exchange.answer, reply=heard))
    return seen


def _tell(bench: Bench, rule: str, wrong: list[str], seen: Observation | None = None) -> None:
    found = Findings()
    found.expect(rule, not wrong, "; ".join(wrong))
    subject = bench.subject
    bench.keep(found, seen or Observation(subject.provider, subject.dialect, Exchange(), EndpointLog()))
