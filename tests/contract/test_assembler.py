"""From events to a message."""

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.contract.assembler import BrokenInput, assemble, parse_input
from harness.contract.state import check_events
from tests.contract.hostile import HOSTILE
from tests.contract.streams import (
    Event,
    begin,
    begin_tool,
    citation,
    delta,
    end,
    metadata,
    numbered,
    redact,
    redacted,
    signature,
    start,
    stop,
    text,
    thought,
    tool_input,
)


def content(*events: Event) -> list[Any]:
    return list(assemble([start(), *events, stop()]).message["content"])


def call(call_id: str, value: Any, name: str = "add") -> Any:
    return {"toolUse": {"toolUseId": call_id, "name": name, "input": value}}


def reasoning(words: str, **signed: str) -> Any:
    return {"reasoningContent": {"reasoningText": {"text": words, **signed}}}


EXAMPLES: dict[str, tuple[list[Event], list[Any]]] = {
    "nothing": ([], []),
    "an empty block": ([begin(), end()], []),
    "text in pieces": ([text("Hel"), text(""), text("lo"), end()], [{"text": "Hello"}]),
    "empty text": ([text(""), end()], []),
    "two texts": ([text("a"), end(), text("b"), end()], [{"text": "a"}, {"text": "b"}]),
    "a call": ([begin_tool("1"), tool_input('{"x"'), tool_input(":1}"), end()], [call("1", {"x": 1})]),
    "a call without input": ([begin_tool("1"), end()], [call("1", {})]),
    "a call with blank input": ([begin_tool("1"), tool_input(" \n"), end()], [call("1", {})]),
    "a call that carries a signature": (
        [
            {"contentBlockStart": {"start": {"toolUse": {"toolUseId": "1", "name": "add", "reasoningSignature": "s"}}}},
            end(),
        ],
        [{"toolUse": {"toolUseId": "1", "name": "add", "reasoningSignature": "s", "input": {}}}],
    ),
    "a call named in its delta": (
        [delta({"toolUse": {"input": "{}", "toolUseId": "1", "name": "add"}}), end()],
        [call("1", {})],
    ),
    "a call that nobody named": ([tool_input("{}"), end()], [{"toolUse": {"input": {}}}]),
    "the begin names a call, not its delta": (
        [begin_tool("1"), delta({"toolUse": {"input": "{}", "toolUseId": "2", "name": "sub"}}), end()],
        [call("1", {})],
    ),
    "broken input": ([begin_tool("1"), tool_input('{"x": '), end()], [call("1", BrokenInput('{"x": '))]),
    "reasoning": (
        [thought("a"), thought("b"), signature("c"), signature("d"), end()],
        [reasoning("ab", signature="cd")],
    ),
    "reasoning unsigned": ([thought("a"), end()], [reasoning("a")]),
    "a signature alone": ([signature("c"), end()], [reasoning("", signature="c")]),
    "redacted reasoning": (
        [redacted(b"\x00"), redacted(b"\xff"), end()],
        [{"reasoningContent": {"redactedContent": b"\x00\xff"}}],
    ),
    "cited text": (
        [text("a"), citation("S"), text("b"), citation("T"), end()],
        [{"citationsContent": {"content": [{"text": "ab"}], "citations": [{"title": "S"}, {"title": "T"}]}}],
    ),
    "citations without text": (
        [citation("S"), end()],
        [{"citationsContent": {"content": [], "citations": [{"title": "S"}]}}],
    ),
    "an unclosed block is kept": ([text("a")], [{"text": "a"}]),
    "an overlapped block is kept": (
        [begin_tool("1"), tool_input("{}"), begin(), text("a")],
        [call("1", {}), {"text": "a"}],
    ),
    "mixed kinds are told apart": ([text("a"), thought("b"), text("c"), end()], [reasoning("b"), {"text": "ac"}]),
    "an index told late": ([begin_tool("1"), tool_input("{", 4), tool_input("}"), end(4)], [call("1", {})]),
    "an index told once": ([begin_tool("1", "add", 4), tool_input("{"), tool_input("}"), end()], [call("1", {})]),
    "an index used again": ([text("a", 0), end(0), text("b", 0), end(0)], [{"text": "a"}, {"text": "b"}]),
    "an index used again after an end without": (
        [text("a", 0), end(), text("b", 0), end()],
        [{"text": "a"}, {"text": "b"}],
    ),
    "what can be read of a malformed delta": (
        [delta({"text": "a", "citation": {}, "toolUse": None}), end()],
        [{"citationsContent": {"content": [{"text": "a"}], "citations": [{}]}}],
    ),
    "two events in one": ([text("a") | end(), text("b"), end()], [{"text": "a"}, {"text": "b"}]),
    "nothing of a malformed delta": (
        [text("a"), delta({"text": 7}), delta({"text": None}), text("b"), end()],
        [{"text": "ab"}],
    ),
    "a call whose start cannot be read": (
        [{"contentBlockStart": {"start": {"toolUse": "x"}}}, tool_input("{}"), end()],
        [{"toolUse": {"input": {}}}],
    ),
}


@pytest.mark.parametrize(("events", "wanted"), EXAMPLES.values(), ids=EXAMPLES)
def test_examples(events: list[Event], wanted: list[Any]) -> None:
    assert content(*events) == wanted


INPUTS: dict[str, tuple[str, Any]] = {
    "an object": ('{"a": [1, null, "ü"]}', {"a": [1, None, "ü"]}),
    "escapes": (r'{"a": "\u00fc\ud83d\ude00"}', {"a": "ü😀"}),
    "empty": ("", {}),
    "white space": ("\t\r\n ", {}),
    "cut": ('{"a": 1', BrokenInput('{"a": 1')),
    "two objects": ("{}{}", BrokenInput("{}{}")),
    "an array": ("[]", BrokenInput("[]")),
    "null": ("null", BrokenInput("null")),
    "a string that holds an object": ('"{}"', BrokenInput('"{}"')),
    "a number that JSON does not know": ('{"a": NaN}', BrokenInput('{"a": NaN}')),
    "infinity": ('{"a": -Infinity}', BrokenInput('{"a": -Infinity}')),
    "deeper than Python reads": ('{"a":' * 100_000, BrokenInput('{"a":' * 100_000)),
}


@pytest.mark.parametrize(("words", "wanted"), INPUTS.values(), ids=INPUTS)
def test_tool_input(words: str, wanted: Any) -> None:
    assert parse_input(words) == wanted


JSON_OBJECTS: st.SearchStrategy[Any] = st.dictionaries(
    st.text(max_size=4),
    st.none() | st.integers() | st.text(max_size=5) | st.lists(st.booleans(), max_size=3),
    max_size=3,
)
CITATIONS = st.lists(st.fixed_dictionaries({"title": st.text(max_size=3)}), min_size=1, max_size=2)

BLOCKS: st.SearchStrategy[Any] = st.one_of(
    st.builds(lambda words: {"text": words}, st.text(min_size=1, max_size=12)),
    st.builds(call, st.uuids().map(str), JSON_OBJECTS, st.sampled_from(["add", "sub"])),
    st.builds(reasoning, st.text(max_size=9)),
    st.builds(
        lambda words, sign: reasoning(words, signature=sign), st.text(max_size=9), st.text(min_size=1, max_size=9)
    ),
    st.builds(lambda data: {"reasoningContent": {"redactedContent": data}}, st.binary(max_size=9)),
    st.builds(
        lambda words, cited: {"citationsContent": {"content": [{"text": words}], "citations": cited}},
        st.text(min_size=1, max_size=9),
        CITATIONS,
    ),
)


@st.composite
def pieces(draw: st.DrawFn, whole: Any) -> list[Any]:
    """A text or bytes, cut anywhere, also into empty pieces."""
    cuts = draw(st.lists(st.integers(0, len(whole)), max_size=4))
    return [whole[a:b] for a, b in pairwise([0, *sorted(cuts), len(whole)])]


@st.composite
def told(draw: st.DrawFn, block: Any, index: int | None) -> list[Event]:
    """The events of one block, as a fragmenting adapter may tell them."""
    match block:
        case {"toolUse": tool}:
            words = draw(pieces(json.dumps(tool["input"], ensure_ascii=draw(st.booleans()))))
            events = [begin_tool(tool["toolUseId"], tool["name"]), *map(tool_input, words)]
        case {"text": words}:
            events = list(map(text, draw(pieces(words))))
        case {"reasoningContent": {"redactedContent": data}}:
            events = list(map(redacted, draw(pieces(data))))
        case {"reasoningContent": {"reasoningText": {"signature": sign, "text": words}}}:
            events = [*map(thought, draw(pieces(words))), *map(signature, draw(pieces(sign)))]
        case {"reasoningContent": {"reasoningText": {"text": words}}}:
            events = list(map(thought, draw(pieces(words))))
        case {"citationsContent": {"content": [{"text": words}], "citations": cited}}:
            events = list(map(text, draw(pieces(words))))
            for n, source in enumerate(cited):
                events.insert(draw(st.integers(n, len(events))), delta({"citation": source}))
    opens = [] if "toolUse" in block or draw(st.booleans()) else [begin()]
    return list(numbered([*opens, *events, end()], index))


def _comparable(blocks: list[Any]) -> list[Any]:
    """Citations in the order in which they came: here any, since the strategy moves them."""
    return [
        {**block, "citationsContent": {**cited, "citations": sorted(cited["citations"], key=repr)}}
        if (cited := block.get("citationsContent"))
        else block
        for block in blocks
    ]


@given(st.lists(BLOCKS, max_size=4), st.booleans(), st.data())
def test_any_content_is_put_together_again_from_any_fragments(
    blocks: list[Any], indexed: bool, data: st.DataObject
) -> None:
    parts = [data.draw(told(block, n if indexed else None)) for n, block in enumerate(blocks)]
    assembled = assemble([start(), *(event for part in parts for event in part), stop("tool_use"), metadata()])
    assert _comparable(list(assembled.message["content"])) == _comparable(blocks)
    assert assembled.violations == []
    assert assembled.message["role"] == "assistant"
    assert (assembled.stop_reason, assembled.usage) == ("tool_use", metadata()["metadata"]["usage"])


def _in_turns(data: st.DataObject, parts: list[list[Event]]) -> Iterator[Event]:
    left = [list(part) for part in parts]
    while left := [part for part in left if part]:
        yield data.draw(st.sampled_from(left)).pop(0)


@given(st.lists(BLOCKS, min_size=2, max_size=3), st.data())
def test_interleaved_blocks_are_kept_apart_by_index(blocks: list[Any], data: st.DataObject) -> None:
    parts = [data.draw(told(block, n)) for n, block in enumerate(blocks)]
    events = [start(), *(part.pop(0) for part in parts), *_in_turns(data, parts), stop()]
    assert _comparable(list(assemble(events).message["content"])) == _comparable(blocks)


def test_metadata_redactions_and_trace_are_kept() -> None:
    told_last: Event = {"metadata": {"metrics": {"latencyMs": 3}, "trace": {"guardrail": {}}}}
    assembled = assemble([start(), redact(), stop("max_tokens"), metadata(), told_last])
    assert assembled.usage == metadata()["metadata"]["usage"]
    assert (assembled.metrics, assembled.trace) == ({"latencyMs": 3}, {"guardrail": {}})
    assert assembled.redactions == [redact()["redactContent"]]
    assert assembled.stop_reason == "max_tokens"


def test_a_stop_reason_that_is_no_text_is_none() -> None:
    assert assemble([start(), {"messageStop": {"stopReason": ["end_turn"]}}]).stop_reason is None  # type: ignore[typeddict-item]


@given(st.lists(HOSTILE, max_size=6))
def test_no_event_makes_the_assembler_raise(events: list[Any]) -> None:
    assembled = assemble(events)
    assert assembled.message["role"] == "assistant"
    assert all(isinstance(block, dict) and len(block) == 1 for block in assembled.message["content"])
    assert assembled.violations == check_events(events)
