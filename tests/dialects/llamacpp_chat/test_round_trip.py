"""What is said in any style is what is read, the frames are llama.cpp's, and errors break a stream off."""

import json
from typing import Any

import pytest
from hypothesis import given

from harness.dialects.base import DecodeError, ErrorClass, Style, VendorError
from harness.dialects.llamacpp_chat import DIALECT
from harness.dialects.reply import Refusal, Reply
from harness.wire.sse import SseDecoder
from tests.dialects.llamacpp_chat.samples import CALLS, CUT, PLAIN, SAMPLES
from tests.dialects.openai_chat.samples import styles
from tests.dialects.relatives import MANY, documents, replies, single_styles

STREAMED = [error for error in DIALECT.errors if error.in_stream]


@MANY
@given(replies(DIALECT), styles(DIALECT.axes))
@pytest.mark.parametrize("stream", [True, False])
def test_reply_survives_any_style(stream: bool, reply: Reply, style: Style) -> None:
    body = DIALECT.encode(reply, style, stream=stream).body
    assert DIALECT.decode(body, stream=stream) == DIALECT.expected(reply, style, stream=stream)


@pytest.mark.parametrize("reply", SAMPLES)
def test_losing_the_terminal_frames_makes_the_reply_unfinished(reply: Reply) -> None:
    for style in single_styles(DIALECT):
        told = DIALECT.encode(reply, style, stream=True)
        with pytest.raises(DecodeError):
            DIALECT.decode(b"".join(told.frames[: -told.terminal_frames]), stream=True)


def chunks(reply: Reply, style: Style) -> list[Any]:
    return [json.loads(body) for body in documents(DIALECT.encode(reply, style, stream=True).body, stream=True)]


def test_the_last_chunk_has_the_timings() -> None:
    for style in ({}, {"usage": "absent"}, {"usage": "finish_chunk"}):
        assert ["timings" in chunk for chunk in chunks(PLAIN, style)][-2:] == [False, True]


def test_the_first_fragment_of_a_call_has_arguments_already() -> None:
    calls = [call for chunk in chunks(CUT, {}) for choice in chunk["choices"] for call in _calls(choice)]
    assert (calls[0]["function"]["name"], calls[0]["function"]["arguments"]) == ("write", '{"tex')
    assert calls[1].keys() == {"index", "function"}


def _calls(choice: dict[str, Any]) -> list[Any]:
    return choice["delta"].get("tool_calls") or []


def test_a_refusal_has_no_place() -> None:
    with pytest.raises(ValueError, match="no place for a Refusal"):
        DIALECT.encode(Reply((Refusal("x"),), "end_turn"), {}, stream=False)


# --- errors -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", DIALECT.errors, ids=lambda error: error.id)
def test_an_error_is_told_as_it_is(error: VendorError) -> None:
    told = DIALECT.encode_error(error)
    assert (told.status, told.body, told.headers) == (error.status, error.body, error.headers)
    with pytest.raises(DecodeError):
        DIALECT.decode(told.body, stream=False)


def test_every_class_is_there() -> None:
    assert {error.error_class for error in DIALECT.errors} == set(ErrorClass)
    assert {error.error_class for error in STREAMED} == {ErrorClass.OVERFLOW, ErrorClass.OTHER}


@pytest.mark.parametrize("error", STREAMED, ids=lambda error: error.id)
def test_a_stream_breaks_off_with_an_error_as_data(error: VendorError) -> None:
    told = DIALECT.encode_stream_error(error, PLAIN, {}, keep=2)
    assert told is not None
    assert told.frames[:2] == DIALECT.encode(PLAIN, {}, stream=True).frames[:2]
    [event] = SseDecoder().feed(told.frames[2])
    assert json.loads(event.data) == json.loads(error.body)
    with pytest.raises(DecodeError, match="error"):
        DIALECT.decode(told.body, stream=True)


@pytest.mark.parametrize("error", STREAMED, ids=lambda error: error.id)
def test_older_builds_name_the_error_in_a_field(error: VendorError) -> None:
    told = DIALECT.encode_stream_error(error, PLAIN, {"error": "field"}, keep=2)
    assert told is not None
    field, _, value = told.frames[2].partition(b": ")
    assert (field, json.loads(value)) == (b"error", json.loads(error.body)["error"])
    with pytest.raises(DecodeError):
        DIALECT.decode(told.body, stream=True)


def test_calls_are_read_whole_with_reasoning_and_text_before_them() -> None:
    assert DIALECT.expected(CALLS, {}, stream=True) == CALLS
