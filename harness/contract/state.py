"""The order of stream events, as a state machine.

Rule 1: everything that decides whether an event may come now is in this file.
Rule 2: this file knows no vendor, does no IO, and never changes an event.

Theory of operation. A reply is a word over event kinds::

    start ( block )* stop metadata?           block = begin? delta* end

with these refinements:

* ``begin`` may be absent for text and reasoning (Bedrock itself sends none there); a delta then opens the block.
  A tool block always has it, since only ``begin`` carries the call's id and name.
* one block is open at a time; the kind of a delta agrees with the block's kind. A block that was begun without a
  kind takes that of its first delta. Citations belong to text.
* nothing but ``metadata`` and ``redact`` follows ``stop``, nothing at all follows ``metadata``.
* ``redact`` may come anywhere between ``start`` and ``metadata``: a guardrail can speak at any time.

``TABLE`` has a row for every state and every kind: the next state, and the rule that the step breaks, if any. A step
is one look-up. An illegal step is reported and the machine goes on in the state that spares the reader follow-up
reports of the same mistake, so that *all* mistakes of a stream are told, each once. That is what the states ``MIXED``,
``LATE`` and ``OVER`` are for: what they let pass follows from a mistake that has been told.

What the table cannot hold is below it: what may come once, identity of calls, indices, and overlapped blocks.

Memory: the open block, those that it overlaps, and the indices and call ids of the blocks so far. Nothing is kept of
a delta.
"""

import reprlib
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from harness.contract.events import StreamEvent
from harness.contract.kinds import Kind, Part, Parts, read
from harness.contract.violations import Violation


class State(Enum):
    """Where a stream stands."""

    INITIAL = "before messageStart"
    BETWEEN = "no block open"
    OPEN = "block open, kind not yet known"
    TEXT = "text block open"
    TOOL = "tool block open"
    REASONING = "reasoning block open"
    MIXED = "block of mixed or unreadable kinds open"
    STOPPED = "after messageStop"
    LATE = "in content after messageStop"
    ENDED = "after metadata"
    OVER = "in what follows metadata"

    __hash__ = object.__hash__  # see Kind


Step = tuple[State, str | None]
_Rows = tuple[tuple[tuple[State, ...], tuple[Kind, ...], str | None, State | None], ...]

_BLOCKS: Final = (State.OPEN, State.TEXT, State.TOOL, State.REASONING, State.MIXED)
_BEGINS: Final = (Kind.BEGIN, Kind.BEGIN_TOOL, Kind.BEGIN_UNREADABLE)
_DELTAS: Final = (Kind.TEXT, Kind.CITATION, Kind.TOOL, Kind.REASONING, Kind.DELTA_UNREADABLE)
_CONTENT: Final = (*_BEGINS, *_DELTAS, Kind.END)


def _legal() -> dict[tuple[State, Kind], State]:
    """Every legal step, in the order in which a reply is told."""
    s, k = State, Kind
    steps = {
        (s.INITIAL, k.START): s.BETWEEN,
        # a block opens, by its begin or (text, reasoning) by its first delta
        (s.BETWEEN, k.BEGIN): s.OPEN,
        (s.BETWEEN, k.BEGIN_TOOL): s.TOOL,
        (s.BETWEEN, k.TEXT): s.TEXT,
        (s.BETWEEN, k.CITATION): s.TEXT,
        (s.BETWEEN, k.REASONING): s.REASONING,
        # its first delta says which kind it is
        (s.OPEN, k.TEXT): s.TEXT,
        (s.OPEN, k.CITATION): s.TEXT,
        (s.OPEN, k.REASONING): s.REASONING,
        # more of the same kind
        (s.TEXT, k.TEXT): s.TEXT,
        (s.TEXT, k.CITATION): s.TEXT,
        (s.TOOL, k.TOOL): s.TOOL,
        (s.REASONING, k.REASONING): s.REASONING,
        # the reply ends
        (s.BETWEEN, k.STOP): s.STOPPED,
        (s.STOPPED, k.METADATA): s.ENDED,
        (s.STOPPED, k.REDACT): s.STOPPED,
        (s.BETWEEN, k.REDACT): s.BETWEEN,
    }
    for block in _BLOCKS:
        steps[block, k.END] = s.BETWEEN
        steps[block, k.REDACT] = block
    return steps


#: states, kinds, the rule that the step breaks, and the state after it (None: unchanged). Later rows win.
_ILLEGAL: Final[_Rows] = (
    ((State.BETWEEN,), (Kind.END,), "STREAM-BLOCK-UNOPENED", None),
    ((State.BETWEEN, State.OPEN), (Kind.TOOL,), "STREAM-TOOL-BEGIN", State.TOOL),
    (_BLOCKS, (Kind.BEGIN,), "STREAM-BLOCK-OVERLAP", State.OPEN),
    (_BLOCKS, (Kind.BEGIN_TOOL,), "STREAM-BLOCK-OVERLAP", State.TOOL),
    (_BLOCKS, (Kind.BEGIN_UNREADABLE,), "STREAM-BLOCK-OVERLAP", State.MIXED),
    ((State.TEXT,), (Kind.TOOL, Kind.REASONING), "STREAM-DELTA-KIND", State.MIXED),
    ((State.TOOL,), (Kind.TEXT, Kind.CITATION, Kind.REASONING), "STREAM-DELTA-KIND", State.MIXED),
    ((State.REASONING,), (Kind.TEXT, Kind.CITATION, Kind.TOOL), "STREAM-DELTA-KIND", State.MIXED),
    (_BLOCKS, (Kind.STOP,), "STREAM-BLOCK-UNCLOSED", State.STOPPED),
    ((State.STOPPED,), _CONTENT, "STREAM-AFTER-STOP", State.LATE),
    ((State.ENDED,), (*_CONTENT, Kind.REDACT), "STREAM-AFTER-METADATA", State.OVER),
)

#: steps that are told elsewhere: as malformed, as coming twice, or with the mistake that they follow from
_TOLD: Final[_Rows] = (
    (tuple(State), (Kind.START,), None, None),
    ((State.BETWEEN,), (Kind.BEGIN_UNREADABLE, Kind.DELTA_UNREADABLE), None, State.MIXED),
    (_BLOCKS, (Kind.DELTA_UNREADABLE,), None, None),
    ((State.MIXED,), _DELTAS, None, None),
    # told at messageStop; when that never comes, that alone is the mistake
    ((State.BETWEEN, *_BLOCKS), (Kind.METADATA,), None, None),
    ((State.STOPPED, State.LATE, State.ENDED, State.OVER), (Kind.STOP,), None, None),
    ((State.LATE,), (*_CONTENT, Kind.REDACT), None, None),
    ((State.LATE,), (Kind.METADATA,), None, State.ENDED),
    ((State.ENDED,), (Kind.METADATA,), None, None),
    ((State.OVER,), (*_CONTENT, Kind.REDACT, Kind.METADATA), None, None),
)


def _table() -> Mapping[State, Mapping[Kind, Step]]:
    steps: dict[tuple[State, Kind], Step] = {}
    for states, kinds, rule, after in (*_ILLEGAL, *_TOLD):
        steps.update({(state, kind): (after or state, rule) for state in states for kind in kinds})
    steps.update({key: (after, None) for key, after in _legal().items()})
    # before messageStart everything else is out of place; the machine then goes on as if it had come
    for kind in set(Kind) - {Kind.START}:
        steps[State.INITIAL, kind] = (steps[State.BETWEEN, kind][0], "STREAM-START-FIRST")
    return {state: {kind: steps[state, kind] for kind in Kind} for state in State}


TABLE: Final[Mapping[State, Mapping[Kind, Step]]] = _table()

_ONCE: Final[Mapping[Kind, str]] = {
    Kind.START: "STREAM-START-ONCE",
    Kind.STOP: "STREAM-STOP-ONCE",
    Kind.METADATA: "STREAM-METADATA-ONCE",
}


@dataclass(slots=True)
class _Block:
    """The open block. ``strayed`` once another index was told of it."""

    index: int | None = None
    identity: tuple[int | None, Any] | None = None
    strayed: bool = False


_Found = Iterable[tuple[str, str]]
_NOTHING: Final[_Found] = ()


class StreamMachine:
    """Judges the order of one stream, event by event.

    Each method returns the violations that the step brought; an empty tuple is a legal step.
    """

    def __init__(self) -> None:
        self.state = State.INITIAL
        self.count = 0
        self._seen: set[Kind] = set()
        self._early_metadata = False
        self._block = _Block()
        self._overlapped: dict[int, tuple[State, _Block]] = {}
        self._indices: set[int] = set()
        self._call_ids: set[str] = set()

    def feed(self, event: StreamEvent) -> tuple[Violation, ...]:
        """Take the next event."""
        return self.take(event, read(event))

    def take(self, event: StreamEvent, reading: Parts) -> tuple[Violation, ...]:
        """Take the next event, of a caller who has read it already."""
        parts, well_formed = reading
        found = [] if well_formed else [("STREAM-EVENT-SHAPE", f"{reprlib.repr(event)} when {self.state.value}")]
        for part in parts:
            self._step(part, found)
        violations = tuple([Violation(rule, met, self.count) for rule, met in found]) if found else ()
        self.count += 1
        return violations

    def finish(self) -> tuple[Violation, ...]:
        """Judge the end of a stream that raised nothing."""
        if Kind.STOP in self._seen:
            return ()
        return (Violation("STREAM-STOP-MISSING", f"the stream ended when {self.state.value}", self.count),)

    def _step(self, part: Part, found: list[tuple[str, str]]) -> None:
        if self._overlapped:
            self._resume(part)
        before, kind = self.state, part.kind
        self.state, rule = TABLE[before][kind]
        if rule is not None:
            found.append((rule, f"{_describe(part)} when {before.value}"))
        if kind in _DETAILS:
            found += _DETAILS[kind](self, part, before)
        if kind in _ONCE:
            found += self._once(kind, before)

    def _once(self, kind: Kind, before: State) -> _Found:
        if kind in self._seen:
            yield _ONCE[kind], f"{kind.name.lower()} came again when {before.value}"
        self._seen.add(kind)

    def _resume(self, part: Part) -> None:
        """Go on in a block that another one has overlapped, when an event names it: the overlap has been told."""
        index = part.index
        if index in self._overlapped and part.kind in (*_DELTAS, Kind.END) and self.state in (State.BETWEEN, *_BLOCKS):
            self._set_aside(self.state)
            self.state, self._block = self._overlapped.pop(index)

    def _set_aside(self, state: State) -> None:
        if state in _BLOCKS and self._block.index is not None:
            self._overlapped[self._block.index] = state, self._block

    def _start(self, part: Part, before: State) -> _Found:
        role = part.body.get("role")
        if part.well_formed and role != "assistant":
            yield "STREAM-START-ROLE", f"role {role!r}"

    def _stop(self, part: Part, before: State) -> _Found:
        if self._early_metadata and Kind.STOP not in self._seen:
            yield "STREAM-METADATA-ORDER", "messageStop came after metadata"

    def _metadata(self, part: Part, before: State) -> _Found:
        self._early_metadata |= before is State.BETWEEN or before in _BLOCKS
        return _NOTHING

    def _begin(self, part: Part, before: State) -> _Found:
        identity = (part.index, part.tool and part.tool.get("toolUseId"))
        repeated = before in _BLOCKS and identity == self._block.identity
        if self.state not in _BLOCKS or repeated:  # out of place, which has been told
            return
        self._set_aside(before)
        self._block = _Block(identity=identity)
        yield from self._index(part.index)
        if part.tool is not None:
            yield from self._call(part.tool)

    def _delta(self, part: Part, before: State) -> _Found:
        if self.state not in _BLOCKS:
            return _NOTHING
        if before not in _BLOCKS:
            self._block = _Block()
        return self._index(part.index)

    def _end(self, part: Part, before: State) -> _Found:
        return self._index(part.index) if before in _BLOCKS else _NOTHING

    def _index(self, index: int | None) -> _Found:
        """An index, where given, is that of the open block, whose events all have the same; later ones have others."""
        block = self._block
        if index is None or index == block.index or block.strayed:
            return _NOTHING
        return self._other_index(block, index)

    def _other_index(self, block: _Block, index: int) -> _Found:
        if block.index is not None:
            block.strayed = True
            yield "STREAM-BLOCK-INDEX", f"index {index} while block {block.index} is open"
            return
        block.index = index
        if index in self._indices:
            yield "STREAM-BLOCK-INDEX", f"index {index} was used before"
        self._indices.add(index)

    def _call(self, tool: Mapping[str, Any]) -> _Found:
        call_id = tool.get("toolUseId")
        for field in ("toolUseId", "name"):
            if not (isinstance(tool.get(field), str) and tool[field]):
                yield "STREAM-TOOL-IDENTITY", f"{field} {tool.get(field)!r} is not a non-empty string"
        if isinstance(call_id, str) and call_id:
            if call_id in self._call_ids:
                yield "STREAM-TOOL-ID-UNIQUE", f"toolUseId {call_id!r} occurred before in this message"
            self._call_ids.add(call_id)


_Detail = Callable[[StreamMachine, Part, State], _Found]

_DETAILS: Final[Mapping[Kind, _Detail]] = {
    Kind.START: StreamMachine._start,
    Kind.STOP: StreamMachine._stop,
    Kind.METADATA: StreamMachine._metadata,
    Kind.END: StreamMachine._end,
    **dict.fromkeys(_BEGINS, StreamMachine._begin),
    **dict.fromkeys(_DELTAS, StreamMachine._delta),
}


def _describe(part: Part) -> str:
    """The event in a few words, e.g. ``contentBlockDelta(text)``."""
    inner = part.body.get("delta") or part.body.get("start")
    name = _NAMES[part.kind]
    return f"{name}({','.join(map(str, inner))})" if isinstance(inner, dict) and inner else name


_NAMES: Final[Mapping[Kind, str]] = {
    Kind.START: "messageStart",
    **dict.fromkeys(_BEGINS, "contentBlockStart"),
    **dict.fromkeys(_DELTAS, "contentBlockDelta"),
    Kind.END: "contentBlockStop",
    Kind.STOP: "messageStop",
    Kind.METADATA: "metadata",
    Kind.REDACT: "redactContent",
}


def check_events(events: list[StreamEvent], *, finished: bool = True) -> list[Violation]:
    """All violations of a whole stream. ``finished`` is False when the stream ended by raising."""
    machine = StreamMachine()
    found = [violation for event in events for violation in machine.feed(event)]
    return found + list(machine.finish()) if finished else found


class ContractViolationError(Exception):
    """Raised by :func:`guard` when a stream breaks the order."""

    def __init__(self, violations: tuple[Violation, ...]) -> None:
        super().__init__("; ".join(f"{v.rule}: {v.met} (event {v.index})" for v in violations))
        self.violations = violations


def _raise(violations: tuple[Violation, ...]) -> None:
    raise ContractViolationError(violations)


async def guard(
    stream: AsyncIterable[StreamEvent], on_violation: Callable[[tuple[Violation, ...]], None] = _raise
) -> AsyncGenerator[StreamEvent, None]:
    """Pass a stream through and judge it on the way; usable in production.

    ``on_violation`` gets each step's violations before the event is handed on; by default it raises
    ContractViolationError. However the guard ends, it closes the stream, where that can be closed.
    """
    machine = StreamMachine()
    events = aiter(stream)
    try:
        async for event in events:
            if found := machine.feed(event):
                on_violation(found)
            yield event
        if found := machine.finish():
            on_violation(found)
    finally:
        if (close := getattr(events, "aclose", None)) is not None:
            await close()
