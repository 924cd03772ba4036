"""A recorded body as the frames it consists of: the same bytes, cut where the protocol ends a unit."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from harness.wire.eventstream import EventStreamDecoder
from harness.wire.sse import SseDecoder

_SSE_EVENT: Final = re.compile(rb".+?(?:(?:\r\n|\n|\r(?!\n)){2,}|\Z)", re.DOTALL)
_SSE_END: Final = (b"\n\n", b"\r\n\r\n", b"\r\r")


def sse_frames(body: bytes) -> tuple[bytes, ...]:
    """The blocks of a stream of server-sent events, each with the blank lines behind it."""
    return tuple(_SSE_EVENT.findall(body))


def sse_mended(body: bytes) -> bytes:
    """The stream with the blank line behind its last event, which files without a trailing one have lost."""
    return body if body.endswith(_SSE_END) else body.rstrip(b"\r\n") + b"\n\n"


def ndjson_frames(body: bytes) -> tuple[bytes, ...]:
    """The lines of newline-delimited JSON, each with its end."""
    return tuple(line + b"\n" for line in body.split(b"\n") if line.strip())


def eventstream_frames(body: bytes) -> tuple[bytes, ...]:
    """The messages of an AWS event stream. Raises ValueError for lengths that do not fill the body."""
    frames, at = [], 0
    while at < len(body):
        total = int.from_bytes(body[at : at + 4])
        if not 16 <= total <= len(body) - at:
            raise ValueError(f"a message of {total} bytes at byte {at} of {len(body)}")
        frames.append(body[at : at + total])
        at += total
    return tuple(frames)


#: by the manifest's kind of body: how it is framed
FRAMERS: Final[Mapping[str, Callable[[bytes], tuple[bytes, ...]]]] = {
    "json": lambda body: (body,),
    "ndjson": ndjson_frames,
    "sse": sse_frames,
    "sse-payload-lines": sse_frames,
    "eventstream": eventstream_frames,
}

#: kinds of body that are streams
STREAMS: Final = frozenset(FRAMERS) - {"json"}


def error_payload(kind: str, body: bytes) -> bytes | None:
    """The error object that a body of status 200 holds, as JSON; None where it holds none."""
    found = next((error for value in _VALUES[kind](body) if (error := _error_of(value))), None)
    return None if found is None else json.dumps(found, ensure_ascii=False).encode()


def _error_of(value: Any) -> Any:
    choices = value.get("choices") or ()
    return next((holder["error"] for holder in (value, *choices) if holder.get("error")), None)


def _json_values(body: bytes) -> Iterator[Any]:
    yield json.loads(body)


def _ndjson_values(body: bytes) -> Iterator[Any]:
    return map(json.loads, ndjson_frames(body))


def _sse_values(body: bytes) -> Iterator[Any]:
    decoder = SseDecoder()
    for event in (*decoder.feed(body), *decoder.finish()):
        if event.data != "[DONE]":
            yield json.loads(event.data)


def _eventstream_values(body: bytes) -> Iterator[Any]:
    for message in EventStreamDecoder().feed(body):
        if message.headers.get(":message-type") != "event":
            yield {"error": json.loads(message.payload)}


_VALUES: Final[Mapping[str, Callable[[bytes], Iterator[Any]]]] = {
    "json": _json_values,
    "ndjson": _ndjson_values,
    "sse": _sse_values,
    "sse-payload-lines": _sse_values,
    "eventstream": _eventstream_values,
}
