"""What is encoded in any style is what is decoded, and only finished replies are."""

import json
from typing import Any

import pytest
from hypothesis import given, settings

from harness.dialects.base import DecodeError, Style
from harness.dialects.mistral_chat import DIALECT
from harness.dialects.reply import Citation, Reasoning, RedactedReasoning, Refusal, Reply, Text, ToolUse, Usage
from harness.wire.sse import SseDecoder
from tests.dialects.mistral_chat.samples import (
    CALLS,
    CUT,
    IDS,
    JUST_CALLS,
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
    decoded, expected = DIALECT.decode(b"".join(kept), stream=True), DIALECT.expected(reply, style, stream=True)
    assert (decoded.blocks, decoded.stop) == (expected.blocks, expected.stop)


@pytest.mark.parametrize("at", range(1, len(DIALECT.encode(PLAIN, {}, stream=False).body), 37))
def test_a_cut_whole_reply_is_no_reply(at: int) -> None:
    with pytest.raises(DecodeError):
        DIALECT.decode(DIALECT.encode(PLAIN, {}, stream=False).body[:-at], stream=False)


# --- what expected() lets through -----------------------------------------------------------------------------------


def test_what_the_usual_style_lets_through_is_the_reply_itself() -> None:
    for reply in SAMPLES:
        assert DIALECT.expected(reply, {}, stream=True) == reply


@pytest.mark.parametrize(
    ("style", "told"),
    [
        ({"usage": "absent"}, None),
        ({"usage": "chunk_after"}, Usage(120, 35, 155, 64)),
        ({"usage_details": "plain"}, Usage(120, 35, 155)),
        ({"usage_details": "num_cached"}, Usage(120, 35, 155, 64)),
    ],
)
def test_usage_that_is_told(style: Style, told: Usage | None) -> None:
    assert DIALECT.expected(PLAIN, style, stream=True).usage == told


def test_arguments_sent_as_an_object_come_back_in_their_normal_form() -> None:
    reply = Reply((ToolUse(IDS[0], "f", '{"a" : 1.50}'),), "tool_use")
    style = {"arguments_form": "object"}
    assert DIALECT.expected(reply, style, stream=False).tools[0].arguments == '{"a":1.5}'
    assert DIALECT.expected(reply, {**style, "arguments": "pieces"}, stream=True).tools == reply.tools
    assert DIALECT.expected(CUT, style, stream=False).tools == CUT.tools


# --- the wire -------------------------------------------------------------------------------------------------------


def chunks(reply: Reply, style: Style) -> list[dict[str, Any]]:
    """The JSON of every chunk."""
    events = SseDecoder().feed(DIALECT.encode(reply, style, stream=True).body)
    return [json.loads(event.data) for event in events if event.data != "[DONE]"]


def choices(reply: Reply, style: Style) -> list[dict[str, Any]]:
    """The choice of every chunk."""
    return [chunk["choices"][0] for chunk in chunks(reply, style)]


@pytest.mark.parametrize(
    ("finish", "with_calls", "with_text"),
    [("with_calls", True, False), ("with_last", True, True), ("own_chunk", False, False)],
)
def test_where_the_finish_stands(finish: str, with_calls: bool, with_text: bool) -> None:
    style = {"finish": finish, "text_pieces": "whole"}
    last = choices(CALLS, style)[-1]
    assert (last["finish_reason"], "tool_calls" in last["delta"]) == ("tool_calls", with_calls)
    last = choices(PLAIN, style)[-1]
    assert (last["finish_reason"], bool(last["delta"]["content"])) == ("stop", with_text)


def test_usage_comes_with_the_finish_or_after_it() -> None:
    with_finish, after = (chunks(PLAIN, {"usage": option}) for option in ("finish_chunk", "chunk_after"))
    assert [chunk["choices"][0]["finish_reason"] for chunk in with_finish if "usage" in chunk] == ["stop"]
    assert [chunk["choices"][0]["finish_reason"] for chunk in after if "usage" in chunk] == [None]
    assert after[-2]["choices"][0]["finish_reason"] == "stop"


def test_thinking_is_a_list_of_texts_in_a_list_of_parts() -> None:
    style = {"text_pieces": "whole", "thinking_texts": "several", "thinking_ends": "with_text"}
    thinking, text = choices(THOUGHT, style)[1]["delta"]["content"]
    assert (thinking["type"], text) == ("thinking", {"type": "text", "text": "So."})
    assert "".join(part["text"] for part in thinking["thinking"]) == "First… then…"
    assert len(thinking["thinking"]) == 3


@pytest.mark.parametrize(
    ("option", "ids"),
    [("whole", [IDS[0]]), ("pieces", [IDS[0], None, None]), ("pieces_null_id", [IDS[0], "null", "null"])],
)
def test_fragments_of_a_call_have_its_index_and_not_its_id(option: str, ids: list[str | None]) -> None:
    reply = Reply(CALLS.tools[:1], "tool_use")
    deltas = [choice["delta"] for choice in choices(reply, {"arguments": option})]
    told = [fragment for delta in deltas for fragment in delta.get("tool_calls", ())]
    assert [fragment.get("id") for fragment in told] == ids
    assert {fragment["index"] for fragment in told} == {0}


@pytest.mark.parametrize(("option", "counts"), [("in_one_chunk", [3]), ("one_by_one", [1, 1, 1])])
def test_calls_of_a_chunk(option: str, counts: list[int]) -> None:
    told = [choice["delta"] for choice in choices(JUST_CALLS, {"calls": option})]
    assert [len(delta["tool_calls"]) for delta in told if "tool_calls" in delta] == counts


def test_bytes_differ_where_styles_do() -> None:
    usual = {(reply, stream): DIALECT.encode(reply, {}, stream=stream) for reply in SAMPLES for stream in (True, False)}
    for axis in DIALECT.axes:
        for name in axis.names[1:]:
            for stream, exists in ((True, axis.streamed), (False, axis.whole)):
                told = (DIALECT.encode(reply, {axis.name: name}, stream=stream) for reply in SAMPLES)
                differ = any(one != usual[reply, stream] for one, reply in zip(told, SAMPLES, strict=True))
                if (name, stream) != ("chunk_after", False):  # a whole reply has its usage in one place only
                    assert differ is exists, (axis.name, name, stream)


# --- what it refuses ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        Reply((Text("a"), Text("b"))),
        Reply((Text("a"), Reasoning("b"))),
        Reply((ToolUse.of(IDS[0], "f", {}), Text("b")), "tool_use"),
        Reply((Text(""),)),
        Reply((Refusal("No."),)),
        Reply((Text("a", (Citation("t", None, None),)),)),
        Reply((Reasoning("a", "signature"),)),
        Reply((RedactedReasoning(b"x"),)),
        Reply((Text("a"),), latency_ms=3),
        Reply((Text("a"),), "content_filtered"),
        Reply(CALLS.blocks, "end_turn"),
    ],
)
def test_a_reply_outside_the_shape_is_refused(reply: Reply) -> None:
    with pytest.raises(ValueError, match=r"Mistral|empty block|finish_reason"):
        DIALECT.encode(reply, {}, stream=True)


@pytest.mark.parametrize("style", [{"usage": "nowhere"}, {"colour": "red"}])
def test_an_unknown_style_is_refused(style: Style) -> None:
    with pytest.raises(ValueError, match="no style of Mistral"):
        DIALECT.encode(PLAIN, style, stream=True)


@pytest.mark.parametrize(
    ("body", "stream"),
    [
        (b'data: {"object":"error","message":"x"}\n\n', True),
        (b'data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"error"}]}\n\n', True),
        (b"data: not json\n\n", True),
        (b'data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}\n\ndata: [DONE]\n\n', True),
        (b'{"detail":"x"}', False),
        (b'{"object":"error","message":"x"}', False),
        (b'{"choices":[]}', False),
        (b'{"choices":[{"index":0,"message":{"content":"x"},"finish_reason":"never heard of"}]}', False),
        (b"<html></html>", False),
        (b"[]", False),
    ],
)
def test_what_is_no_reply_is_not_read_as_one(body: bytes, stream: bool) -> None:
    with pytest.raises(DecodeError):
        DIALECT.decode(body, stream=stream)
