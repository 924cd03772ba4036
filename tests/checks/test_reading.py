"""What is remembered of requests: what is the same to a server, and nothing else."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import pytest

from harness.checks.reading import Reader, reader
from harness.dialects import load_dialect
from harness.dialects.base import DecodeError, Dialect, RequestFault, WireRequest

REQUEST = WireRequest("POST", "/v1/reply", (("content-type", "application/json"),), b"{}")
FAULT = cast("RequestFault", object())


class Counting:
    """A dialect that keeps what it is asked; it refuses to read an empty body."""

    name = "counting"

    def __init__(self) -> None:
        self.asked: list[WireRequest] = []

    def read_request(self, request: WireRequest) -> Any:
        self.asked.append(request)
        if not request.body:
            raise DecodeError("no body")
        return request.body

    def check_request(self, request: WireRequest) -> Sequence[RequestFault]:
        self.asked.append(request)
        return [FAULT]

    def is_stream(self, request: WireRequest) -> bool:
        self.asked.append(request)
        return True


def counting() -> tuple[Counting, Reader]:
    dialect = Counting()
    return dialect, Reader(cast("Dialect", dialect))


def with_header(name: str, value: str) -> WireRequest:
    return replace(REQUEST, headers=(*REQUEST.headers, (name, value)))


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("x-amz-date", "20260101T000000Z", "20260101T000001Z"),
        ("amz-sdk-invocation-id", "1", "2"),
        ("authorization", "AWS4-HMAC-SHA256 Signature=1", "AWS4-HMAC-SHA256 Signature=2"),
    ],
)
def test_requests_that_differ_in_passing_headers_are_read_once(name: str, first: str, second: str) -> None:
    dialect, requests = counting()
    for value in (first, second):
        assert requests.view(with_header(name, value)) == cast("Any", b"{}")
        assert requests.faults(with_header(name, value)) == [FAULT]
    assert dialect.asked == [REQUEST, REQUEST]


@pytest.mark.parametrize(
    "other",
    [
        replace(REQUEST, body=b"[]"),
        replace(REQUEST, path="/v1/other"),
        with_header("authorization", "Bearer key"),
        with_header("anthropic-beta", "feature"),
    ],
    ids=["body", "path", "key", "feature"],
)
def test_requests_that_differ_otherwise_are_each_read_whole(other: WireRequest) -> None:
    dialect, requests = counting()
    for request in (REQUEST, other):
        requests.view(request)
        requests.faults(request)
    assert dialect.asked == [REQUEST, REQUEST, other, other]


def test_what_cannot_be_read_is_refused_each_time() -> None:
    _, requests = counting()
    for _ in range(2):
        with pytest.raises(DecodeError):
            requests.view(replace(REQUEST, body=b""))


def test_each_dialect_has_a_reader_of_its_own() -> None:
    bedrock, anthropic = load_dialect("bedrock_converse"), load_dialect("anthropic_messages")
    assert reader(bedrock) is reader(bedrock)
    assert reader(anthropic).dialect is anthropic
    one, other = (cast("Dialect", Counting()) for _ in range(2))
    assert (reader(one).dialect, reader(other).dialect) == (one, other)
