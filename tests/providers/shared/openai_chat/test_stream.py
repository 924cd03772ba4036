import json
from typing import Any

import pytest

from harness.contract.assembler import Assembler
from harness.contract.exceptions import IncompleteStreamError, ModelResponseError
from providers._shared.openai_chat.reply import ChatReader
from providers._shared.openai_chat.stream import ChatStream, read_whole
from tests.providers.shared.openai_chat.wire import body, chunk, in_order


def sse(*values: Any) -> bytes:
    return b"".join(b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n" for value in values)


def told(data: bytes, size: int = 3) -> Assembler:
    stream = ChatStream(ChatReader())
    events = [event for at in range(0, len(data), size) for event in stream.feed(data[at : at + size])]
    return in_order([*events, *stream.finish()])


def test_chunks_and_whole_replies_say_the_same() -> None:
    streamed = told(sse(chunk(content="Hé"), chunk(content="llo🙂"), chunk("stop")) + b"data: [DONE]\n\n")
    unasked = told(json.dumps(body(content="Héllo🙂"), indent=2).encode())
    whole = in_order(read_whole(ChatReader(), json.dumps(body(content="Héllo🙂")).encode()))
    for found in (streamed, unasked, whole):
        assert found.message["content"] == [{"text": "Héllo🙂"}]
        assert found.stop_reason == "end_turn"


def test_the_end_may_be_told_by_either_sign() -> None:
    assert told(sse(chunk("stop", content="a"))).stop_reason == "end_turn"
    assert told(sse(chunk(content="a")) + b"data: [DONE]").stop_reason == "end_turn"


@pytest.mark.parametrize("data", [b"", sse(chunk(content="a")), sse(chunk("stop", content="a"))[:-9]])
def test_a_stream_without_an_end_is_incomplete(data: bytes) -> None:
    with pytest.raises(IncompleteStreamError):
        told(data)


def test_events_before_an_error_are_told() -> None:
    events = ChatStream(ChatReader()).feed(sse(chunk(content="a"), {"error": {"message": "it broke"}}))
    assert [next(iter(next(events))) for _ in range(3)] == ["messageStart", "contentBlockStart", "contentBlockDelta"]
    with pytest.raises(ModelResponseError, match="it broke"):
        next(events)


@pytest.mark.parametrize("data", [b"<html>", b'{"choices": [', b"[]", b'{"choices": [null]}'])
def test_a_body_that_is_no_reply(data: bytes) -> None:
    with pytest.raises(ModelResponseError):
        read_whole(ChatReader(), data)
