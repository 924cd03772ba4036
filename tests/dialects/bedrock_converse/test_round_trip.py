"""What is encoded is read back, in every style and both modes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.dialects.base import Axis, DecodeError, StopRow, Style
from harness.dialects.bedrock_converse import DIALECT
from harness.dialects.reply import Guardrail, Refusal, Reply, Text, ToolUse, Usage
from tests.dialects.bedrock_converse.replies import NEIGHBOURS, RICH, replies, styles

MODES = pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])


@given(reply=replies(stream=True), style=styles)
@settings(max_examples=300, deadline=None)
def test_a_streamed_reply_is_read_back(reply: Reply, style: Style) -> None:
    told = DIALECT.encode(reply, style, stream=True)
    assert DIALECT.decode(told.body, stream=True) == DIALECT.expected(reply, style, stream=True)


@given(reply=replies(stream=False), style=styles)
@settings(max_examples=300, deadline=None)
def test_a_whole_reply_is_read_back(reply: Reply, style: Style) -> None:
    told = DIALECT.encode(reply, style, stream=False)
    assert DIALECT.decode(told.body, stream=False) == DIALECT.expected(reply, style, stream=False)


@MODES
@pytest.mark.parametrize("style", NEIGHBOURS, ids=str)
@pytest.mark.parametrize("reply", RICH)
def test_every_option_of_every_axis_is_read_back(reply: Reply, style: Style, stream: bool) -> None:
    told = DIALECT.encode(reply, style, stream=stream)
    assert DIALECT.decode(told.body, stream=stream) == DIALECT.expected(reply, style, stream=stream)


@pytest.mark.parametrize("axis", DIALECT.axes, ids=lambda axis: axis.name)
def test_every_option_changes_the_bytes_in_the_modes_its_axis_names(axis: Axis) -> None:
    for stream in (True, False):
        told = {
            tuple(DIALECT.encode(reply, {axis.name: name}, stream=stream).body for reply in RICH) for name in axis.names
        }
        exists = axis.streamed if stream else axis.whole
        assert len(told) == (len(axis.names) if exists else 1)


@given(reply=replies(stream=True), style=styles, data=st.data())
@settings(max_examples=200, deadline=None)
def test_a_stream_that_lost_its_terminal_frames_is_unfinished(reply: Reply, style: Style, data: st.DataObject) -> None:
    told = DIALECT.encode(reply, style, stream=True)
    kept = data.draw(st.integers(0, len(told.frames) - told.terminal_frames))
    with pytest.raises(DecodeError, match="without messageStop"):
        DIALECT.decode(b"".join(told.frames[:kept]), stream=True)


def test_a_stream_that_lost_only_its_metadata_is_finished() -> None:
    told = DIALECT.encode(RICH[0], {}, stream=True)
    read = DIALECT.decode(b"".join(told.frames[:-1]), stream=True)
    assert (read.blocks, read.stop, read.usage) == (RICH[0].blocks, "tool_use", None)


def test_the_total_counts_cached_tokens() -> None:
    """The sums of the recorded caching stream: 12 + 250 + 1028 = 1290."""
    reply = Reply((Text("x"),), usage=Usage(12, 250, None, 1028, 0))
    assert DIALECT.expected(reply, {}, stream=True).usage == Usage(12, 250, 1290, 1028, 0)


@MODES
def test_a_disabled_trace_hides_the_guardrail(stream: bool) -> None:
    reply = Reply((Text("Blocked."),), "guardrail_intervened", guardrail=Guardrail(True, False))
    told = DIALECT.encode(reply, {"guardrail_trace": "disabled"}, stream=stream)
    assert b"trace" not in told.body
    assert DIALECT.decode(told.body, stream=stream).guardrail is None


@MODES
@pytest.mark.parametrize("policy", ["topic", "content", "word", "sensitive", "grounding"])
@pytest.mark.parametrize("guardrail", [Guardrail(True, False), Guardrail(False, True), Guardrail(False, False)])
def test_a_finding_that_blocks_nothing_is_no_block(guardrail: Guardrail, policy: str, stream: bool) -> None:
    reply = Reply((Text("x"),), "end_turn", guardrail=guardrail)
    told = DIALECT.encode(reply, {"guardrail_policy": policy, "guardrail_findings": "observed_too"}, stream=stream)
    assert b'"NONE"' in told.body
    assert DIALECT.decode(told.body, stream=stream).guardrail == guardrail


@pytest.mark.parametrize("row", DIALECT.stops, ids=lambda row: f"{row.wire}-{row.means}")
def test_stop_rows_say_what_decode_reads(row: StopRow) -> None:
    blocks = (ToolUse.of("tooluse_AAAAAAAAAAAAAAAAAAAAAA", "f", {}),) if row.with_tools else (Text("x"),)
    told = DIALECT.encode(Reply(blocks, row.means, row.wire), {}, stream=True)
    assert f'"stopReason":"{row.wire}"'.encode() in told.body
    assert DIALECT.decode(told.body, stream=True).stop == row.means
    assert row.means in row.accepts


def test_what_bedrock_cannot_say_is_refused() -> None:
    with pytest.raises(ValueError, match="no block for Refusal"):
        DIALECT.encode(Reply((Refusal("no"),)), {}, stream=True)
    with pytest.raises(ValueError, match="no stop reason for 'cancelled'"):
        DIALECT.encode(Reply((Text("x"),), "cancelled"), {}, stream=True)
    with pytest.raises(ValueError, match="cannot hold the arguments"):
        DIALECT.encode(Reply((ToolUse("a", "f", '{"x":'),), "max_tokens"), {}, stream=False)
    with pytest.raises(ValueError, match="no option 'loud' of axis 'padding'"):
        DIALECT.encode(Reply((Text("x"),)), {"padding": "loud"}, stream=True)
