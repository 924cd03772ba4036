"""What an event is: its kind, and whether it has the form that its key asks for.

A malformed event is read as what its key says, so that a reader of the stream can go on behind it; the kind of block
that it meant is then unreadable.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final


class Kind(Enum):
    """What an event is, as far as the order is concerned."""

    START = auto()
    BEGIN = auto()
    BEGIN_TOOL = auto()
    BEGIN_UNREADABLE = auto()
    TEXT = auto()
    TOOL = auto()
    REASONING = auto()
    CITATION = auto()
    DELTA_UNREADABLE = auto()
    END = auto()
    STOP = auto()
    METADATA = auto()
    REDACT = auto()

    __hash__ = object.__hash__  # kinds are looked up for every event, and Enum's own hash is Python code


@dataclass(slots=True)  # freezing it would double the time of making one
class Part:
    """One key of an event. ``body`` is empty where it is not a dictionary."""

    kind: Kind
    body: Mapping[str, Any]
    well_formed: bool
    #: the block's index, where a valid one is given
    index: int | None

    @property
    def tool(self) -> Mapping[str, Any] | None:
        """Identity of the call, where the event begins one."""
        return self.body["start"]["toolUse"] if self.kind is Kind.BEGIN_TOOL else None

    @property
    def deltas(self) -> Iterator[tuple[Kind, Any]]:
        """What the event adds to its block: one well-formed value, or what can be read of a malformed delta."""
        delta = self.body.get("delta")
        for key, value in delta.items() if isinstance(delta, dict) else ():
            if key in _DELTAS and _DELTAS[key][1](value):
                yield _DELTAS[key][0], value


def _is_index(index: Any) -> bool:
    """The index is optional, and a whole number of at least 0 where it is given."""
    return index is None or (isinstance(index, int) and not isinstance(index, bool) and index >= 0)


def _is_fragment(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("input"), str)


_REASONING: Final[Mapping[str, type]] = {"text": str, "signature": str, "redactedContent": bytes}


def _is_reasoning(value: Any) -> bool:
    """Consumers read one key and pass over any other, as the vendor's union has but one."""
    if not isinstance(value, dict) or len(value) != 1:
        return False
    ((key, part),) = value.items()
    return key in _REASONING and isinstance(part, _REASONING[key])


_DELTAS: Final[Mapping[str, tuple[Kind, Callable[[Any], bool]]]] = {
    "text": (Kind.TEXT, lambda value: isinstance(value, str)),
    "toolUse": (Kind.TOOL, _is_fragment),
    "reasoningContent": (Kind.REASONING, _is_reasoning),
    "citation": (Kind.CITATION, lambda value: isinstance(value, dict)),
}

#: the kind, and whether the event is well formed, its index left aside
Reading = tuple[Kind, bool]


def _begin(body: Mapping[str, Any]) -> Reading:
    start = body.get("start")
    tool = start.get("toolUse") if isinstance(start, dict) else start
    if not isinstance(start, dict) or not (tool is None or isinstance(tool, dict)):
        return Kind.BEGIN_UNREADABLE, False
    return (Kind.BEGIN if tool is None else Kind.BEGIN_TOOL), True


def _delta(body: Mapping[str, Any]) -> Reading:
    delta = body.get("delta")
    if isinstance(delta, dict) and len(delta) == 1:
        ((key, value),) = delta.items()
        if key in _DELTAS and _DELTAS[key][1](value):
            return _DELTAS[key][0], True
    return Kind.DELTA_UNREADABLE, False


_READERS: Final[Mapping[Any, Callable[[Mapping[str, Any]], Reading]]] = {
    "messageStart": lambda _: (Kind.START, True),
    "contentBlockStart": _begin,
    "contentBlockDelta": _delta,
    "contentBlockStop": lambda _: (Kind.END, True),
    "messageStop": lambda body: (Kind.STOP, isinstance(body.get("stopReason"), str)),
    "metadata": lambda _: (Kind.METADATA, True),
    "redactContent": lambda _: (Kind.REDACT, True),
}


#: the events that have an index
_INDEXED: Final = frozenset({"contentBlockStart", "contentBlockDelta", "contentBlockStop"})


def _part(key: str, body: Any) -> Part:
    if not isinstance(body, dict):
        return Part(_READERS[key]({})[0], {}, False, None)
    kind, well_formed = _READERS[key](body)
    index = body.get("contentBlockIndex")
    if _is_index(index):
        return Part(kind, body, well_formed, index)
    return Part(kind, body, well_formed and key not in _INDEXED, None)


#: the parts of an event, and whether it is well formed: then it has one part
Parts = tuple[Sequence[Part], bool]


def read(event: Any) -> Parts:
    """The parts of an event. Safe for any object."""
    if not isinstance(event, dict):
        return (), False
    parts = [_part(key, body) for key, body in event.items() if key in _READERS]
    return parts, len(event) == len(parts) == 1 and parts[0].well_formed
