"""Bodies and headers made whole: codings undone, lost content types restored, redactions dropped."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable

from harness.recordings.fields import Field
from harness.recordings.model import Malformed, RecordedRequest, RecordedResponse
from harness.recordings.source import GZIP_MAGIC, gunzip, load_json

REDACTED = "**REDACTED**"
_FRAMING_HEADERS = frozenset({"content-encoding", "content-length", "transfer-encoding"})
_TOLD_BY_MAGIC = frozenset({"", "identity", "gzip", "x-gzip"})
_SSE_FIELDS = (b"data:", b"event:", b"id:", b"retry:", b":")
_UTF8_BOM = b"\xef\xbb\xbf"


def make_request(
    method: str | None, url: str | None, headers: Iterable[tuple[str, str]], body: bytes | None
) -> RecordedRequest:
    """A request with its method in upper case and redactions dropped."""
    return RecordedRequest(
        method=method.upper() if method else None,
        url=None if url == REDACTED else url,
        headers=_kept(headers),
        body=body,
    )


def make_response(
    status: int,
    headers: Iterable[tuple[str, str]],
    body: bytes,
    *,
    exact: bool,
    chunks: tuple[bytes, ...] | None = None,
) -> RecordedResponse:
    """A response with its content coding undone and its content type restored. Raises Malformed."""
    kept = _kept(headers)
    encoding = next((value.lower() for name, value in kept if name == "content-encoding"), "")
    decoded = _content_decoded(body, encoding)
    shown = tuple(pair for pair in kept if pair[0] not in _FRAMING_HEADERS)
    return RecordedResponse(
        status=status,
        headers=_with_content_type(shown, decoded),
        body=decoded,
        chunks=chunks if decoded is body else None,
        body_exact=exact,
    )


def stored_body(field: Field) -> tuple[bytes, bool]:
    """The bytes of a kept body, and whether they are the wire's. Raises Malformed.

    Recorders keep a body as a string, as binary, as a mapping that names the form (`string`, `base64`, ...), or
    parsed, in which case it is written again.
    """
    if field.value is None:
        return b"", True
    if isinstance(field.value, (str, bytes)):
        return field.octets(), True
    for key, read, exact in _BODY_FORMS:
        if field.has(key):
            return read(field.at(key)), exact
    return field.json(), False


def _string_form(field: Field) -> bytes:
    return b"" if field.value is None else field.octets()


_BODY_FORMS: tuple[tuple[str, Callable[[Field], bytes], bool], ...] = (
    ("string", _string_form, True),
    ("base64", Field.base64, True),
    ("base64_string", Field.base64, True),
    ("b64", Field.base64, True),
    ("json", Field.json, False),
)


def looks_like_sse(data: bytes) -> bool:
    """Whether the bytes open with a field or a comment of server-sent events."""
    return data.removeprefix(_UTF8_BOM).lstrip(b"\r\n").startswith(_SSE_FIELDS)


def looks_like_eventstream(data: bytes) -> bool:
    """Whether the bytes open with an AWS event stream prelude: two lengths and their CRC32."""
    if len(data) < 16:
        return False
    total = int.from_bytes(data[:4])
    return 16 <= total <= len(data) and zlib.crc32(data[:8]) == int.from_bytes(data[8:12])


def looks_like_json(data: bytes) -> bool:
    """Whether the bytes are one JSON text."""
    try:
        load_json(data)
    except Malformed:
        return False
    return True


def looks_like_ndjson(data: bytes) -> bool:
    """Whether each line that is not blank is a JSON text."""
    lines = [line for line in data.split(b"\n") if line.strip()]
    return bool(lines) and all(map(looks_like_json, lines))


_CONTENT_TYPES: tuple[tuple[Callable[[bytes], bool], str], ...] = (
    (looks_like_eventstream, "application/vnd.amazon.eventstream"),
    (looks_like_sse, "text/event-stream"),
    (looks_like_json, "application/json"),
    (looks_like_ndjson, "application/x-ndjson"),
)


def _with_content_type(headers: tuple[tuple[str, str], ...], body: bytes) -> tuple[tuple[str, str], ...]:
    if any(name == "content-type" for name, _ in headers):
        return headers
    found = next((kind for matches, kind in _CONTENT_TYPES if matches(body)), None)
    return headers if found is None else (*headers, ("content-type", found))


def _kept(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((name.lower(), value) for name, value in headers if value != REDACTED)


def _content_decoded(body: bytes, encoding: str) -> bytes:
    """Undo gzip wherever it is; recorders often decode the body and leave the header (or the other way round)."""
    if body.startswith(GZIP_MAGIC):
        return gunzip(body, "a response body")
    if encoding in _TOLD_BY_MAGIC or _readable(body):
        return body
    raise Malformed(f"a response body is compressed with {encoding!r}", "record it again with `accept-encoding: gzip`")


def _readable(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return looks_like_eventstream(body)
    return True
