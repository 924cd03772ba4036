"""Our event stream codec beside botocore's decoder, on drawn messages and on recorded Bedrock streams."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from uuid import UUID

import botocore.session
import pytest
from botocore.eventstream import EventStream, EventStreamBuffer, ParserError
from botocore.exceptions import EventStreamError
from botocore.parsers import EventStreamJSONParser
from hypothesis import given
from hypothesis import strategies as st

from harness.wire import eventstream
from harness.wire.cuts import Cut, CutKind, apply
from harness.wire.errors import WireError
from harness.wire.eventstream import EventStreamDecoder, EventStreamMessage, HeaderValue, encode_message
from tests.recordings.corpus import exchanges
from tests.shared import needs_shared
from tests.wire.strategies import cuts, decode, event_stream_messages, steady

Plain = tuple[dict[str, object], bytes]


def plain(headers: Mapping[str, HeaderValue], payload: bytes) -> Plain:
    """A message in botocore's terms, which has UUIDs as bytes."""
    return {name: value.bytes if isinstance(value, UUID) else value for name, value in headers.items()}, payload


def read_by_botocore(chunks: Iterable[bytes]) -> Iterator[Plain]:
    buffer = EventStreamBuffer()
    for chunk in chunks:
        buffer.add_data(chunk)
        for message in buffer:
            yield message.headers, message.payload


@steady
@given(st.lists(event_stream_messages, max_size=4), cuts)
def test_botocore_reads_what_we_encode(messages: list[EventStreamMessage], cut: Cut) -> None:
    chunks = apply(cut, [encode_message(message) for message in messages])
    assert [*read_by_botocore(chunks)] == [plain(message.headers, message.payload) for message in messages]


def outcome_of_botocore(body: bytes) -> tuple[list[Plain], str]:
    seen: list[Plain] = []
    try:
        seen.extend(read_by_botocore([body]))
    except ParserError as error:
        return seen, str(error).partition(": ")[2]
    return seen, ""


def outcome_of_ours(body: bytes) -> tuple[list[Plain], str]:
    seen: list[Plain] = []
    decoder = EventStreamDecoder()
    try:
        seen += [plain(message.headers, message.payload) for message in decoder.feed(body)]
        decoder.finish()
    except WireError as error:
        return seen, str(error).partition(": ")[2]
    return seen, ""


@steady
@given(st.lists(event_stream_messages, min_size=1, max_size=3), st.data())
def test_botocore_and_ours_find_the_same_flipped_bit(messages: list[EventStreamMessage], data: st.DataObject) -> None:
    body = bytearray(b"".join(map(encode_message, messages)))
    body[data.draw(st.integers(0, len(body) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    seen, told = outcome_of_ours(bytes(body))
    assert (seen, told) == outcome_of_botocore(bytes(body))
    assert len(seen) < len(messages)
    assert told.startswith("expected 0x")


def read_by_bedrock_client(message: EventStreamMessage) -> list[dict[str, object]]:
    """What a boto3 caller of ConverseStream would iterate over."""
    operation = botocore.session.Session().get_service_model("bedrock-runtime").operation_model("ConverseStream")

    class Body:
        def stream(self) -> Iterator[bytes]:
            yield encode_message(message)

    return [*EventStream(Body(), operation.get_event_stream_output(), EventStreamJSONParser(), "ConverseStream")]


def test_a_bedrock_client_reads_the_three_kinds_of_message() -> None:
    start = eventstream.event("messageStart", b'{"role":"assistant"}')
    assert read_by_bedrock_client(start) == [{"messageStart": {"role": "assistant"}}]
    with pytest.raises(EventStreamError, match=r"\(throttlingException\).*: Too many"):
        read_by_bedrock_client(eventstream.exception("throttlingException", b'{"message":"Too many"}'))
    with pytest.raises(EventStreamError, match=r"\(InternalFailure\).*: It broke"):
        read_by_bedrock_client(eventstream.error("InternalFailure", "It broke"))


@needs_shared
@pytest.mark.parametrize(("protocol", "at_least"), [("bedrock-converse-stream", 40), ("bedrock-invoke-stream", 20)])
def test_recorded_streams(protocol: str, at_least: int) -> None:
    bodies = [
        found.exchange.response.body
        for found in exchanges([protocol])
        if found.exchange.response.header("content-type") == "application/vnd.amazon.eventstream"
    ]
    assert len(bodies) >= at_least
    for body in bodies:
        chunks = apply(Cut(CutKind.FIXED, 61), [body])
        messages = decode(EventStreamDecoder(), chunks)
        assert [plain(message.headers, message.payload) for message in messages] == [*read_by_botocore(chunks)]
        assert b"".join(map(encode_message, messages)) == body
