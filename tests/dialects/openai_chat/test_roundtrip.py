"""What is encoded in any style is what is decoded, and only finished replies are."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from harness.dialects.base import DecodeError, Style
from harness.dialects.openai_chat import DIALECT
from harness.dialects.reply import Citation, Reasoning, RedactedReasoning, Refusal, Reply, Text, ToolUse, Usage
from tests.dialects.openai_chat.samples import (
    CALLS,
    CUT,
    FILTERED,
    IDS,
    PLAIN,
    REFUSED,
    SAMPLES,
    replies,
    single_styles,
    styles,
)

MANY = settings(max_examples=400, deadline=None, derandomize=True)


@MANY
@given(replies(), styles())
def test_streamed_reply_survives_any_style(reply: Reply, style: Style) -> None:
    body = DIALECT.encode(reply, style, stream=True).body
    assert DIALECT.decode(body, stream=True) == DIALECT.expected(reply, style, stream=True)


@MANY
@given(replies(), styles())
def test_whole_reply_survives_any_style(reply: Reply, style: Style) -> None:
    body = DIALECT.encode(reply, style, stream=False).body
    assert DIALECT.decode(body, stream=False) == DIALECT.expected(reply, style, stream=False)


@pytest.mark.parametrize("reply", SAMPLES)
@pytest.mark.parametrize("stream", [True, False])
def test_every_option_alone(reply: Reply, stream: bool) -> None:
    for style in single_styles():
        decoded = DIALECT.decode(DIALECT.encode(reply, style, stream=stream).body, stream=stream)
        assert decoded == DIALECT.expected(reply, style, stream=stream), style


@MANY
@given(replies(), styles())
def test_losing_the_terminal_frames_makes_the_reply_unfinished(reply: Reply, style: Style) -> None:
    told = DIALECT.encode(reply, style, stream=True)
    assert 1 <= told.terminal_frames <= len(told.frames)
    with pytest.raises(DecodeError, match="without a finish_reason"):
        DIALECT.decode(b"".join(told.frames[: -told.terminal_frames]), stream=True)


@MANY
@given(replies(), styles())
def test_keeping_the_first_terminal_frame_keeps_the_words(reply: Reply, style: Style) -> None:
    told = DIALECT.encode(reply, style, stream=True)
    kept = told.frames[: len(told.frames) - told.terminal_frames + 1]
    decoded = DIALECT.decode(b"".join(kept), stream=True)
    expected = DIALECT.expected(reply, style, stream=True)
    assert (decoded.blocks, decoded.stop) == (expected.blocks, expected.stop)


@pytest.mark.parametrize("at", range(1, len(DIALECT.encode(PLAIN, {}, stream=False).body), 37))
def test_a_cut_whole_reply_is_no_reply(at: int) -> None:
    with pytest.raises(DecodeError):
        DIALECT.decode(DIALECT.encode(PLAIN, {}, stream=False).body[:-at], stream=False)


# --- what expected() lets through -----------------------------------------------------------------------------------


def test_what_a_plain_style_lets_through_is_the_reply_itself() -> None:
    assert DIALECT.expected(CALLS, {}, stream=True) == CALLS


def test_a_style_without_usage_tells_none() -> None:
    assert DIALECT.expected(PLAIN, {"usage": "absent"}, stream=True).usage is None


@pytest.mark.parametrize("option", ["missing", "empty"])
@pytest.mark.parametrize("stream", [True, False])
def test_a_call_without_id_is_expected_with_an_empty_one(option: str, stream: bool) -> None:
    told = DIALECT.expected(CALLS, {"tool_id": option}, stream=stream)
    assert [call.id for call in told.tools] == ["", "", ""]
    assert [call.name for call in told.tools] == ["get_weather", "now", "get_weather"]


@pytest.mark.parametrize("option", ["empty", "null", "missing"])
def test_only_calls_without_arguments_lose_their_braces(option: str) -> None:
    told = DIALECT.expected(CALLS, {"no_arguments": option}, stream=True)
    assert [call.arguments for call in told.tools] == [CALLS.tools[0].arguments, "", CALLS.tools[2].arguments]


def test_arguments_sent_as_an_object_come_back_in_their_normal_form() -> None:
    reply = Reply((ToolUse(IDS[0], "f", '{"a" : 1.50}'),), "tool_use")
    told = DIALECT.expected(reply, {"arguments_form": "object"}, stream=False)
    assert told.tools[0].arguments == '{"a":1.5}'


def test_zeros_are_told_where_all_details_are() -> None:
    usage = DIALECT.expected(Reply((Text("x"),), usage=Usage(3, 4)), {"usage_details": "all"}, stream=True).usage
    assert usage == Usage(3, 4, 7, 0, None)


def test_a_refusal_that_ends_with_stop_means_that_the_content_was_filtered() -> None:
    told = DIALECT.expected(Reply((Refusal("No."),), "end_turn"), {}, stream=True)
    assert (told.stop, told.wire_stop) == ("content_filtered", "stop")
    assert told == DIALECT.expected(replace(REFUSED, usage=None, blocks=told.blocks), {}, stream=True)


# --- the wire ---------------------------------------------------------------------------------------------------------


def chunks(reply: Reply, style: Style) -> list[dict[str, Any]]:
    """The JSON of every chunk."""
    body = DIALECT.encode(reply, style, stream=True).body.decode()
    lines = [line.removeprefix("data:").strip() for line in body.split("\n") if line.startswith("data:")]
    return [json.loads(line) for line in lines if line != "[DONE]"]


def test_usage_of_every_chunk_grows_to_the_last_value() -> None:
    told = [chunk["usage"]["completion_tokens"] for chunk in chunks(PLAIN, {"usage": "every_chunk"})]
    assert told == sorted(told)
    assert told[0] < told[-1] == 35


def test_one_chunk_carries_all_calls_where_the_style_says_so() -> None:
    told = chunks(CALLS, {"calls": "in_one_chunk", "finish": "with_last"})
    with_calls = [
        chunk["choices"][0] for chunk in told if chunk["choices"] and "tool_calls" in chunk["choices"][0]["delta"]
    ]
    assert [(len(choice["delta"]["tool_calls"]), choice["finish_reason"]) for choice in with_calls] == [
        (3, "tool_calls")
    ]


def test_calls_interleave_only_where_each_has_an_index_of_its_own() -> None:
    def order(style: Style) -> list[int]:
        deltas = [chunk["choices"][0]["delta"] for chunk in chunks(CALLS, style) if chunk["choices"]]
        return [fragment["index"] for delta in deltas for fragment in delta.get("tool_calls", ())]

    assert order({"calls": "interleaved"}) != sorted(order({"calls": "interleaved"}))
    assert set(order({"calls": "interleaved", "tool_index": "same"})) == {0}
    assert set(order({"tool_index": "sparse"})) == {1, 3, 5}


def test_azure_leaves_the_message_out_of_a_filtered_reply_only() -> None:
    style = {"no_text": "no_message"}
    filtered = json.loads(DIALECT.encode(FILTERED, style, stream=False).body)
    assert "message" not in filtered["choices"][0]
    assert "message" in json.loads(DIALECT.encode(CUT, style, stream=False).body)["choices"][0]


def test_bytes_differ_where_styles_do() -> None:
    usual = {stream: DIALECT.encode(CALLS, {}, stream=stream) for stream in (True, False)}
    for axis in DIALECT.axes:
        for name in axis.names[1:]:
            told = {stream: DIALECT.encode(CALLS, {axis.name: name}, stream=stream) for stream in (True, False)}
            # An error's form shows in errors, and a reply with text shows nothing of how a missing one is told.
            if axis.name not in ("error", "no_text", "no_calls", "reasoning_field"):
                assert (told[True] != usual[True] and axis.streamed) or (told[False] != usual[False] and axis.whole), (
                    name
                )


# --- what it refuses ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        Reply((Text("a"), Text("b"))),
        Reply((Text("a"), Reasoning("b"))),
        Reply((ToolUse.of(IDS[0], "f", {}), Text("b")), "tool_use"),
        Reply((Text(""),)),
        Reply((Text("a", (Citation("t", None, None),)),)),
        Reply((Reasoning("a", "signature"),)),
        Reply((RedactedReasoning(b"x"),)),
        Reply((Text("a"),), latency_ms=3),
        Reply((Text("a"),), "guardrail_intervened"),
        Reply(CALLS.blocks, "end_turn"),
    ],
)
def test_a_reply_outside_the_shape_is_refused(reply: Reply) -> None:
    with pytest.raises(ValueError, match=r"Chat Completions|empty block|finish_reason"):
        DIALECT.encode(reply, {}, stream=True)


@pytest.mark.parametrize("style", [{"usage": "nowhere"}, {"colour": "red"}])
def test_an_unknown_style_is_refused(style: Style) -> None:
    with pytest.raises(ValueError, match="no style of Chat Completions"):
        DIALECT.encode(PLAIN, style, stream=True)


@pytest.mark.parametrize(
    ("body", "stream"),
    [
        (b'data: {"error":{"message":"x"}}\n\n', True),
        (b'event: error\ndata: {"message":"x"}\n\n', True),
        (b"data: not json\n\n", True),
        (b'{"error":"x"}', False),
        (b'{"choices":null}', False),
        (b'{"choices":[{"index":0,"message":{"content":"x"},"finish_reason":"never heard of"}]}', False),
        (b'{"choices":[{"index":0,"error":{"code":502},"message":{"content":"x"}}]}', False),
        (b"<html></html>", False),
        (b"[]", False),
    ],
)
def test_what_is_no_reply_is_not_read_as_one(body: bytes, stream: bool) -> None:
    with pytest.raises(DecodeError):
        DIALECT.decode(body, stream=stream)
