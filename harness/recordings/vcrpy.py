"""vcrpy cassettes, also with the bodies parsed (`parsed_body`), and the older httpx stub's layout.

interactions: [{request: {method, uri, headers, body}, response: {status: {code}, headers, body: {string}}}]
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.recordings.fields import Field, header_pairs
from harness.recordings.model import RecordedRequest, RecordedResponse
from harness.recordings.payload import make_request, make_response, stored_body
from harness.recordings.source import Source


def is_vcrpy(source: Source) -> bool:
    """Whether the document has `interactions`."""
    return source.document.has("interactions")


def is_parsed_vcrpy(source: Source) -> bool:
    """Whether some message of the interactions has a `parsed_body`."""
    return is_vcrpy(source) and any(
        entry.get(side).has("parsed_body")
        for entry in source.document.at("interactions").items()
        for side in ("request", "response")
    )


def read_vcrpy(source: Source) -> Iterator[tuple[RecordedRequest, RecordedResponse]]:
    """The exchanges of a cassette. Raises Malformed."""
    for entry in source.document.at("interactions").items():
        yield vcr_request(entry.at("request")), vcr_response(entry.at("response"))


def vcr_request(field: Field) -> RecordedRequest:
    """A request as vcrpy keeps it. Raises Malformed."""
    body, _ = message_body(field)
    return make_request(field.at("method").text(), field.at("uri").text(), header_pairs(field.get("headers")), body)


def vcr_response(field: Field) -> RecordedResponse:
    """A response as vcrpy keeps it. Raises Malformed."""
    body, exact = message_body(field)
    status = field.get("status_code") if field.has("status_code") else field.at("status").at("code")
    return make_response(status.status(), header_pairs(field.get("headers")), body, exact=exact)


def message_body(field: Field) -> tuple[bytes, bool]:
    """The body of a message and whether it is the wire's. Raises Malformed."""
    if field.has("parsed_body"):
        return field.at("parsed_body").json(), False
    return stored_body(field.get("content") if field.has("content") else field.get("body"))
