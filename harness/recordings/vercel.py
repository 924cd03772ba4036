"""Vercel's `chunks.txt`: the data of one server-sent event a line; the framing is written again."""

from __future__ import annotations

import re
from collections.abc import Iterator

from harness.recordings.model import Malformed, RecordedRequest, RecordedResponse
from harness.recordings.payload import looks_like_json, make_request, make_response
from harness.recordings.source import Source, load_json

_EVENT_NAME = re.compile(r"[\w.-]+")


def is_vercel_chunks(source: Source) -> bool:
    """Whether the first of several lines is a JSON object by itself. A single line needs the file's name."""
    lines = source.lines
    several = len(lines) > 1 or source.name.endswith(".chunks.txt")
    return several and lines[0].lstrip().startswith(b"{") and looks_like_json(lines[0])


def read_vercel_chunks(source: Source) -> Iterator[tuple[RecordedRequest, RecordedResponse]]:
    """The one response, framed as server-sent events; no request is kept. Raises Malformed."""
    body = b"".join(_event(number, line.strip()) for number, line in enumerate(source.lines, start=1))
    yield make_request(None, None, (), None), make_response(200, (), body, exact=False)


def _event(number: int, data: bytes) -> bytes:
    """One event. Protocols whose payloads have a `type` (Anthropic, Responses, Cohere) name the event by it."""
    try:
        payload = load_json(data)
    except Malformed as error:
        raise Malformed(f"event {number}: {error.what}") from None
    kind = payload.get("type") if isinstance(payload, dict) else None
    name = b"event: %s\n" % kind.encode() if isinstance(kind, str) and _EVENT_NAME.fullmatch(kind) else b""
    return b"%sdata: %s\n\n" % (name, data)
