"""go-vcr cassettes, version 2: `interactions` whose responses have `code`, `status` and `duration`."""

from __future__ import annotations

from collections.abc import Iterator

from harness.recordings.fields import Field, header_pairs
from harness.recordings.model import RecordedRequest, RecordedResponse
from harness.recordings.payload import make_request, make_response, stored_body
from harness.recordings.source import Source


def is_govcr(source: Source) -> bool:
    """Whether the document has `interactions` whose first response has a `code`."""
    document = source.document
    return document.has("interactions") and any(
        entry.get("response").has("code") for entry in document.at("interactions").items()[:1]
    )


def read_govcr(source: Source) -> Iterator[tuple[RecordedRequest, RecordedResponse]]:
    """The exchanges of a cassette. Raises Malformed."""
    for entry in source.document.at("interactions").items():
        yield _request(entry.at("request")), _response(entry.at("response"))


def _request(field: Field) -> RecordedRequest:
    body, _ = stored_body(field.get("body"))
    return make_request(field.at("method").text(), field.at("url").text(), header_pairs(field.get("headers")), body)


def _response(field: Field) -> RecordedResponse:
    body, exact = stored_body(field.get("body"))
    return make_response(field.at("code").status(), header_pairs(field.get("headers")), body, exact=exact)
