"""req_llm's fixtures: one exchange a file, a stream kept as the reads it arrived in.

{"request": {method, url, headers, body: {b64}}, "response": {status, headers, body}, "chunks": [{b64}]?}
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.recordings.fields import Field, header_pairs
from harness.recordings.model import RecordedRequest, RecordedResponse
from harness.recordings.payload import make_request, make_response, stored_body
from harness.recordings.source import Source


def is_reqllm(source: Source) -> bool:
    """Whether the document is one exchange with a bare number as its status."""
    return source.document.has("request", "response") and isinstance(
        source.document.at("response").get("status").value, int
    )


def is_reqllm_chunks(source: Source) -> bool:
    """Whether the exchange also keeps its reads."""
    return is_reqllm(source) and source.document.has("chunks")


def read_reqllm(source: Source) -> Iterator[tuple[RecordedRequest, RecordedResponse]]:
    """The one exchange. Raises Malformed."""
    response = source.document.at("response")
    body, exact = stored_body(response.get("body"))
    yield (
        one_request(source.document.at("request")),
        make_response(response.at("status").status(), header_pairs(response.get("headers")), body, exact=exact),
    )


def read_reqllm_chunks(source: Source) -> Iterator[tuple[RecordedRequest, RecordedResponse]]:
    """The one exchange, with the reads of its stream. Raises Malformed."""
    response = source.document.at("response")
    chunks = tuple(chunk.at("b64").base64() for chunk in source.document.at("chunks").items())
    yield (
        one_request(source.document.at("request")),
        make_response(
            response.at("status").status(),
            header_pairs(response.get("headers")),
            b"".join(chunks),
            exact=True,
            chunks=chunks,
        ),
    )


def one_request(field: Field) -> RecordedRequest:
    """The request of a one-exchange file, its address under `url`. Raises Malformed."""
    body, _ = stored_body(field.get("body"))
    return make_request(field.at("method").text(), field.at("url").text(), header_pairs(field.get("headers")), body)
