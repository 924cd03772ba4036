"""Events in short, and strategies that tell legal replies."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

#: a StreamEvent, or what claims to be one
Event = Any


def start(role: str = "assistant") -> Event:
    return {"messageStart": {"role": role}}


def begin(index: int | None = None) -> Event:
    return {"contentBlockStart": {"start": {}} | at(index)}


def begin_tool(call_id: Any, name: Any = "add", index: int | None = None) -> Event:
    return {"contentBlockStart": {"start": {"toolUse": {"toolUseId": call_id, "name": name}}} | at(index)}


def delta(body: Any, index: int | None = None) -> Event:
    return {"contentBlockDelta": {"delta": body} | at(index)}


def text(words: str = "a", index: int | None = None) -> Event:
    return delta({"text": words}, index)


def tool_input(fragment: str = "", index: int | None = None) -> Event:
    return delta({"toolUse": {"input": fragment}}, index)


def thought(words: str = "a", index: int | None = None) -> Event:
    return delta({"reasoningContent": {"text": words}}, index)


def signature(words: str = "a", index: int | None = None) -> Event:
    return delta({"reasoningContent": {"signature": words}}, index)


def redacted(data: bytes = b"a", index: int | None = None) -> Event:
    return delta({"reasoningContent": {"redactedContent": data}}, index)


def citation(title: str = "a", index: int | None = None) -> Event:
    return delta({"citation": {"title": title}}, index)


def end(index: int | None = None) -> Event:
    return {"contentBlockStop": at(index)}


def stop(reason: str = "end_turn") -> Event:
    return {"messageStop": {"stopReason": reason}}


def metadata() -> Event:
    return {"metadata": {"usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}}}


def redact() -> Event:
    return {"redactContent": {"redactUserContentMessage": "no"}}


def at(index: int | None) -> dict[str, Any]:
    return {} if index is None else {"contentBlockIndex": index}


@dataclass(frozen=True)
class Told:
    """One block as it is told: its kind, and its events."""

    kind: str
    events: tuple[Event, ...]

    @property
    def begun(self) -> bool:
        return "contentBlockStart" in self.events[0]


@dataclass(frozen=True)
class Reply:
    """A legal reply in its parts. ``tail`` is what follows messageStop."""

    blocks: tuple[Told, ...] = ()
    tail: tuple[Event, ...] = ()

    @property
    def events(self) -> list[Event]:
        return [start(), *(event for block in self.blocks for event in block.events), stop(), *self.tail]

    @property
    def stop_place(self) -> int:
        """Where messageStop stands."""
        return self.place_of(len(self.blocks))

    def place_of(self, block: int) -> int:
        """Where a block's first event stands."""
        return 1 + sum(len(told.events) for told in self.blocks[:block])

    def with_events(self, block: int, events: Iterable[Event]) -> "Reply":
        """The reply with other events in one block."""
        blocks = list(self.blocks)
        blocks[block] = replace(blocks[block], events=tuple(events))
        return replace(self, blocks=tuple(blocks))


DELTAS: dict[str, tuple[Event, ...]] = {
    "text": (text(), text(""), text("ü"), citation()),
    "tool": (tool_input(), tool_input("{}"), tool_input('{"a')),
    "reasoning": (thought(), thought(""), signature(), redacted()),
}
FOREIGN = {kind: tuple(e for other in DELTAS if other != kind for e in DELTAS[other]) for kind in DELTAS}
KINDS = (*DELTAS, "empty")


def numbered(events: Iterable[Event], index: int | None) -> tuple[Event, ...]:
    """The events with a block's index."""
    return tuple({key: body | at(index)} for event in events for key, body in event.items())


@st.composite
def _block(draw: st.DrawFn, kind: str, index: int | None, call_id: str, begun: bool | None) -> Told:
    deltas = draw(st.lists(st.sampled_from(DELTAS[kind]), min_size=1, max_size=4)) if kind in DELTAS else []
    opened = kind in ("tool", "empty") or (draw(st.booleans()) if begun is None else begun)
    first = [begin_tool(call_id)] if kind == "tool" else [begin()] if opened else []
    return Told(kind, numbered([*first, *deltas, end()], index))


@st.composite
def replies(
    draw: st.DrawFn, kinds: tuple[str, ...] = (), *, indexed: bool | None = None, begun: bool | None = None
) -> Reply:
    """Legal replies whose first blocks are of the given kinds. None leaves it open whether there are indices or begins.

    Calls have the ids ``call-0``, ``call-1``, …, by the place of their block; indices are unique, in any order.
    """
    told = (*kinds, *draw(st.lists(st.sampled_from(KINDS), max_size=3)))
    numbers = draw(st.permutations(range(len(told) + 2)))
    with_index = draw(st.booleans()) if indexed is None else indexed
    blocks = [
        draw(_block(kind, number if with_index else None, f"call-{n}", begun))
        for n, (kind, number) in enumerate(zip(told, numbers, strict=False))
    ]
    return Reply(tuple(blocks), draw(st.sampled_from([(), (metadata(),)])))


def put(events: list[Event], place: int, *extra: Event) -> list[Event]:
    """The events with others put in at a place."""
    return [*events[:place], *extra, *events[place:]]


def swap(events: list[Event], place: int, *others: Event) -> list[Event]:
    """The events with one exchanged for others, or for none."""
    return [*events[:place], *others, *events[place + 1 :]]
