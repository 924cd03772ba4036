"""What is encoded in any style is what is decoded, and only finished replies are."""

import json
from typing import Any

import pytest
from hypothesis import given, settings

from harness.dialects.base import DecodeError, Style
from harness.dialects.gemini_generate import DIALECT, REST_DIALECT
from harness.dialects.reply import Citation, Reasoning, RedactedReasoning, Refusal, Reply, Text, ToolUse, Usage
from harness.wire.sse import SseDecoder
from tests.dialects.gemini_generate.samples import (
    CALLS,
    CUT,
    FILTERED,
    IDS,
    PLAIN,
    SAMPLES,
    THOUGHT,
    USAGE,
    replies,
    single_styles,
    styles,
)

MANY = settings(max_examples=300, deadline=None, derandomize=True)


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
    for style in single_styles(REST_DIALECT.axes):
        decoded = DIALECT.decode(DIALECT.encode(reply, style, stream=stream).body, stream=stream)
        assert decoded == DIALECT.expected(reply, style, stream=stream), style


@MANY
@given(replies(), styles())
def test_losing_the_last_frames_makes_the_reply_unfinished(reply: Reply, style: Style) -> None:
    told = DIALECT.encode(reply, style, stream=True)
    assert told.terminal_frames == (2 if style.get("hollow_chunk") == "behind" else 1)
    with pytest.raises(DecodeError):
        DIALECT.decode(b"".join(told.frames[: -told.terminal_frames]), stream=True)


@pytest.mark.parametrize("at", range(1, len(DIALECT.encode(PLAIN, {}, stream=False).body), 29))
def test_a_cut_whole_reply_is_no_reply(at: int) -> None:
    with pytest.raises(DecodeError):
        DIALECT.decode(DIALECT.encode(PLAIN, {}, stream=False).body[:-at], stream=False)


# --- what expected() lets through -----------------------------------------------------------------------------------


def test_what_a_plain_style_lets_through_is_the_reply_itself() -> None:
    assert DIALECT.expected(CALLS, {}, stream=True) == CALLS
    assert DIALECT.expected(THOUGHT, {}, stream=True) == THOUGHT


@pytest.mark.parametrize("stream", [True, False])
def test_a_call_without_id_is_expected_with_an_empty_one(stream: bool) -> None:
    told = DIALECT.expected(CALLS, {"call_id": "absent"}, stream=stream)
    assert [(made.id, made.signature) for made in told.tools] == [("", "c2ln"), ("", None), ("", None)]


def test_adjacent_words_are_one_block_unless_a_signature_ends_it() -> None:
    blocks = (Text("a"), Text("b"), Reasoning("c"), Reasoning("d", "c2ln"), Reasoning("e"), Text("f"))
    told = DIALECT.expected(Reply(blocks), {}, stream=True)
    assert told.blocks == (Text("ab"), Reasoning("cd", "c2ln"), Reasoning("e"), Text("f"))


def test_arguments_come_back_in_their_normal_form() -> None:
    told = DIALECT.expected(Reply((ToolUse(IDS[0], "f", '{"a" : 1.50}'),), "tool_use"), {}, stream=False)
    assert told.tools[0].arguments == '{"a":1.5}'


def test_a_total_is_always_told_and_zeros_never_are() -> None:
    assert DIALECT.expected(Reply((), usage=Usage(3, 4, None, 0)), {}, stream=True).usage == Usage(3, 4, 7)
    assert DIALECT.expected(Reply((), usage=Usage(0, 0)), {}, stream=True).usage is None


@pytest.mark.parametrize(
    "reply",
    [
        Reply((Refusal("No."),)),
        Reply((RedactedReasoning(b"x"),)),
        Reply((Text(""),)),
        Reply((Text("x", (Citation("t", None, None),)),)),
        Reply((ToolUse(IDS[0], "f", '{"a'),), "max_tokens"),
        Reply((Reasoning("x", "no base64!"),)),
        Reply((ToolUse(IDS[0], "f", "{}", "c2lnbg"),), "tool_use"),
        Reply((Text("x"),), "stop_sequence"),
        Reply((Text("x"),), latency_ms=3),
        Reply((Text("x"),), usage=Usage(1, 1, None, None, 4)),
    ],
)
@pytest.mark.parametrize("stream", [True, False])
def test_what_the_vendor_cannot_say_is_refused(reply: Reply, stream: bool) -> None:
    with pytest.raises(ValueError, match=r"."):
        DIALECT.encode(reply, {}, stream=stream)


@pytest.mark.parametrize("style", [{"unheard": "of"}, {"text": "unheard"}])
def test_an_unknown_style_is_refused(style: Style) -> None:
    with pytest.raises(ValueError, match="no such axis or option"):
        DIALECT.encode(PLAIN, style, stream=True)


# --- the wire -------------------------------------------------------------------------------------------------------


def chunks(reply: Reply, style: Style) -> list[Any]:
    decoder = SseDecoder()
    body = DIALECT.encode(reply, style, stream=True).body
    return [json.loads(event.data) for event in (*decoder.feed(body), *decoder.finish())]


def test_a_finish_reason_comes_once_and_in_the_last_candidate() -> None:
    for style in single_styles():
        told = [chunk["candidates"] for chunk in chunks(THOUGHT, style) if "candidates" in chunk]
        reasons = [[candidate.get("finishReason") for candidate in candidates] for candidates in told]
        assert reasons[-1] == ["STOP"], style
        assert all(earlier == [None] for earlier in reasons[:-1]), style


def test_metadata_alone_may_come_behind_the_last_candidate() -> None:
    *_, last, behind = chunks(THOUGHT, {"hollow_chunk": "behind"})
    assert last["candidates"][0]["finishReason"] == "STOP"
    assert behind == {name: value for name, value in last.items() if name != "candidates"}


def test_usage_grows_to_its_value() -> None:
    written = [
        chunk["usageMetadata"].get("candidatesTokenCount", 0) + chunk["usageMetadata"].get("thoughtsTokenCount", 0)
        for chunk in chunks(THOUGHT, {})
    ]
    assert written == sorted(written)
    assert (written[-1], len(set(written)) > 2) == (35, True)


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("tool", ["none", "web_search"])
@pytest.mark.parametrize("thoughts", ["some", "none", "all"])
def test_counts_add_up_to_the_total(stream: bool, tool: str, thoughts: str) -> None:
    style = {"server_tool": tool, "thoughts": thoughts}
    body = chunks(PLAIN, style)[-1] if stream else json.loads(DIALECT.encode(PLAIN, style, stream=False).body)
    told = body["usageMetadata"]
    counted = ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "toolUsePromptTokenCount")
    assert sum(told.get(name, 0) for name in counted) == told["totalTokenCount"] == 155


def test_a_blocked_prompt_has_no_candidate() -> None:
    body = json.loads(DIALECT.encode(FILTERED, {"blocked": "prompt"}, stream=False).body)
    assert "candidates" not in body
    assert body["promptFeedback"]["blockReason"] == "SAFETY"


@pytest.mark.parametrize("reason", ["OTHER", "JAILBREAK", "MODEL_ARMOR"])
def test_every_block_reason_filters(reason: str) -> None:
    reply = DIALECT.decode(json.dumps({"promptFeedback": {"blockReason": reason}}).encode(), stream=False)
    assert reply == Reply((), "content_filtered", reason)


def test_packing_puts_several_parts_into_a_chunk() -> None:
    lengths = {
        packing: [len(chunk["candidates"][0]["content"]["parts"]) for chunk in chunks(CALLS, {"packing": packing})]
        for packing in ("single", "calls_together", "everything")
    }
    assert lengths == {"single": [1] * 6, "calls_together": [1, 1, 1, 3], "everything": [6]}


def test_arguments_in_pieces_name_their_places() -> None:
    told = [
        part for chunk in chunks(CALLS, {"arguments": "partial"}) for part in chunk["candidates"][0]["content"]["parts"]
    ]
    items = [item for part in told for item in part.get("functionCall", {}).get("partialArgs", ())]
    assert {"$.city", "$.days[0]", "$['it\\'s'].deep[1]", "$['a.b']"} <= {item["jsonPath"] for item in items}
    assert [
        part for part in told if part.get("functionCall", {}).get("willContinue") and "name" in part["functionCall"]
    ]


def test_numbers_stand_for_enums() -> None:
    body = json.loads(DIALECT.encode(CUT, {"enums": "numbers", "service": "rated"}, stream=False).body)
    assert body["candidates"][0]["finishReason"] == 2
    assert body["candidates"][0]["safetyRatings"][0] == {"category": 8, "probability": 1}
    assert body["usageMetadata"]["promptTokensDetails"] == [{"modality": 1, "tokenCount": USAGE.input}]


def test_a_value_that_nobody_knows_is_no_reply() -> None:
    with pytest.raises(DecodeError, match="SOMETHING"):
        DIALECT.decode(b'{"candidates":[{"finishReason":"SOMETHING"}]}', stream=False)


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"7", b'"x"', b'{"candidates":[{"content":{"parts":[7]}}]}', b"data: 7\n\n"]
)
@pytest.mark.parametrize("stream", [True, False])
def test_what_is_no_reply_is_refused(body: bytes, stream: bool) -> None:
    with pytest.raises(DecodeError):
        DIALECT.decode(body, stream=stream)
