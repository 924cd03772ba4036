"""LangChain's cassettes: parallel lists `requests` and `responses`, zipped, with all headers redacted."""

from __future__ import annotations

from collections.abc import Iterator

from harness.recordings.model import Malformed, RecordedRequest, RecordedResponse
from harness.recordings.source import Source
from harness.recordings.vcrpy import vcr_request, vcr_response


def is_langchain(source: Source) -> bool:
    """Whether the document has both lists."""
    return source.document.has("requests", "responses")


def read_langchain(source: Source) -> Iterator[tuple[RecordedRequest, RecordedResponse]]:
    """The exchanges, paired by position. Raises Malformed."""
    requests = source.document.at("requests").items()
    responses = source.document.at("responses").items()
    if len(requests) != len(responses):
        raise Malformed(f"responses: expected {len(requests)}, one a request, found {len(responses)}")
    for request, response in zip(requests, responses, strict=True):
        yield vcr_request(request), vcr_response(response)
