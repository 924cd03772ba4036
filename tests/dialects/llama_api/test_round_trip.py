"""What is said in any style is what is read, and errors break a stream off."""

import json
from typing import Any

import pytest
from hypothesis import given

from harness.dialects.base import DecodeError, ErrorClass, Style, VendorError
from harness.dialects.llama_api import DIALECT
from harness.dialects.reply import Citation, Reasoning, Refusal, Reply, Text, ToolUse, Usage
from tests.dialects.llama_api.samples import CALLS, PLAIN, SAMPLES
from tests.dialects.openai_chat.samples import styles
from tests.dialects.relatives import MANY, documents, replies, single_styles

STREAMED = [error for error in DIALECT.errors if error.in_stream]


@MANY
@given(replies(DIALECT), styles(DIALECT.axes))
@pytest.mark.parametrize("stream", [True, False])
def test_reply_survives_any_style(stream: bool, reply: Reply, style: Style) -> None:
    body = DIALECT.encode(reply, style, stream=stream).body
    assert DIALECT.decode(body, stream=stream) == DIALECT.expected(reply, style, stream=stream)


@MANY
@given(replies(DIALECT), styles(DIALECT.axes))
def test_losing_the_terminal_frames_makes_the_reply_unfinished(reply: Reply, style: Style) -> None:
    told = DIALECT.encode(reply, style, stream=True)
    assert 1 <= told.terminal_frames <= len(told.frames)
    with pytest.raises(DecodeError, match="without a stop_reason"):
        DIALECT.decode(b"".join(told.frames[: -told.terminal_frames]), stream=True)


def events(reply: Reply, style: Style) -> list[Any]:
    body = DIALECT.encode(reply, style, stream=True).body
    return [json.loads(document)["event"] for document in documents(body, stream=True)]


def test_a_stream_starts_goes_on_completes_and_is_measured() -> None:
    told = events(PLAIN, {})
    assert [event["event_type"] for event in told] == ["start", *3 * ["progress"], "complete", "metrics"]
    assert [event.get("stop_reason") for event in told] == [*4 * [None], "stop", None]
    assert {metric["metric"]: metric["value"] for metric in told[-1]["metrics"]} == {
        "num_prompt_tokens": 38,
        "num_completion_tokens": 37,
        "num_total_tokens": 75,
    }


def test_the_first_fragment_of_a_call_can_hold_all_its_arguments() -> None:
    deltas = [event["delta"] for event in events(CALLS, {"arguments": "whole"})]
    functions = [delta["function"] for delta in deltas if delta["type"] == "tool_call"]
    assert functions == [{"name": call.name, "arguments": call.arguments} for call in CALLS.tools]


def test_no_metrics_tell_no_usage_and_without_the_total_none_is_known() -> None:
    assert DIALECT.expected(PLAIN, {"metrics": "absent"}, stream=True).usage is None
    assert DIALECT.expected(PLAIN, {"metrics_total": "absent"}, stream=False).usage == Usage(38, 37)
    counted = DIALECT.expected(Reply((Text("x"),), usage=Usage(3, 4, None, 2)), {}, stream=True)
    assert counted.usage == Usage(3, 4, 7)


def test_bytes_differ_where_styles_do() -> None:
    usual = {stream: DIALECT.encode(CALLS, {}, stream=stream).body for stream in (True, False)}
    for axis in DIALECT.axes:
        for name in axis.names[1:]:
            told = {stream: DIALECT.encode(CALLS, {axis.name: name}, stream=stream).body for stream in (True, False)}
            # An error's form shows in errors, and a reply with text and calls nothing of how missing ones are told.
            if axis.name not in ("error", "no_text", "no_calls"):
                changed = {stream for stream in (True, False) if told[stream] != usual[stream]}
                assert changed == {stream for stream in (True, False) if (axis.streamed if stream else axis.whole)}, (
                    axis
                )


@pytest.mark.parametrize(
    "reply",
    [
        Reply((Text("a"), Text("b"))),
        Reply((ToolUse.of("c", "f", {}), Text("b")), "tool_use"),
        Reply((Text(""),)),
        Reply((Text("a", (Citation("t", None, None),)),)),
        Reply((Reasoning("a"),)),
        Reply((Refusal("a"),)),
        Reply((Text("a"),), latency_ms=3),
        Reply((Text("a"),), "content_filtered"),
    ],
)
def test_a_reply_outside_the_shape_is_refused(reply: Reply) -> None:
    with pytest.raises(ValueError, match=r"Llama API|finish_reason"):
        DIALECT.encode(reply, {}, stream=True)


@pytest.mark.parametrize("style", [{"start": "late"}, {"colour": "red"}])
def test_an_unknown_style_is_refused(style: Style) -> None:
    with pytest.raises(ValueError, match="no style of the Llama API"):
        DIALECT.encode(PLAIN, style, stream=True)


@pytest.mark.parametrize(
    ("body", "stream"),
    [
        (b'data: {"event":null}\n\n', True),
        (b"data: [DONE]\n\n", True),
        (b'data: {"event":{"delta":{"type":"tool_call","function":{"arguments":"x"}}}}\n\n', True),
        (b'data: {"event":{"stop_reason":"never heard of"}}\n\n', True),
        (b"[]", False),
        (b"<html>", False),
        (b'{"completion_message":{"content":"x"}}', False),
    ],
)
def test_what_is_no_reply_is_not_read_as_one(body: bytes, stream: bool) -> None:
    with pytest.raises(DecodeError):
        DIALECT.decode(body, stream=stream)


# --- errors -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", DIALECT.errors, ids=lambda error: error.id)
def test_an_error_is_told_as_it_is(error: VendorError) -> None:
    told = DIALECT.encode_error(error)
    assert (told.status, told.body) == (error.status, error.body)
    assert json.loads(told.body)["status"] == error.status
    with pytest.raises(DecodeError):
        DIALECT.decode(told.body, stream=False)


def test_the_classes_that_the_service_has() -> None:
    assert {error.error_class for error in DIALECT.errors} == set(ErrorClass) - {ErrorClass.TOOLS_UNSUPPORTED}
    assert {error.error_class for error in STREAMED} == set(ErrorClass) - {ErrorClass.TOOLS_UNSUPPORTED}


@pytest.mark.parametrize("error", STREAMED, ids=lambda error: error.id)
@pytest.mark.parametrize("style", list(single_styles(DIALECT)), ids=str)
def test_a_stream_breaks_off_with_the_error(error: VendorError, style: Style) -> None:
    whole = DIALECT.encode(PLAIN, style, stream=True)
    told = DIALECT.encode_stream_error(error, PLAIN, style, keep=99)
    assert told is not None
    assert told.frames[:-1] == whole.frames[: -whole.terminal_frames]
    with pytest.raises(DecodeError):
        DIALECT.decode(told.body, stream=True)


@pytest.mark.parametrize("reply", SAMPLES)
def test_the_usual_style_lets_everything_through(reply: Reply) -> None:
    assert DIALECT.expected(reply, {}, stream=True) == reply
