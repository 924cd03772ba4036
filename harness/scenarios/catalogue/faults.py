"""Faults: bodies and connections that end badly, and the call after."""

from collections.abc import Iterator

from harness.dialects.base import Dialect
from harness.exchange import Answer, Exchange
from harness.provider import Provider
from harness.scenarios.catalogue.samples import rich, said
from harness.scenarios.scenario import Scenario, Stage, exchanges, modes
from harness.wire.faults import Fault, FaultKind

_PLACES = (0.0, 0.3, 0.6, 1.0)


def _cut(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    yield from _faulty(provider, dialect, FaultKind.RESET, FaultKind.HEADERS_THEN_RESET)


def _early_end(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    yield from _faulty(provider, dialect, FaultKind.CLEAN_EOF, FaultKind.EOF_MID_FRAME)


def _bad_body(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    yield from _faulty(provider, dialect, FaultKind.CORRUPT, FaultKind.NOT_JSON, FaultKind.EMPTY)


def _refused(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    yield from _faulty(provider, dialect, FaultKind.REFUSED)


def _faulty(provider: Provider, dialect: Dialect, *kinds: FaultKind) -> Iterator[Exchange]:
    for stream in modes(provider):
        for kind in kinds:
            for at in _PLACES:
                for reply in (said(dialect), rich(provider, dialect)):
                    yield Exchange(answer=Answer(reply, fault=Fault(kind, at)), stream=stream)


async def _next_call(stage: Stage) -> None:
    """After each kind of fault, a plain call on the same instance."""
    provider, dialect = stage.subject.provider, stage.subject.dialect
    for stream in modes(provider):
        for kind in (FaultKind.RESET, FaultKind.CLEAN_EOF, FaultKind.CORRUPT, FaultKind.NOT_JSON, FaultKind.REFUSED):
            plain = await stage.run(Exchange(answer=Answer(said(dialect)), stream=stream))
            await stage.run(Exchange(answer=Answer(rich(provider, dialect), fault=Fault(kind)), stream=stream))
            stage.compare("FAULT-NEXT-CALL", await stage.watch(plain.exchange), plain)


def _silence(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    yield from _faulty(provider, dialect, FaultKind.SILENCE)


def _virtual_time(provider: Provider, dialect: Dialect) -> bool:
    """Clients wait for minutes, which only costs nothing where the endpoint is in the process."""
    return not provider.loopback


FAULTS = (
    Scenario("fault-cut", "the connection is cut", ("FAULT-CUT", "FAULT-PREFIX"), exchanges(_cut), "litellm#32686"),
    Scenario(
        "fault-early-end",
        "the body ends in good order before the reply does",
        ("FAULT-EOF",),
        exchanges(_early_end),
        "strands#4334",
    ),
    Scenario(
        "fault-bad-body",
        "the body is broken, empty, or a web page",
        ("FAULT-BODY", "FAULT-TYPED"),
        exchanges(_bad_body),
        "ai-dial-adapter-openai#199",
    ),
    Scenario("fault-refused", "the connection is refused", ("FAULT-REFUSED",), exchanges(_refused), "agent-os#2118"),
    Scenario(
        "fault-silence",
        "the service falls silent",
        ("FAULT-SILENCE",),
        exchanges(_silence),
        "anthropic-sdk-typescript#1206",
        _virtual_time,
    ),
    Scenario("fault-next-call", "a call after each fault", ("FAULT-NEXT-CALL",), _next_call, "vllm#48089"),
)
