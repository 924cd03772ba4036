"""Files that are a response and nothing else: raw server-sent events, `{status, headers, body}`, a JSON body."""

from __future__ import annotations

from collections.abc import Iterator

from harness.recordings.fields import header_pairs
from harness.recordings.model import RecordedRequest, RecordedResponse
from harness.recordings.payload import looks_like_sse, make_request, make_response, stored_body
from harness.recordings.source import Source

_NO_REQUEST = make_request(None, None, (), None)


def is_sse(source: Source) -> bool:
    """Whether the file opens like server-sent events."""
    return looks_like_sse(source.data)


def read_sse(source: Source) -> Iterator[tuple[RecordedRequest, RecordedResponse]]:
    """The file's bytes as a streamed response."""
    yield _NO_REQUEST, make_response(200, (), source.data, exact=True)


def is_response(source: Source) -> bool:
    """Whether the document is one response."""
    return source.document.has("status", "headers", "body")


def read_response(source: Source) -> Iterator[tuple[RecordedRequest, RecordedResponse]]:
    """The response. Raises Malformed."""
    document = source.document
    body, exact = stored_body(document.at("body"))
    yield (
        _NO_REQUEST,
        make_response(document.at("status").status(), header_pairs(document.at("headers")), body, exact=exact),
    )


def is_json_body(source: Source) -> bool:
    """Whether the file is a JSON object or array."""
    return source.data.lstrip()[:1] in (b"{", b"[") and isinstance(source.document.value, (dict, list))


def read_json_body(source: Source) -> Iterator[tuple[RecordedRequest, RecordedResponse]]:
    """The file's bytes as a JSON response; a formatter has been over them."""
    yield _NO_REQUEST, make_response(200, (), source.data, exact=False)
