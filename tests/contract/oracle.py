"""The order of events, stated a second time: over whole lists, by regular expression, and without the table.

One letter an event: S messageStart · b, u contentBlockStart without and with a tool · t text or citation · i tool
input · r reasoning · e contentBlockStop · p messageStop · m metadata · g redactContent · ? anything else.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

BLOCK = r"b?t+e|be|b?r+e|ui*e"
REPLY = re.compile(rf"S({BLOCK})*pm?")


def letter(event: Any) -> str:
    """The letter of one event."""
    if not isinstance(event, dict) or len(event) != 1 or not _index_is_valid(event):
        return "?"
    match event:
        case {"contentBlockDelta": {"delta": dict(delta)}}:
            return _delta_letter(delta)
        case {"contentBlockStart": {"start": {"toolUse": dict()}}}:
            return "u"
        case {"contentBlockStart": {"start": dict(start)}} if start.get("toolUse") is None:
            return "b"
        case {"messageStop": {"stopReason": str()}}:
            return "p"
    ((key, body),) = event.items()
    plain = {"messageStart": "S", "contentBlockStop": "e", "metadata": "m", "redactContent": "g"}
    return plain.get(key, "?") if isinstance(body, dict) else "?"


def _delta_letter(delta: dict[str, Any]) -> str:
    match list(delta.items()):
        case [("text", str())] | [("citation", dict())]:
            return "t"
        case [("toolUse", {"input": str()})]:
            return "i"
        case [("reasoningContent", dict(part))] if len(part) == 1:
            match part:
                case {"text": str()} | {"signature": str()} | {"redactedContent": bytes()}:
                    return "r"
    return "?"


def _index_is_valid(event: dict[str, Any]) -> bool:
    ((key, body),) = event.items()
    if not (str(key).startswith("contentBlock") and isinstance(body, dict)):
        return True
    index = body.get("contentBlockIndex")
    return index is None or (type(index) is int and index >= 0)


def word(events: list[Any]) -> str:
    """The letters of a list of events."""
    return "".join(map(letter, events))


def is_legal(events: list[Any]) -> bool:
    """Whether the events are one whole reply, told in order."""
    told = word(events)
    if not told.startswith("S") or re.search("m.*g", told) or not REPLY.fullmatch(told.replace("g", "")):
        return False
    rest = [event for event in events if "redactContent" not in event]
    return events[0]["messageStart"].get("role") == "assistant" and _calls_are_named(rest) and _indices_agree(rest)


def _calls_are_named(events: list[Any]) -> bool:
    calls = [event["contentBlockStart"]["start"]["toolUse"] for event in events if letter(event) == "u"]
    names = [call.get(field) for call in calls for field in ("toolUseId", "name")]
    if not all(isinstance(name, str) and name for name in names):
        return False
    return max(Counter(names[::2]).values(), default=1) == 1


def _indices_agree(events: list[Any]) -> bool:
    blocks = [set(indices) for indices in _indices_of_blocks(events)]
    return all(len(block) <= 1 for block in blocks) and len(set().union(*blocks)) == sum(map(len, blocks))


def _indices_of_blocks(events: list[Any]) -> Iterator[list[int]]:
    for match in re.finditer(BLOCK, word(events)):
        bodies = [body for event in events[match.start() : match.end()] for body in event.values()]
        yield [body["contentBlockIndex"] for body in bodies if body.get("contentBlockIndex") is not None]
