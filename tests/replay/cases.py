"""Recorded exchanges made ready for a replay: the bytes, how they are cut, and what they must bring to the caller."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from harness.dialects.base import Dialect, ErrorClass, VendorError, WireReply, WireRequest
from harness.exchange import FRAMES, NOTHING, Answer, Exchange
from harness.wire.cuts import Cut, CutKind
from tests.recordings.corpus import CorpusExchange
from tests.replay.frames import FRAMERS, STREAMS, error_payload, sse_mended
from tests.replay.known import ERROR_CLASSES, OTHER_ENDPOINTS, UNASKED_KINDS, UNASKED_QUERIES, UNREPLAYABLE

WHOLE: Final = Cut(CutKind.WHOLE)

#: bodies are cut every 7 bytes, but no further than a loop bears to take them in one go: in-process chunks never wait
_SMALL, _LESS_SMALL, _LONG_BODY = Cut(CutKind.FIXED, 7), Cut(CutKind.FIXED, 97), 32 * 1024

INSIDE_CHARACTER: Final = Cut(CutKind.INSIDE_CHARACTER)


@dataclass(frozen=True, slots=True)
class Case:
    """One replay: a recorded exchange, the way its bytes arrive, and the exchange that the harness runs."""

    found: CorpusExchange
    cut: str
    exchange: Exchange


def skipped(found: CorpusExchange) -> str | None:
    """Why an exchange is not replayed; None where it is."""
    url = urlsplit(found.exchange.request.url or "")
    other = next((reason for end, reason in OTHER_ENDPOINTS.items() if url.path.endswith(end)), None)
    unasked = next((reason for part, reason in UNASKED_QUERIES.items() if part in url.query), None)
    return other or unasked or UNASKED_KINDS.get(found.entry.kind) or UNREPLAYABLE.get(found.name)


def is_stream(found: CorpusExchange) -> bool:
    """Whether the answer is a stream."""
    return found.entry.kind in STREAMS


def body_of(found: CorpusExchange) -> bytes:
    """The body as the server must have sent it."""
    body = found.exchange.response.body
    return sse_mended(body) if found.entry.kind.startswith("sse") else body


def request_of(found: CorpusExchange, default_path: str) -> WireRequest | None:
    """The request as the server saw it; None where it was not kept. Placeholders for a host are cut off."""
    asked = found.exchange.request
    if not asked.body:
        return None
    url = urlsplit(asked.url or default_path)
    path = url.path if url.path.startswith("/") else "/" + url.path.partition("/")[2]
    return WireRequest(asked.method or "POST", f"{path}?{url.query}" if url.query else path, asked.headers, asked.body)


def error_of(found: CorpusExchange) -> VendorError | None:
    """The error that the exchange ends in, as a person reads it; None for a reply."""
    response = found.exchange.response
    failed = response.status >= 300
    body = response.body if failed else error_payload(found.entry.kind, body_of(found))
    if body is None:
        return None
    usual = ErrorClass.THROTTLE if response.status == 429 else ErrorClass.OTHER
    return VendorError(found.name, ERROR_CLASSES.get(found.name, usual), response.status, body, found.name)


def cases(found: CorpusExchange, dialect: Dialect) -> Iterator[Case]:
    """Every replay of an exchange. An answer that is no 2xx may come to a caller of either mode."""
    error = error_of(found)
    reply = NOTHING if error else dialect.decode(found.exchange.response.body, stream=is_stream(found))
    for name, cut, wire in _deliveries(found):
        answer = Answer(reply=reply, cut=cut, error=error, raw=wire)
        for stream in _modes(found):
            gated = bool(reply.blocks) and name == "frames"
            yield Case(found, name, Exchange(answer=answer, stream=stream, gated=gated))


def _modes(found: CorpusExchange) -> tuple[bool, ...]:
    return (True, False) if found.exchange.response.status >= 300 else (is_stream(found),)


def _deliveries(found: CorpusExchange) -> Iterator[tuple[str, Cut, WireReply]]:
    """The ways in which the bytes arrive: their name, the cut, and the response that is cut."""
    response, body = found.exchange.response, body_of(found)
    wire = WireReply(response.status, response.headers, FRAMERS[found.entry.kind](body))
    yield "whole", WHOLE, wire
    yield "small pieces", _SMALL if len(body) <= _LONG_BODY else _LESS_SMALL, wire
    if is_stream(found):
        yield "frames", FRAMES, wire
    if not body.isascii():
        yield "inside characters", INSIDE_CHARACTER, wire
    if response.chunks is not None:
        yield "recorded reads", FRAMES, WireReply(response.status, response.headers, response.chunks)
