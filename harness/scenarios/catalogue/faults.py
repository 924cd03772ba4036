"""Faults: bodies and connections that end badly, each followed by a call that goes well. One scenario a kind."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from harness.checks.failure import is_timeout, told
from harness.dialects.base import Dialect
from harness.exchange import Answer, Call, Exchange
from harness.provider import Provider
from harness.scenarios.catalogue.samples import rich, said
from harness.scenarios.scenario import Play, Scenario, Stage, modes
from harness.wire.faults import Fault, FaultKind

#: what is said before a fault: characters of several bytes, of which one may be cut
_WORDS: Final = "Grüße aus 東京 🗼, and more."
_EVENT_STREAM: Final = "application/vnd.amazon.eventstream"
#: silences that are allowed for, in seconds
_IDLE: Final = (7.0, 45.0)

Needs = Callable[[Provider, Dialect], bool]


def everywhere(provider: Provider, dialect: Dialect) -> bool:
    """Any adapter."""
    return True


def in_virtual_time(provider: Provider, dialect: Dialect) -> bool:
    """Clients wait for minutes, which only costs nothing where the endpoint is in the process."""
    return not provider.loopback


def can_be_impatient(provider: Provider, dialect: Dialect) -> bool:
    """Adapters with a setting for how long the service may be silent."""
    return provider.capabilities.idle_key is not None and in_virtual_time(provider, dialect)


def over_event_streams(provider: Provider, dialect: Dialect) -> bool:
    """Protocols whose streams have checksums."""
    if provider.stream_config is None:
        return False
    headers = {name.lower(): value for name, value in dialect.encode(said(dialect), {}, stream=True).headers}
    return headers.get("content-type", "").startswith(_EVENT_STREAM)


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A kind of fault: its scenario's id and title, the rule, what it is for, and what to say where it is not.

    ``places`` are where in the body, ``statuses`` the HTTP statuses (None: the fault's own).
    """

    id: str
    title: str
    kind: FaultKind
    rule: str
    evidence: str
    needs: Needs = everywhere
    otherwise: str = ""
    places: tuple[float, ...] = (0.0, 0.3, 0.6, 1.0)
    statuses: tuple[int | None, ...] = (None,)
    whole: bool = True


_ONCE: Final = (0.5,)
_GATEWAY: Final = (400, 404, 429, 500, 502, 503)
_NO_TIME: Final = "its SDK needs a real socket, where waiting takes real time"

ROWS: Final = (
    FaultRow("fault-refused", "the connection is refused", FaultKind.REFUSED, "FAULT-REFUSED", "agent-os#2118"),
    FaultRow(
        "fault-headers",
        "the connection is cut behind the headers",
        FaultKind.HEADERS_THEN_RESET,
        "FAULT-CUT",
        "litellm#32686",
        places=_ONCE,
    ),
    FaultRow("fault-cut", "the connection is cut at any byte", FaultKind.RESET, "FAULT-CUT", "litellm#32686"),
    FaultRow("fault-eof", "the body ends before the reply does", FaultKind.CLEAN_EOF, "FAULT-EOF", "strands#4334"),
    FaultRow("fault-mid-frame", "the body ends in mid-frame", FaultKind.EOF_MID_FRAME, "FAULT-EOF", "strands#4334"),
    FaultRow(
        "fault-mid-character",
        "the body ends inside a character",
        FaultKind.EOF_MID_CHARACTER,
        "FAULT-EOF",
        "strands#4334",
    ),
    FaultRow(
        "fault-silence",
        "the service falls silent",
        FaultKind.SILENCE,
        "FAULT-SILENCE",
        "anthropic-sdk-typescript#1206",
        in_virtual_time,
        _NO_TIME,
    ),
    FaultRow("fault-html", "a web page in place of a body", FaultKind.NOT_JSON, "FAULT-BODY", "nanobot#2289"),
    FaultRow("fault-empty", "an empty body", FaultKind.EMPTY, "FAULT-BODY", "nanobot#2289", places=_ONCE),
    FaultRow("fault-half-json", "JSON that stops half-way", FaultKind.HALF_JSON, "FAULT-BODY", "utsuwa#67"),
    FaultRow("fault-corrupt", "a garbled byte", FaultKind.CORRUPT, "FAULT-BODY", "utsuwa#67"),
    FaultRow(
        "fault-checksum",
        "a prelude whose checksum is wrong",
        FaultKind.PRELUDE,
        "FAULT-CHECKSUM",
        "AWS event stream encoding: prelude CRC",
        over_event_streams,
        "its streams have no checksums",
        whole=False,
    ),
    FaultRow("fault-gzip", "compression that breaks", FaultKind.GZIP, "FAULT-ENCODING", "RFC 9110 section 8.4"),
    FaultRow(
        "fault-redirect",
        "a redirect to another host",
        FaultKind.REDIRECT,
        "FAULT-REDIRECT",
        "RFC 9110 section 15.4",
        places=_ONCE,
        statuses=(302, 307, 308),
    ),
    FaultRow(
        "fault-html-status",
        "an error status with a web page",
        FaultKind.HTML_STATUS,
        "FAULT-STATUS",
        "ai-dial-adapter-openai#199",
        places=_ONCE,
        statuses=_GATEWAY,
    ),
    FaultRow(
        "fault-empty-status",
        "an error status without a body",
        FaultKind.EMPTY_STATUS,
        "FAULT-STATUS",
        "ai-dial-adapter-openai#199",
        places=_ONCE,
        statuses=_GATEWAY,
    ),
)


def _faulty(row: FaultRow, dialect: Dialect, provider: Provider, *, stream: bool) -> Iterator[Exchange]:
    for status in row.statuses:
        for at in row.places:
            for reply in (said(dialect, _WORDS), rich(provider, dialect)):
                yield Exchange(answer=Answer(reply, fault=Fault(row.kind, at, status)), stream=stream)


def _play(row: FaultRow) -> Play:
    """The fault at each place, in each mode; a plain call on the same instance after the first one, and in the end."""

    async def play(stage: Stage) -> None:
        provider, dialect = stage.subject.provider, stage.subject.dialect
        for stream in modes(provider) if row.whole else (True,):
            plain = await stage.watch(Exchange(answer=Answer(said(dialect)), stream=stream))
            first, *others = _faulty(row, dialect, provider, stream=stream)
            for faulty in ([first], others):
                await stage.run_all(faulty)
                stage.compare("FAULT-NEXT-CALL", await stage.watch(plain.exchange), plain)

    return play


async def _idle(stage: Stage) -> None:
    """Silences that are longer than the setting allows, each followed by a plain call."""
    provider, dialect = stage.subject.provider, stage.subject.dialect
    for stream in modes(provider):
        for seconds in _IDLE:
            call = Call(config={provider.capabilities.idle_key: seconds})
            plain = await stage.watch(Exchange(call, Answer(said(dialect)), stream=stream))
            fault = Fault(FaultKind.SILENCE)
            seen = await stage.run(Exchange(call, Answer(said(dialect, _WORDS), fault=fault), stream=stream))
            waited = seen.log.exchanges[-1].silence if seen.log.exchanges else 0.0
            met = f"{told(seen.error)} after {waited:g} s"
            kept = waited == seconds and is_timeout(seen.error)
            stage.expect("FAULT-IDLE", kept, met, f"an error that names the time-out, after {seconds:g} s", seen)
            stage.compare("FAULT-NEXT-CALL", await stage.watch(plain.exchange), plain)


_SCENARIOS: Final = tuple(
    Scenario(row.id, row.title, (row.rule, "FAULT-NEXT-CALL"), _play(row), row.evidence, row.needs, row.otherwise)
    for row in ROWS
)

FAULTS: Final = (
    *_SCENARIOS,
    Scenario(
        "fault-idle",
        "silence beyond the setting for it",
        ("FAULT-IDLE", "FAULT-NEXT-CALL"),
        _idle,
        "anthropic-sdk-typescript#1206",
        can_be_impatient,
        "it has no setting for silence, or no virtual time",
    ),
)
