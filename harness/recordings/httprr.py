"""Go's httprr traces: raw HTTP text, framed by byte counts.

httprr trace v1
<bytes of request> <bytes of response>
<request><response>...
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from harness.recordings.model import Malformed, RecordedRequest, RecordedResponse
from harness.recordings.payload import make_request, make_response
from harness.recordings.source import Source

_MAGIC = b"httprr trace v1\n"
_SIZES = re.compile(rb"([0-9]{1,9}) ([0-9]{1,9})\n")
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_STATUS_LINE = re.compile(r"HTTP/[0-9.]+ ([1-5][0-9]{2})(?: .*)?")
_REQUEST_LINE = re.compile(r"([A-Z]+) (\S+) HTTP/[0-9.]+")
_CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})(?:;[^\r\n]*)?\r?\n")

Headers = list[tuple[str, str]]


def is_httprr(source: Source) -> bool:
    """Whether the file opens with the trace's first line."""
    return source.data.startswith(_MAGIC)


def read_httprr(source: Source) -> Iterator[tuple[RecordedRequest, RecordedResponse]]:
    """The exchanges of a trace. Raises Malformed."""
    at = len(_MAGIC)
    while at < len(source.data):
        sizes = _SIZES.match(source.data, at)
        if sizes is None:
            raise Malformed(f"byte {at}: expected the sizes of a request and a response")
        middle = sizes.end() + int(sizes[1])
        end = middle + int(sizes[2])
        if end > len(source.data):
            raise Malformed(f"byte {at}: the exchange ends at byte {end}, the file at {len(source.data)}")
        yield _request(source.data[sizes.end() : middle], sizes.end()), _response(source.data[middle:end], middle)
        at = end


def _request(message: bytes, at: int) -> RecordedRequest:
    line, headers, body = _split(message, at)
    matched = _REQUEST_LINE.fullmatch(line)
    if matched is None:
        raise Malformed(f"byte {at}: expected a request line, found {line[:60]!r}")
    return make_request(matched[1], matched[2], headers, body)


def _response(message: bytes, at: int) -> RecordedResponse:
    line, headers, body = _split(message, at)
    matched = _STATUS_LINE.fullmatch(line)
    if matched is None:
        raise Malformed(f"byte {at}: expected a status line, found {line[:60]!r}")
    return make_response(int(matched[1]), headers, _unchunked(headers, body, at), exact=True)


def _split(message: bytes, at: int) -> tuple[str, Headers, bytes]:
    """First line, headers and body. The tool that writes traces ends an edited header with a bare LF."""
    head_end = _HEAD_END.search(message)
    if head_end is None:
        raise Malformed(f"byte {at}: expected an HTTP message, found no end of its headers")
    first, *rest = message[: head_end.start()].decode("latin-1").replace("\r\n", "\n").split("\n")
    pairs = (line.partition(":") for line in rest)
    return first, [(name, value.strip()) for name, _, value in pairs], message[head_end.end() :]


def _unchunked(headers: Headers, body: bytes, at: int) -> bytes:
    if not any(name.lower() == "transfer-encoding" and value == "chunked" for name, value in headers):
        return body
    parts: list[bytes] = []
    position = 0
    while True:
        size = _CHUNK_SIZE.match(body, position)
        if size is None:
            raise Malformed(f"byte {at}: the chunked body breaks at its byte {position}")
        start, length = size.end(), int(size[1], 16)
        if not length:
            return b"".join(parts)
        parts.append(body[start : start + length])
        position = start + length + len(b"\r\n")
