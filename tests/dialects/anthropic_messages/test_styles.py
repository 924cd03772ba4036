import json
import re
from dataclasses import fields, replace

import pytest
from hypothesis import given

from harness.dialects.anthropic_messages import DIALECT
from harness.dialects.anthropic_messages.styles import AXES, AXIS_NAMES, Choices
from harness.dialects.base import Axis, Style
from harness.dialects.reply import Reply, Text, Usage
from harness.wire.sse import SseDecoder, SseEvent, encode_sse
from tests.dialects.anthropic_messages.replies import RICH, STYLES, replies
from tests.shared import SHARED, needs_shared


def events(reply: Reply, style: Style) -> list[SseEvent]:
    return SseDecoder().feed(DIALECT.encode(reply, style, stream=True).body)


def names(reply: Reply, style: Style) -> list[str | None]:
    return [event.event for event in events(reply, style)]


def datas(reply: Reply, style: Style, name: str) -> list[dict[str, object]]:
    return [json.loads(event.data) for event in events(reply, style) if event.event == name]


def test_choices_and_axes_have_the_same_names() -> None:
    assert AXIS_NAMES == tuple(field.name for field in fields(Choices)) == tuple(axis.name for axis in AXES)


#: options that say nothing of their own in a whole body
STREAM_ONLY = {("unknown", "event"), ("unknown", "delta")}
#: a reply whose cache counters are unused, so that the axis for such has something to say
UNUSED_CACHE = replace(RICH, usage=Usage(21, 9))


@pytest.mark.parametrize("axis", AXES, ids=lambda axis: axis.name)
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
def test_every_option_says_it_in_other_bytes(axis: Axis, stream: bool) -> None:
    told = [
        DIALECT.encode(UNUSED_CACHE, {axis.name: option}, stream=stream).body
        for option in axis.names
        if stream or (axis.name, option) not in STREAM_ONLY
    ]
    applies = axis.streamed if stream else axis.whole
    assert len(set(told)) == (len(told) if applies else 1)


@needs_shared
def test_evidence_names_what_exists() -> None:
    reports = {
        json.loads(line)["id"] for line in (SHARED / "data/adapter_bugs.jsonl").read_text(encoding="utf-8").splitlines()
    }
    evidence = [option.evidence for axis in AXES for option in axis.options]
    for path in (words for words in evidence if "__" in words):
        assert (SHARED / "corpus" / path).is_file()
    for report in (found for words in evidence for found in re.findall(r"[\w-]+#\d+", words)):
        assert report in reports


@given(reply=replies())
def test_frames_are_those_of_the_wire_layer(reply: Reply) -> None:
    for style in ({"padding": "none"}, {"padding": "none", "framing": "crlf"}):
        newline = "\r\n" if "framing" in style else "\n"
        for frame in DIALECT.encode(reply, style, stream=True).frames:
            (event,) = SseDecoder().feed(frame)
            assert encode_sse(event, newline=newline) == frame  # type: ignore[arg-type]


def test_each_frame_is_one_event_whose_name_is_its_type() -> None:
    for style in STYLES:
        for frame in DIALECT.encode(RICH, style, stream=True).frames:
            (event,) = SseDecoder().feed(frame)
            assert event.event == json.loads(event.data)["type"]


def test_padding_varies_from_event_to_event_and_leaves_the_value_alone() -> None:
    padded = [event.data for event in events(RICH, {"ping": "none"})]
    plain = [event.data for event in events(RICH, {"ping": "none", "padding": "none"})]
    assert list(map(json.loads, padded)) == list(map(json.loads, plain))
    pads = {len(one) - len(other) for one, other in zip(padded, plain, strict=True)}
    assert min(pads) == 0
    assert max(pads) == 15


@pytest.mark.parametrize(
    ("ping", "places"),
    [("none", []), ("second", [1]), ("third", [2])],
)
def test_pings_come_where_they_were_recorded(ping: str, places: list[int]) -> None:
    found = [place for place, name in enumerate(names(RICH, {"ping": ping})) if name == "ping"]
    assert found == places


def test_pings_between_and_everywhere() -> None:
    between = names(RICH, {"ping": "between"})
    assert all(between[place + 1] == "ping" for place, name in enumerate(between) if name == "content_block_start")
    assert all(between[place + 1] == "ping" for place, name in enumerate(between) if name == "content_block_stop")
    everywhere = names(RICH, {"ping": "everywhere"})
    assert everywhere[1::2] == ["ping"] * (len(everywhere) // 2)
    assert everywhere[-1] == "message_stop"


def test_blocks_can_all_stay_open_to_the_end() -> None:
    told = names(RICH, {"block_stop": "at_end", "ping": "none"})
    first_stop = told.index("content_block_stop")
    assert told[first_stop:] == ["content_block_stop"] * len(RICH.blocks) + ["message_delta", "message_stop"]


@pytest.mark.parametrize("usual", ["text", "arguments"])
def test_characters_are_one_a_delta(usual: str) -> None:
    member, kind = {"text": ("text", "text_delta"), "arguments": ("partial_json", "input_json_delta")}[usual]
    deltas = [each["delta"] for each in datas(RICH, {usual: "characters"}, "content_block_delta")]
    pieces = [delta[member] for delta in deltas if delta["type"] == kind]  # type: ignore[index]
    assert max(map(len, pieces)) == 1
    assert "😀" in pieces or usual == "arguments"


@pytest.mark.parametrize(("option", "fragments"), [("empty_delta", [""]), ("no_delta", []), ("object", ["{}"])])
def test_a_call_without_arguments(option: str, fragments: list[str]) -> None:
    reply = replace(RICH, blocks=RICH.blocks[-1:])
    deltas = datas(reply, {"no_arguments": option}, "content_block_delta")
    assert [each["delta"]["partial_json"] for each in deltas] == fragments  # type: ignore[index]


@pytest.mark.parametrize(
    ("option", "inputs"),
    [("cumulative", (21, 21)), ("output_only", (21, "absent")), ("nulls", (21, None)), ("revised", (10, 21))],
)
def test_where_usage_is_told(option: str, inputs: tuple[object, object]) -> None:
    (start,) = datas(RICH, {"usage": option}, "message_start")
    (end,) = datas(RICH, {"usage": option}, "message_delta")
    first = start["message"]["usage"]  # type: ignore[index]
    last = end["usage"]
    assert (first["input_tokens"], last.get("input_tokens", "absent")) == inputs  # type: ignore[attr-defined]
    assert first["output_tokens"] == 1
    assert last["output_tokens"] == 9  # type: ignore[index]


def test_several_message_deltas_name_the_reason_once() -> None:
    growing = datas(RICH, {"message_delta": "growing"}, "message_delta")
    assert [each["delta"]["stop_reason"] for each in growing] == [None, "tool_use"]  # type: ignore[index]
    stop_first = datas(RICH, {"message_delta": "stop_first"}, "message_delta")
    assert [each["delta"].get("stop_reason") for each in stop_first] == ["tool_use", None]  # type: ignore[attr-defined]
    assert [each["usage"]["output_tokens"] for each in stop_first] == [4, 9]  # type: ignore[index]


@pytest.mark.parametrize("option", ["web_search", "code_execution", "advisor"])
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
def test_blocks_of_server_tools_are_no_part_of_the_reply(option: str, stream: bool) -> None:
    reply = Reply((Text("a"), Text("b")), "end_turn", None, Usage(1, 1))
    body = DIALECT.encode(reply, {"server_tool": option}, stream=stream).body
    assert b'"type":"server_tool_use"' in body
    assert DIALECT.decode(body, stream=stream).blocks == reply.blocks


def test_a_stop_sequence_names_itself_and_a_refusal_explains() -> None:
    for stream in (True, False):
        stopped = DIALECT.encode(replace(RICH, stop="stop_sequence"), {}, stream=stream).body
        assert b'"stop_sequence":"END"' in stopped
        refused = DIALECT.encode(replace(RICH, stop="content_filtered"), {}, stream=stream).body
        assert b'"stop_details":{"type":"refusal"' in refused
