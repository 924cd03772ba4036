"""What is encoded in any style is what is decoded, and only finished replies are."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings

from harness.dialects.base import DecodeError, Style
from harness.dialects.openai_responses import DIALECT
from harness.dialects.reply import Citation, Reasoning, RedactedReasoning, Refusal, Reply, Text, ToolUse, Usage
from tests.dialects.openai_responses.samples import (
    CALLS,
    CITED,
    CUT,
    CUT_TEXT,
    IDS,
    PLAIN,
    REFUSED,
    SAMPLES,
    THOUGHT,
    double_styles,
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


@pytest.mark.parametrize("reply", [CITED, THOUGHT])
def test_every_two_options_together(reply: Reply) -> None:
    for style in double_styles():
        decoded = DIALECT.decode(DIALECT.encode(reply, style, stream=True).body, stream=True)
        assert decoded == DIALECT.expected(reply, style, stream=True), style


@MANY
@given(replies(), styles())
def test_losing_the_terminal_frames_makes_the_reply_unfinished(reply: Reply, style: Style) -> None:
    told = DIALECT.encode(reply, style, stream=True)
    assert 1 <= told.terminal_frames <= len(told.frames)
    with pytest.raises(DecodeError, match=r"without response\.completed"):
        DIALECT.decode(b"".join(told.frames[: -told.terminal_frames]), stream=True)


@MANY
@given(replies(), styles())
def test_the_first_terminal_frame_is_enough(reply: Reply, style: Style) -> None:
    told = DIALECT.encode(reply, style, stream=True)
    kept = told.frames[: len(told.frames) - told.terminal_frames + 1]
    assert DIALECT.decode(b"".join(kept), stream=True) == DIALECT.expected(reply, style, stream=True)


@pytest.mark.parametrize("at", range(1, len(DIALECT.encode(PLAIN, {}, stream=False).body), 37))
def test_a_cut_whole_reply_is_no_reply(at: int) -> None:
    with pytest.raises(DecodeError):
        DIALECT.decode(DIALECT.encode(PLAIN, {}, stream=False).body[:-at], stream=False)


# --- what expected() lets through -----------------------------------------------------------------------------------


@pytest.mark.parametrize("reply", [PLAIN, CALLS, REFUSED, THOUGHT, CITED, CUT])
def test_what_a_plain_style_lets_through_is_the_reply_itself(reply: Reply) -> None:
    assert DIALECT.expected(reply, {}, stream=True) == reply


@pytest.mark.parametrize("option", ["null", "absent"])
def test_a_style_without_usage_tells_none(option: str) -> None:
    assert DIALECT.expected(PLAIN, {"usage": option}, stream=True).usage is None


@pytest.mark.parametrize(
    ("details", "usage"),
    [
        ("all", Usage(3, 4, 7, 0, 0)),
        ("cached_only", Usage(3, 4, 7, 0, None)),
        ("as_counted", Usage(3, 4, 7, None, None)),
        ("null", Usage(3, 4, 7, None, None)),
    ],
)
def test_zeros_are_told_where_the_details_are(details: str, usage: Usage) -> None:
    reply = Reply((Text("x"),), usage=Usage(3, 4))
    assert DIALECT.expected(reply, {"usage_details": details}, stream=True).usage == usage


def test_a_server_that_calls_a_cut_reply_completed_hides_the_limit() -> None:
    told = DIALECT.expected(CUT_TEXT, {"cut_status": "completed"}, stream=False)
    assert (told.stop, told.wire_stop) == ("end_turn", None)


def test_arguments_that_are_cut_are_never_called_complete() -> None:
    assert DIALECT.expected(CUT, {"cut_status": "completed"}, stream=True).stop == "max_tokens"


def test_a_refusal_in_a_completed_response_means_that_the_content_was_filtered() -> None:
    told = DIALECT.expected(Reply((Refusal("No."),), "end_turn"), {}, stream=True)
    assert (told.stop, told.wire_stop) == ("content_filtered", "completed")
    assert told == DIALECT.expected(replace(REFUSED, usage=None, blocks=told.blocks), {}, stream=True)


def test_citations_keep_what_annotations_have_a_place_for() -> None:
    quoted = Citation("T", "the words", {"web": {"url": "https://example.com", "domain": "example.com"}})
    told = DIALECT.expected(Reply((Text("x", (quoted,)),)), {}, stream=True)
    assert told.blocks == (Text("x", (Citation("T", None, {"web": {"url": "https://example.com"}}),)),)


def test_parts_of_an_item_of_reasoning_are_paragraphs() -> None:
    reply = Reply((Reasoning("One. Two.", "c2ln"), Text("So.")))
    told = DIALECT.expected(reply, {"reasoning_told_in": "two_parts"}, stream=True)
    assert told.blocks == (Reasoning("One.\n\n Two.", "c2ln"), Text("So."))


# --- whose signature counts -----------------------------------------------------------------------------------------


def reasoning(seal: str | None) -> str:
    return json.dumps(
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}], "encrypted_content": seal}
    )


@pytest.mark.parametrize(
    ("done", "final", "seal"),
    [(reasoning("at once"), reasoning("anew"), "at once"), (None, reasoning("anew"), "anew")],
)
@pytest.mark.parametrize("message", ["", ',{"type":"message","content":[{"type":"output_text","text":"So."}]}'])
def test_the_signature_is_that_of_the_item_as_it_was_done(
    done: str | None, final: str, seal: str, message: str
) -> None:
    events = [
        '{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"Hm."}',
        *([f'{{"type":"response.output_item.done","output_index":0,"item":{done}}}'] if done else []),
        '{"type":"response.output_text.delta","output_index":1,"content_index":0,"delta":"So."}',
        f'{{"type":"response.completed","response":{{"status":"completed","output":[{final}{message}]}}}}',
    ]
    body = "".join(f"data: {event}\n\n" for event in events).encode()
    assert DIALECT.decode(body, stream=True).blocks == (Reasoning("Hm.", seal), Text("So."))


# --- what it refuses ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        Reply((Text(""),)),
        Reply((Reasoning(""),)),
        Reply((Text("a", (Citation("t", None, {"documentChar": {"documentIndex": 0, "start": 0, "end": 1}}),)),)),
        Reply((RedactedReasoning(b"x"),)),
        Reply((Text("a"),), latency_ms=3),
        Reply((Text("a"),), "guardrail_intervened"),
        Reply((ToolUse.of(IDS[0], "f", {}),), "end_turn"),
        Reply((ToolUse(IDS[0], "f", "{}", "c2ln"),), "tool_use"),
    ],
)
def test_a_reply_outside_the_shape_is_refused(reply: Reply) -> None:
    with pytest.raises(ValueError, match=r"Responses API|empty block|says '"):
        DIALECT.encode(reply, {}, stream=True)


@pytest.mark.parametrize("style", [{"usage": "nowhere"}, {"colour": "red"}])
def test_an_unknown_style_is_refused(style: Style) -> None:
    with pytest.raises(ValueError, match="no style of the Responses API"):
        DIALECT.encode(PLAIN, style, stream=True)


DONE = b'"response":{"output":[],"status":"completed"}'
DELTA = b'"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta"'


@pytest.mark.parametrize(
    ("body", "stream"),
    [
        (b'data: {"type":"error","code":"x","message":"y"}\n\n', True),
        (b'data: {"type":"error","error":{"message":"y"}}\n\n', True),
        (b'data: {"type":"response.failed","response":{"status":"failed","error":{"code":"x"}}}\n\n', True),
        (b"data: not json\n\n", True),
        (b"data: [DONE]\n\n", True),
        (b'data: {"type":"response.completed","response":{"output":[],"status":"in_progress"}}\n\n', True),
        (b'{"error":{"message":"x"}}', False),
        (b'{"output":[],"status":"failed","error":{"code":"x"}}', False),
        (b'{"output":[],"status":"incomplete","incomplete_details":{"reason":"never heard of"}}', False),
        (b'{"choices":[]}', False),
        (b"<html></html>", False),
        (b"[]", False),
    ],
)
def test_what_is_no_reply_is_not_read_as_one(body: bytes, stream: bool) -> None:
    with pytest.raises(DecodeError):
        DIALECT.decode(body, stream=stream)


@pytest.mark.parametrize(
    "events",
    [
        [b'{"type":"response.output_text.done","item_id":"m","output_index":0,"content_index":0,"text":"abd"}'],
        [
            b'{"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":'
            b'[{"type":"output_text","text":"abd"}]}}'
        ],
        [
            b'{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","content":'
            b'[{"type":"output_text","text":"abd"}]}]}}'
        ],
    ],
)
def test_words_that_contradict_the_deltas_are_no_reply(events: list[bytes]) -> None:
    told = [b"{" + DELTA + b':"abc"}', *events, b'{"type":"response.completed",' + DONE + b"}"]
    with pytest.raises(DecodeError, match="abd"):
        DIALECT.decode(b"".join(b"data: %b\n\n" % event for event in told), stream=True)
