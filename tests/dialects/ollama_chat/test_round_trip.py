"""What is encoded in any style is what is decoded, and only finished replies are."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from harness.dialects.base import DecodeError, Style
from harness.dialects.ollama_chat import DIALECT
from harness.dialects.reply import Citation, Reasoning, Refusal, Reply, Text, ToolUse, Usage
from tests.dialects.ollama_chat.samples import (
    CALLS,
    CUT,
    IDS,
    LOADED,
    PLAIN,
    SAMPLES,
    THOUGHT,
    replies,
    single_styles,
    styles,
)

MANY = settings(max_examples=400, deadline=None, derandomize=True)


@MANY
@given(replies(), styles())
def test_a_reply_survives_any_style(reply: Reply, style: Style) -> None:
    for stream in (True, False):
        body = DIALECT.encode(reply, style, stream=stream).body
        assert DIALECT.decode(body, stream=stream) == DIALECT.expected(reply, style, stream=stream)


@pytest.mark.parametrize("reply", SAMPLES)
@pytest.mark.parametrize("stream", [True, False])
def test_every_option_alone(reply: Reply, stream: bool) -> None:
    for style in single_styles():
        decoded = DIALECT.decode(DIALECT.encode(reply, style, stream=stream).body, stream=stream)
        assert decoded == DIALECT.expected(reply, style, stream=stream), style


@MANY
@given(replies(), styles())
def test_losing_the_last_object_makes_the_reply_unfinished(reply: Reply, style: Style) -> None:
    told = DIALECT.encode(reply, style, stream=True)
    assert told.terminal_frames == 1
    with pytest.raises(DecodeError, match="without an object that is done"):
        DIALECT.decode(b"".join(told.frames[:-1]), stream=True)


@pytest.mark.parametrize("at", range(1, len(DIALECT.encode(PLAIN, {}, stream=False).body), 37))
def test_a_cut_whole_reply_is_no_reply(at: int) -> None:
    with pytest.raises(DecodeError):
        DIALECT.decode(DIALECT.encode(PLAIN, {}, stream=False).body[:-at], stream=False)


def test_blank_lines_are_passed_over() -> None:
    told = DIALECT.encode(CALLS, {}, stream=True)
    assert DIALECT.decode(b"\n \r\n".join(told.frames), stream=True) == CALLS


# --- what expected() lets through -----------------------------------------------------------------------------------


def test_what_the_usual_style_lets_through_is_the_reply_itself() -> None:
    for reply in SAMPLES:
        assert DIALECT.expected(reply, {}, stream=True) == reply


@pytest.mark.parametrize(
    ("option", "told"), [("both", Usage(120, 35)), ("no_prompt_count", Usage(0, 35)), ("absent", None)]
)
def test_counts_that_are_left_out_are_not_expected(option: str, told: Usage | None) -> None:
    assert DIALECT.expected(PLAIN, {"usage": option}, stream=True).usage == told


def test_go_sends_no_zeros() -> None:
    nothing = replace(PLAIN, usage=Usage(0, 0), latency_ms=0)
    told = DIALECT.expected(nothing, {}, stream=False)
    assert (told.usage, told.latency_ms) == (None, None)
    assert "count" not in DIALECT.encode(nothing, {}, stream=False).body.decode()


def test_a_call_without_id_is_expected_with_an_empty_one() -> None:
    told = DIALECT.expected(CALLS, {"tool_id": "absent"}, stream=True)
    assert [call.id for call in told.tools] == ["", "", ""]


def test_without_a_reason_the_reply_just_ended() -> None:
    style = {"done_reason": "absent"}
    assert DIALECT.expected(CUT, style, stream=True).stop == "end_turn"
    assert DIALECT.expected(CALLS, style, stream=True).stop == "tool_use"
    assert DIALECT.expected(LOADED, style, stream=True).wire_stop is None


def test_a_style_without_times_tells_none() -> None:
    assert DIALECT.expected(PLAIN, {"durations": "absent"}, stream=True).latency_ms is None
    assert DIALECT.expected(PLAIN, {"durations": "total"}, stream=True).latency_ms == 321


def test_blank_arguments_are_sent_as_an_object() -> None:
    reply = Reply((ToolUse(IDS[0], "f", " "),), "tool_use")
    assert DIALECT.expected(reply, {}, stream=True).tools[0].arguments == "{}"


# --- the wire -------------------------------------------------------------------------------------------------------


def objects(reply: Reply, style: Style) -> list[dict[str, Any]]:
    """The JSON of every line."""
    return [json.loads(line) for line in DIALECT.encode(reply, style, stream=True).frames]


def test_only_the_last_object_is_done() -> None:
    told = objects(THOUGHT, {})
    assert [line["done"] for line in told] == [False] * (len(told) - 1) + [True]


@pytest.mark.parametrize(
    ("style", "counts"),
    [
        ({"calls": "one_by_one"}, [1, 1, 1, 0]),
        ({"calls": "in_one_object"}, [3, 0]),
        ({"calls": "in_one_object", "finish": "with_last"}, [3]),
        ({"calls": "one_by_one", "finish": "with_last"}, [1, 1, 1]),
    ],
)
def test_calls_come_in_one_object_or_several_and_before_the_end_or_with_it(style: Style, counts: list[int]) -> None:
    told = objects(Reply(CALLS.tools, "tool_use"), style)
    assert [len(line["message"].get("tool_calls", ())) for line in told] == counts


def test_thinking_and_text_share_an_object_where_the_style_says_so() -> None:
    told = objects(THOUGHT, {"thinking_ends": "with_text", "text_pieces": "whole"})
    assert told[0]["message"] == {"role": "assistant", "content": "So.", "thinking": "First… then…"}


@pytest.mark.parametrize(
    ("option", "told"),
    [("present", [0, 1, 2]), ("same", [0, 0, 0]), ("zero_left_out", [None, 1, 2]), ("absent", [None, None, None])],
)
def test_indices_of_calls(option: str, told: list[int | None]) -> None:
    body = json.loads(DIALECT.encode(CALLS, {"tool_index": option}, stream=False).body)
    assert [call["function"].get("index") for call in body["message"]["tool_calls"]] == told


def test_go_escapes_what_could_break_a_page_or_a_script() -> None:
    body = DIALECT.encode(PLAIN, {}, stream=False).body.decode()
    assert "\\u003cb\\u003e世" in body
    assert "\\u0026 \\u2028" in body
    assert "\x85" in body


def test_bytes_differ_where_styles_do() -> None:
    for axis in DIALECT.axes:
        for name in axis.names[1:]:
            for stream, exists in ((True, axis.streamed), (False, axis.whole)):
                usual, told = (DIALECT.encode(THOUGHT, style, stream=stream) for style in ({}, {axis.name: name}))
                assert (usual != told) is exists, (axis.name, name, stream)


# --- what it refuses ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        Reply((Text("a"), Text("b"))),
        Reply((Text("a"), Reasoning("b"))),
        Reply((ToolUse.of(IDS[0], "f", {}), Text("b")), "tool_use"),
        Reply((ToolUse(IDS[0], "f", '{"a'),), "tool_use"),
        Reply((Text(""),)),
        Reply((Refusal("No."),)),
        Reply((Text("a", (Citation("t", None, None),)),)),
        Reply((Reasoning("a", "signature"),)),
        Reply((Text("a"),), "content_filtered"),
        Reply(CALLS.blocks, "end_turn"),
    ],
)
def test_a_reply_outside_the_shape_is_refused(reply: Reply) -> None:
    with pytest.raises(ValueError, match=r"Ollama|empty block|finish_reason"):
        DIALECT.encode(reply, {}, stream=True)


@pytest.mark.parametrize("style", [{"usage": "nowhere"}, {"colour": "red"}])
def test_an_unknown_style_is_refused(style: Style) -> None:
    with pytest.raises(ValueError, match="no style of Ollama"):
        DIALECT.encode(PLAIN, style, stream=True)


@pytest.mark.parametrize(
    "body",
    [
        b'{"error":"x"}',
        b"<html></html>",
        b"[]",
        b"",
        b'{"message":{"content":"x"},"done":false}',
        b'{"message":{"content":"x"},"done":true,"done_reason":"never heard of"}',
    ],
)
@pytest.mark.parametrize("stream", [True, False])
def test_what_is_no_reply_is_not_read_as_one(body: bytes, stream: bool) -> None:
    with pytest.raises(DecodeError):
        DIALECT.decode(body, stream=stream)
