import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.dialects.anthropic_messages import DIALECT
from harness.dialects.base import DecodeError, Style
from harness.dialects.reply import Guardrail, Reasoning, Refusal, Reply, Text, ToolUse, Usage
from tests.dialects.anthropic_messages.replies import RICH, STYLES, replies, styles

MODES = pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])


@MODES
@given(reply=replies(), style=styles)
def test_what_was_encoded_decodes_to_what_is_expected(reply: Reply, style: Style, stream: bool) -> None:
    body = DIALECT.encode(reply, style, stream=stream).body
    assert DIALECT.decode(body, stream=stream) == DIALECT.expected(reply, style, stream=stream)


@MODES
@given(reply=replies(), style=styles)
def test_expected_adds_and_takes_nothing_but_normal_form(reply: Reply, style: Style, stream: bool) -> None:
    expected = DIALECT.expected(reply, style, stream=stream)
    assert [type(block) for block in expected.blocks] == [type(block) for block in reply.blocks]
    assert [call.input for call in expected.tools] == [call.input for call in reply.tools]
    assert [block for block in expected.blocks if not isinstance(block, ToolUse)] == [
        block for block in reply.blocks if not isinstance(block, ToolUse)
    ]
    assert expected.stop == reply.stop
    assert expected.usage is not None
    assert reply.usage is not None
    assert (expected.usage.input, expected.usage.output) == (reply.usage.input, reply.usage.output)
    assert (expected.usage.cache_read or 0) == (reply.usage.cache_read or 0)


@pytest.mark.parametrize("cut", ['{"city":"Zür', '{"a":', "{"])
def test_arguments_cut_by_the_length_limit_survive_a_stream(cut: str) -> None:
    reply = Reply((ToolUse("toolu_1", "f", cut),), "max_tokens", None, Usage(1, 1))
    for style in STYLES:
        assert DIALECT.decode(DIALECT.encode(reply, style, stream=True).body, stream=True).tools[0].arguments == cut
    with pytest.raises(ValueError, match=r"Expecting|Unterminated"):
        DIALECT.encode(reply, {}, stream=False)


@pytest.mark.parametrize("row", DIALECT.stops, ids=lambda row: row.wire)
@MODES
def test_every_stop_value_reaches_the_wire_and_comes_back(row: object, stream: bool) -> None:
    wire = row.wire  # type: ignore[attr-defined]
    means = row.means  # type: ignore[attr-defined]
    reply = replace(RICH, stop=means, wire_stop=wire)
    body = DIALECT.encode(reply, {}, stream=stream).body
    assert f'"stop_reason":"{wire}"'.encode() in body
    decoded = DIALECT.decode(body, stream=stream)
    assert decoded.stop == means
    assert decoded.wire_stop in (wire, None)
    assert DIALECT.encode(decoded, {}, stream=stream).body == body


def test_stop_rows_are_one_a_value_and_accept_what_they_mean() -> None:
    wires = [row.wire for row in DIALECT.stops]
    assert len(set(wires)) == len(wires)
    assert all(row.means in row.accepts for row in DIALECT.stops)


@pytest.mark.parametrize(
    "reply",
    [
        replace(RICH, usage=None),
        replace(RICH, usage=Usage(1, 1, total=2)),
        replace(RICH, latency_ms=3),
        replace(RICH, guardrail=Guardrail(True, False)),
        replace(RICH, stop="cancelled"),
        replace(RICH, blocks=(Refusal("no"),)),
        replace(RICH, blocks=(Reasoning("unsigned"),)),
        replace(RICH, blocks=(Text("x", (RICH.blocks[3].citations[0].__class__("t", "s", None),)),)),  # type: ignore[union-attr]
    ],
    ids=["no usage", "total", "latency", "guardrail", "stop", "refusal", "unsigned", "no location"],
)
@MODES
def test_a_reply_outside_the_shape_is_refused(reply: Reply, stream: bool) -> None:
    with pytest.raises(ValueError, match="this vendor"):
        DIALECT.encode(reply, {}, stream=stream)


@pytest.mark.parametrize("style", [{"text": "sideways"}, {"colour": "red"}])
def test_a_style_that_does_not_exist_is_refused(style: Style) -> None:
    with pytest.raises(ValueError, match="no such axis or option"):
        DIALECT.encode(RICH, style, stream=True)


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_a_stream_that_lacks_its_end_is_unfinished(style: Style) -> None:
    wire = DIALECT.encode(RICH, style, stream=True)
    for kept in range(len(wire.frames)):
        with pytest.raises(DecodeError):
            DIALECT.decode(b"".join(wire.frames[:kept]), stream=True)
    assert wire.terminal_frames == 1


@given(data=st.data())
def test_a_whole_body_that_is_cut_is_no_reply(data: st.DataObject) -> None:
    body = DIALECT.encode(RICH, {}, stream=False).body
    cut = data.draw(st.integers(0, len(body) - 1))
    with pytest.raises(DecodeError):
        DIALECT.decode(body[:cut], stream=False)


START = (
    '{"type":"message_start","message":{"content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}'
)
OPEN = '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'
DELTA = '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}'
WRONG = '{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"x"}}'
CLOSE = '{"type":"content_block_stop","index":0}'
END = '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}'
NULL_END = '{"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":2}}'
STOP = '{"type":"message_stop"}'


@pytest.mark.parametrize(
    "events",
    [
        [OPEN, DELTA, CLOSE, END, STOP],
        [START, START, OPEN, CLOSE, END, STOP],
        [START, OPEN, OPEN, CLOSE, END, STOP],
        [START, DELTA, OPEN, CLOSE, END, STOP],
        [START, OPEN, CLOSE, CLOSE, END, STOP],
        [START, OPEN, WRONG, CLOSE, END, STOP],
        [START, OPEN, DELTA, END, STOP],
        [START, OPEN, CLOSE, STOP],
        [START, OPEN, CLOSE, NULL_END, STOP],
        [START, OPEN, CLOSE, END, STOP, END],
        [START, "[]", STOP],
        [START, "nonsense", STOP],
    ],
    ids=range(12),
)
def test_a_stream_in_a_wrong_order_is_no_reply(events: list[str]) -> None:
    body = "".join(f"event: {json.dumps(event)[:5]}\ndata: {event}\n\n" for event in events)
    with pytest.raises(DecodeError):
        DIALECT.decode(body.encode(), stream=True)


def test_the_order_that_those_break_is_a_reply() -> None:
    body = "".join(f"data: {event}\n\n" for event in [START, OPEN, DELTA, CLOSE, END, STOP])
    assert DIALECT.decode(body.encode(), stream=True) == Reply((Text("x"),), "end_turn", None, Usage(1, 2))


def test_a_later_null_overwrites_nothing() -> None:
    nulls = '{"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":null,"input_tokens":null}}'
    body = "".join(f"data: {event}\n\n" for event in [START, OPEN, DELTA, CLOSE, END, nulls, STOP])
    assert DIALECT.decode(body.encode(), stream=True) == Reply((Text("x"),), "end_turn", None, Usage(1, 2))
