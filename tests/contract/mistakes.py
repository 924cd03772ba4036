"""Legal replies with one mistake each: the events, and where the mistake is to be told."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

from tests.contract.streams import (
    DELTAS,
    FOREIGN,
    Event,
    begin,
    begin_tool,
    end,
    metadata,
    numbered,
    put,
    redact,
    replies,
    start,
    stop,
    swap,
    text,
    thought,
    tool_input,
)


class Wrong(NamedTuple):
    """A reply with a mistake. ``at`` is the place of the event at which it shows."""

    events: list[Event]
    at: int


@st.composite
def start_missing(draw: st.DrawFn) -> Wrong:
    return Wrong(draw(replies()).events[1:], 0)


@st.composite
def start_late(draw: st.DrawFn) -> Wrong:
    rest = draw(replies()).events[1:]
    return Wrong(put(rest, draw(st.integers(1, len(rest))), start()), 0)


@st.composite
def early_event(draw: st.DrawFn) -> Wrong:
    reply = replace(draw(replies()), tail=())
    return Wrong([draw(st.sampled_from([redact(), metadata(), end()])), *reply.events], 0)


@st.composite
def start_twice(draw: st.DrawFn) -> Wrong:
    events = draw(replies()).events
    place = draw(st.integers(1, len(events)))
    return Wrong(put(events, place, start()), place)


@st.composite
def wrong_role(draw: st.DrawFn) -> Wrong:
    body = draw(st.sampled_from([{"role": "user"}, {"role": ""}, {"role": None}, {}, {"role": ["assistant"]}]))
    return Wrong(swap(draw(replies()).events, 0, {"messageStart": body}), 0)


@st.composite
def block_unclosed(draw: st.DrawFn) -> Wrong:
    reply = draw(replies(("text",)))
    return Wrong(swap(reply.events, reply.stop_place - 1), reply.stop_place - 1)


@st.composite
def block_overlapped(draw: st.DrawFn) -> Wrong:
    reply = draw(replies(("text", "tool")))
    short = reply.with_events(0, reply.blocks[0].events[:-1])
    return Wrong(short.events, short.place_of(1))


@st.composite
def blocks_interleaved(draw: st.DrawFn) -> Wrong:
    """Two calls at a time, told apart by index: one mistake, however often they take turns."""
    reply = draw(replies(("tool", "tool"), indexed=True))
    left, right = (list(block.events) for block in reply.blocks[:2])
    first = draw(st.integers(1, len(left) - 1))
    mixed = [*left[:first], right.pop(0)]
    left = left[first:]
    while left or right:
        takes_left = bool(left) and (not right or draw(st.booleans()))
        mixed.append((left if takes_left else right).pop(0))
    return Wrong(reply.with_events(0, mixed).with_events(1, ()).events, 1 + first)


@st.composite
def begin_twice(draw: st.DrawFn) -> Wrong:
    reply = draw(replies((draw(st.sampled_from(["text", "tool", "reasoning", "empty"])),), begun=True))
    return Wrong(put(reply.events, 2, reply.events[1]), 2)


@st.composite
def block_unopened(draw: st.DrawFn) -> Wrong:
    reply = draw(replies())
    place = reply.place_of(draw(st.integers(0, len(reply.blocks))))
    return Wrong(put(reply.events, place, end(draw(st.sampled_from([None, 0, 99])))), place)


@st.composite
def index_used_before(draw: st.DrawFn) -> Wrong:
    reply = draw(replies(("text", "tool"), indexed=True))
    first, second = (block.events for block in reply.blocks[:2])
    number = first[-1]["contentBlockStop"]["contentBlockIndex"]
    return Wrong(reply.with_events(1, numbered(second, number)).events, reply.place_of(1))


@st.composite
def index_of_another_block(draw: st.DrawFn) -> Wrong:
    """One or more events in a row name another index: one mistake."""
    reply = draw(replies(("tool",), indexed=True))
    events = reply.blocks[0].events
    first = draw(st.integers(1, len(events) - 1))
    last = draw(st.integers(first + 1, len(events)))
    told = (*events[:first], *numbered(events[first:last], 99), *events[last:])
    return Wrong(reply.with_events(0, told).events, 1 + first)


@st.composite
def delta_of_another_kind(draw: st.DrawFn) -> Wrong:
    """One or more deltas of other kinds: one mistake a block."""
    kind = draw(st.sampled_from(sorted(DELTAS)))
    reply = draw(replies((kind,)))
    block = reply.blocks[0]
    place = draw(st.integers(2 if block.begun and kind != "tool" else 1, len(block.events) - 1))
    foreign = draw(st.lists(st.sampled_from(FOREIGN[kind]), min_size=1, max_size=3))
    return Wrong(reply.with_events(0, put(list(block.events), place, *foreign)).events, 1 + place)


@st.composite
def tool_unbegun(draw: st.DrawFn) -> Wrong:
    return Wrong(swap(draw(replies(("tool",))).events, 1), 1)


@st.composite
def tool_begun_as_text(draw: st.DrawFn) -> Wrong:
    return Wrong(swap(draw(replies(("tool",))).events, 1, begin()), 2)


@st.composite
def tool_unnamed(draw: st.DrawFn) -> Wrong:
    bad = draw(st.sampled_from(["", None, 7, ["x"], b"x"]))
    call = draw(st.sampled_from([{"toolUseId": bad, "name": "add"}, {"toolUseId": "x", "name": bad}]))
    told = draw(st.sampled_from([call, {key: value for key, value in call.items() if value is not bad}]))
    reply = draw(replies(("tool",), indexed=False))
    return Wrong(swap(reply.events, 1, {"contentBlockStart": {"start": {"toolUse": told}}}), 1)


@st.composite
def tool_id_twice(draw: st.DrawFn) -> Wrong:
    reply = draw(replies(("tool", "tool"), indexed=False))
    return Wrong(swap(reply.events, reply.place_of(1), begin_tool("call-0", "other")), reply.place_of(1))


@st.composite
def content_after_stop(draw: st.DrawFn) -> Wrong:
    """Single events, or blocks: one mistake."""
    reply = draw(replies(indexed=False))
    place = reply.stop_place + 1
    return Wrong(put(reply.events, place, *draw(st.sampled_from(LATE))), place)


@st.composite
def event_after_metadata(draw: st.DrawFn) -> Wrong:
    events = replace(draw(replies()), tail=(metadata(),)).events
    late = draw(st.sampled_from([*LATE, (redact(),), (redact(), redact())]))
    return Wrong([*events, *late], len(events))


@st.composite
def stop_twice(draw: st.DrawFn) -> Wrong:
    reply = draw(replies())
    place = draw(st.integers(reply.stop_place + 1, len(reply.events)))
    return Wrong(put(reply.events, place, stop("tool_use")), place)


@st.composite
def stop_missing(draw: st.DrawFn) -> Wrong:
    reply = draw(replies())
    events = swap(reply.events, reply.stop_place)
    return Wrong(events, len(events))


@st.composite
def cut_short(draw: st.DrawFn) -> Wrong:
    reply = draw(replies())
    events = reply.events[: draw(st.integers(0, reply.stop_place))]
    return Wrong(events, len(events))


@st.composite
def metadata_before_stop(draw: st.DrawFn) -> Wrong:
    """It shows when messageStop comes: were there none, its absence would be the mistake."""
    reply = replace(draw(replies()), tail=())
    place = draw(st.integers(1, reply.stop_place))
    return Wrong(put(reply.events, place, metadata()), reply.stop_place + 1)


@st.composite
def metadata_twice(draw: st.DrawFn) -> Wrong:
    events = replace(draw(replies()), tail=(metadata(),)).events
    return Wrong([*events, metadata()], len(events))


@st.composite
def malformed_event(draw: st.DrawFn) -> Wrong:
    """Any event of a reply in a wrong form of its own."""
    events = draw(replies()).events
    place = draw(st.integers(0, len(events) - 1))
    ((key, body),) = events[place].items()
    forms = [*BAD_BODIES.get(key, ()), None, "x", 7, [], [body]]
    if key.startswith("contentBlock"):
        forms += [body | {"contentBlockIndex": index} for index in ("0", -1, 1.0, True, [0])]
    return Wrong(swap(events, place, {key: draw(st.sampled_from(forms))}), place)


@st.composite
def unknown_event(draw: st.DrawFn) -> Wrong:
    events = draw(replies()).events
    place = draw(st.integers(0, len(events)))
    return Wrong(put(events, place, draw(st.sampled_from(UNKNOWN))), place)


@st.composite
def unknown_key(draw: st.DrawFn) -> Wrong:
    events = draw(replies()).events
    place = draw(st.integers(0, len(events) - 1))
    return Wrong(swap(events, place, events[place] | {"ping": {}}), place)


@st.composite
def two_events_in_one(draw: st.DrawFn) -> Wrong:
    events = draw(replies()).events
    pairs = [n for n in range(len(events) - 1) if events[n].keys() != events[n + 1].keys()]
    place = draw(st.sampled_from(pairs))
    return Wrong([*events[:place], events[place] | events[place + 1], *events[place + 2 :]], place)


LATE: Final = (
    (text(),),
    (thought(),),
    (tool_input(),),
    (begin(),),
    (end(),),
    (begin(99), text("a", 99), end(99)),
    (begin_tool("late"), tool_input("{}"), end(), text(), end()),
)

UNKNOWN: Final[tuple[Any, ...]] = ({}, {"ping": {}}, {1: 2}, {None: None}, None, "text", 7, [], [text()], b"", text)

_BAD_STARTS: Final[tuple[Any, ...]] = (
    None,
    "",
    "x",
    [],
    0,
    {"toolUse": ""},
    {"toolUse": "x"},
    {"toolUse": []},
    {"toolUse": 0},
)
_BAD_VALUES: Final[dict[str, tuple[Any, ...]]] = {
    "text": (None, 7, b"a", ["a"]),
    "toolUse": (None, "{}", {}, {"input": None}, {"input": {}}, {"input": b"{}"}),
    "reasoningContent": (
        *(None, "a", {}, {"text": None}, {"signature": b"a"}, {"redactedContent": "YQ=="}, {"other": "a"}),
        {"text": "a", "signature": "b"},
    ),
    "citation": (None, "a", []),
}
_BAD_DELTAS: Final[tuple[Any, ...]] = (
    *(None, "", [], {}, {"image": {}}, {"text": "a", "citation": {}}),
    *({key: bad} for key, values in _BAD_VALUES.items() for bad in values),
)

BAD_BODIES: Final[dict[str, tuple[Any, ...]]] = {
    "contentBlockStart": ({}, *({"start": bad} for bad in _BAD_STARTS)),
    "contentBlockDelta": ({}, *({"delta": bad} for bad in _BAD_DELTAS)),
    "messageStop": ({}, {"stopReason": None}, {"stopReason": ["end_turn"]}),
}

#: every mistake, under the rule that it breaks
MISTAKES: Final[tuple[tuple[str, Callable[[], st.SearchStrategy[Wrong]]], ...]] = (
    ("STREAM-START-FIRST", start_missing),
    ("STREAM-START-FIRST", start_late),
    ("STREAM-START-FIRST", early_event),
    ("STREAM-START-ONCE", start_twice),
    ("STREAM-START-ROLE", wrong_role),
    ("STREAM-BLOCK-UNCLOSED", block_unclosed),
    ("STREAM-BLOCK-OVERLAP", block_overlapped),
    ("STREAM-BLOCK-OVERLAP", blocks_interleaved),
    ("STREAM-BLOCK-OVERLAP", begin_twice),
    ("STREAM-BLOCK-UNOPENED", block_unopened),
    ("STREAM-BLOCK-INDEX", index_used_before),
    ("STREAM-BLOCK-INDEX", index_of_another_block),
    ("STREAM-DELTA-KIND", delta_of_another_kind),
    ("STREAM-TOOL-BEGIN", tool_unbegun),
    ("STREAM-TOOL-BEGIN", tool_begun_as_text),
    ("STREAM-TOOL-IDENTITY", tool_unnamed),
    ("STREAM-TOOL-ID-UNIQUE", tool_id_twice),
    ("STREAM-AFTER-STOP", content_after_stop),
    ("STREAM-AFTER-METADATA", event_after_metadata),
    ("STREAM-STOP-ONCE", stop_twice),
    ("STREAM-STOP-MISSING", stop_missing),
    ("STREAM-STOP-MISSING", cut_short),
    ("STREAM-METADATA-ORDER", metadata_before_stop),
    ("STREAM-METADATA-ONCE", metadata_twice),
    ("STREAM-EVENT-SHAPE", malformed_event),
    ("STREAM-EVENT-SHAPE", unknown_event),
    ("STREAM-EVENT-SHAPE", unknown_key),
    ("STREAM-EVENT-SHAPE", two_events_in_one),
)
