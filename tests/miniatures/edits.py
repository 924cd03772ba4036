"""Changes of a reply's events, put together from small ones."""

import copy
from collections.abc import Callable
from typing import Any, Final

from tests.miniatures.miniature import Adapter, Stream, Wrap

Event = dict[str, Any]
Match = Callable[[Event], bool]
Change = Callable[[Event], list[Event]]
Edit = Callable[[list[Event]], list[Event]]

#: where events hold what a reply says
WORDS: Final = "contentBlockDelta.delta.text"
REASON: Final = "messageStop.stopReason"
THOUGHT: Final = "contentBlockDelta.delta.reasoningContent.text"
SIGNATURE: Final = "contentBlockDelta.delta.reasoningContent.signature"
REDACTED: Final = "contentBlockDelta.delta.reasoningContent.redactedContent"
CITATION: Final = "contentBlockDelta.delta.citation"


def has(path: str) -> Match:
    """Events that hold something at a path such as ``contentBlockDelta.delta.text``."""
    *holders, last = path.split(".")

    def match(event: Event) -> bool:
        value: Any = event
        for step in holders:
            value = value.get(step, {})
        return last in value

    return match


START: Final = has("messageStart")
BEGIN: Final = has("contentBlockStart")
TEXT: Final = has(WORDS)
TOOL: Final = has("contentBlockDelta.delta.toolUse")
CALL: Final = has("contentBlockStart.start.toolUse")
END: Final = has("contentBlockStop")
STOP: Final = has("messageStop")
METADATA: Final = has("metadata")


def first(match: Match, change: Change) -> Edit:
    """Change the first event that matches."""

    def edit(events: list[Event]) -> list[Event]:
        place = next((at for at, event in enumerate(events) if match(event)), None)
        return events if place is None else [*events[:place], *change(events[place]), *events[place + 1 :]]

    return edit


def last(match: Match, change: Change) -> Edit:
    """Change the last event that matches."""
    backwards = first(match, lambda event: change(event)[::-1])
    return lambda events: backwards(events[::-1])[::-1]


def every(match: Match, change: Change) -> Edit:
    """Change all events that match."""
    return lambda events: [new for event in events for new in (change(event) if match(event) else [event])]


def drop(event: Event) -> list[Event]:
    """Leave an event out."""
    return []


def double(event: Event) -> list[Event]:
    """Say an event twice."""
    return [event, copy.deepcopy(event)]


def then(other: Event) -> Change:
    """Say another event after it."""
    return lambda event: [event, other]


def put(path: str, value: Callable[[Any], Any]) -> Change:
    """Change the value at a path."""
    *holders, name = path.split(".")

    def change(event: Event) -> list[Event]:
        changed = copy.deepcopy(event)
        holder: Any = changed
        for step in holders:
            holder = holder[step]
        holder[name] = value(holder.get(name))
        return [changed]

    return change


def lose(path: str) -> Change:
    """Leave the value at a path out, where there is one."""
    *holders, name = path.split(".")

    def change(event: Event) -> list[Event]:
        changed = copy.deepcopy(event)
        holder: Any = changed
        for step in holders:
            holder = holder.get(step, {})
        holder.pop(name, None)
        return [changed]

    return change


def swap(match: Match) -> Edit:
    """Have the first event that matches change places with the next one that does."""

    def edit(events: list[Event]) -> list[Event]:
        places = [at for at, event in enumerate(events) if match(event)][:2]
        if len(places) < 2:
            return events
        one, other = places
        return [events[{one: other, other: one}.get(at, at)] for at in range(len(events))]

    return edit


def early(match: Match, before: Match) -> Edit:
    """Move the first event that matches in front of another."""

    def edit(events: list[Event]) -> list[Event]:
        moved = next((event for event in events if match(event)), None)
        if moved is None:
            return events
        rest = [event for event in events if event is not moved]
        return first(before, lambda event: [moved, event])(rest)

    return edit


def each_in(path: str, change: Callable[[Any], Any]) -> Edit:
    """Change the value at a path in every event that has one."""
    return every(has(path), put(path, change))


def blocks(events: list[Event]) -> list[list[Event]]:
    """The events of each block."""
    found: list[list[Event]] = []
    for event in events:
        if BEGIN(event):
            found.append([])
        if found and next(iter(event)).startswith("contentBlock"):
            found[-1].append(event)
    return found


def in_calls(change: Callable[[str], str]) -> Edit:
    """Change the input of each call, whatever fragments it came in: the last one says it all."""

    def edit(events: list[Event]) -> list[Event]:
        for block in blocks(events):
            fragments = [event["contentBlockDelta"]["delta"]["toolUse"] for event in block if TOOL(event)]
            if fragments:
                whole = change("".join(fragment["input"] for fragment in fragments))
                for fragment in fragments:
                    fragment["input"] = ""
                fragments[-1]["input"] = whole
        return events

    return edit


class _Edited(Adapter):
    """Hands on a reply that was changed once it was complete, or once it broke off."""

    def __init__(self, inner: Any, edit: Edit) -> None:
        super().__init__(inner)
        self._edit = edit

    async def told(self, asked: dict[str, Any]) -> Stream:
        events: list[Event] = []
        failure: Exception | None = None
        try:
            async for event in super().told(asked):
                events.append(copy.deepcopy(event))  # noqa: PERF401 - what came before a failure counts
        except Exception as error:
            failure = error
        for event in self._edit(events):
            yield event
        if failure is not None:
            raise failure


def edited(edit: Edit) -> Wrap:
    """An adapter whose replies are changed."""
    return lambda inner: _Edited(inner, edit)
