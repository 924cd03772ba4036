"""What is said in any style is what is read, and the frames are Writer's."""

import json

import pytest
from hypothesis import given

from harness.dialects.base import DecodeError, Style
from harness.dialects.reply import Reasoning, Refusal, Reply, ToolUse
from harness.dialects.writer_chat import DIALECT
from tests.dialects.openai_chat.samples import styles
from tests.dialects.relatives import MANY, documents, replies, single_styles
from tests.dialects.writer_chat.samples import CALLS, PLAIN, SAMPLES


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


def test_each_chunk_says_its_delta_twice_and_no_done_ends_the_stream() -> None:
    told = DIALECT.encode(CALLS, {}, stream=True)
    assert b"[DONE]" not in told.body
    choices = [choice for body in documents(told.body, stream=True) for choice in json.loads(body)["choices"]]
    assert choices
    assert all(choice["message"] == choice["delta"] for choice in choices)
    assert {choice["delta"]["role"] for choice in choices} == {"assistant"}


def test_later_fragments_of_a_call_say_null_for_what_the_first_said() -> None:
    told = documents(DIALECT.encode(CALLS, {}, stream=True).body, stream=True)
    deltas = [choice["delta"] for body in told for choice in json.loads(body)["choices"]]
    first, second, *_ = [call for delta in deltas for call in delta["tool_calls"] or ()]
    assert (first["function"]["name"], first["function"]["arguments"]) == ("get_weather", None)
    assert (second["id"], second["type"], second["function"]["name"]) == (None, None, None)


def test_cached_tokens_are_read_where_writer_tells_them() -> None:
    assert DIALECT.expected(CALLS, {}, stream=True).usage == CALLS.usage
    whole = json.loads(DIALECT.encode(CALLS, {}, stream=False).body)
    assert whole["usage"]["prompt_token_details"] == {"cached_tokens": 64}
    zero = DIALECT.expected(PLAIN, {"usage_details": "writer_all"}, stream=True).usage
    assert zero is not None
    assert zero.cache_read == 0


@pytest.mark.parametrize("reply", [Reply((Reasoning("x"),)), Reply((Refusal("x"),), "content_filtered")])
def test_what_writer_has_no_words_for_is_refused(reply: Reply) -> None:
    with pytest.raises(ValueError, match="no place"):
        DIALECT.encode(reply, {}, stream=True)


def test_empty_arguments_are_as_written() -> None:
    reply = Reply((ToolUse(CALLS.tools[0].id, "f", ""),), "tool_use")
    assert DIALECT.decode(DIALECT.encode(reply, {}, stream=True).body, stream=True).tools[0].arguments == ""
