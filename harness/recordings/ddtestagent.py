"""Datadog's test agent: one exchange a file, `status: {code, message}`, scalar headers, bodies as strings."""

from __future__ import annotations

from collections.abc import Iterator

from harness.recordings.model import RecordedRequest, RecordedResponse
from harness.recordings.reqllm import one_request
from harness.recordings.source import Source
from harness.recordings.vcrpy import vcr_response


def is_ddtestagent(source: Source) -> bool:
    """Whether the document is one exchange whose status has a code."""
    return source.document.has("request", "response") and source.document.at("response").get("status").has("code")


def read_ddtestagent(source: Source) -> Iterator[tuple[RecordedRequest, RecordedResponse]]:
    """The one exchange. Raises Malformed."""
    yield one_request(source.document.at("request")), vcr_response(source.document.at("response"))
