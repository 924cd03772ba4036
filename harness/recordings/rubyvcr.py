"""The cassettes of Ruby's vcr and of R's vcr, which share the list `http_interactions`.

Ruby keeps `status: {code}` and lists of header values; R keeps an integer status and scalar ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.recordings.fields import Field, header_pairs
from harness.recordings.model import RecordedRequest, RecordedResponse
from harness.recordings.payload import make_request, make_response, stored_body
from harness.recordings.source import Source


def is_rubyvcr(source: Source) -> bool:
    """Whether the document has `http_interactions`."""
    return source.document.has("http_interactions")


def is_rvcr(source: Source) -> bool:
    """Whether its first status is a bare number."""
    return is_rubyvcr(source) and any(
        isinstance(entry.get("response").get("status").value, int)
        for entry in source.document.at("http_interactions").items()[:1]
    )


def read_rubyvcr(source: Source) -> Iterator[tuple[RecordedRequest, RecordedResponse]]:
    """The exchanges of a cassette. Raises Malformed."""
    for entry in source.document.at("http_interactions").items():
        yield _request(entry.at("request")), _response(entry.at("response"))


def _request(field: Field) -> RecordedRequest:
    body, _ = stored_body(field.get("body"))
    return make_request(field.at("method").text(), field.at("uri").text(), header_pairs(field.get("headers")), body)


def _response(field: Field) -> RecordedResponse:
    body, exact = stored_body(field.get("body"))
    status = field.at("status")
    code = status.at("code") if status.has("code") else status
    return make_response(code.status(), header_pairs(field.get("headers")), body, exact=exact)
