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
* ``redact`` may come anywhere between ``start`` and the end of ``metadata``: a guardrail can speak at any time.

``TABLE`` has a row for every state and every kind: the next state, and the rule that the step breaks, if any. A step
is one look-up. An illegal step is reported and the machine goes on in the state that spares the reader follow-up
reports of the same mistake, so that *all* mistakes of a stream are told at once.

Memory: the open block's kind and index, the highest index, and the ids of the calls seen.
"""

from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping
from enum import Enum, auto
from typing import Any, Final

from harness.contract.events import StreamEvent
from harness.contract.violations import Violation


class State(Enum):
    """Where a stream stands."""

    INITIAL = "before messageStart"
    BETWEEN = "no block open"
    OPEN = "block open, kind not yet known"
    TEXT = "text block open"
    TOOL = "tool block open"
    REASONING = "reasoning block open"
    STOPPED = "after messageStop"
    ENDED = "after metadata"


class Kind(Enum):
    """What an event is, as far as the order is concerned."""

    START = auto()
    BEGIN = auto()
    BEGIN_TOOL = auto()
    TEXT = auto()
    TOOL = auto()
    REASONING = auto()
    CITATION = auto()
    END = auto()
    STOP = auto()
    METADATA = auto()
    REDACT = auto()
    MALFORMED = auto()


Step = tuple[State, str | None]

_BLOCKS: Final = (State.OPEN, State.TEXT, State.TOOL, State.REASONING)


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
_ILLEGAL: Final[tuple[tuple[tuple[State, ...], tuple[Kind, ...], str, State | None], ...]] = (
    (tuple(State), (Kind.MALFORMED,), "STREAM-EVENT-SHAPE", None),
    (tuple(State), (Kind.START,), "STREAM-START-ONCE", None),
    ((State.BETWEEN,), (Kind.END,), "STREAM-BLOCK-UNOPENED", None),
    ((State.BETWEEN,), (Kind.TOOL,), "STREAM-TOOL-BEGIN", State.TOOL),
    ((State.OPEN,), (Kind.TOOL,), "STREAM-TOOL-BEGIN", State.TOOL),
    (_BLOCKS, (Kind.BEGIN,), "STREAM-BLOCK-OVERLAP", State.OPEN),
    (_BLOCKS, (Kind.BEGIN_TOOL,), "STREAM-BLOCK-OVERLAP", State.TOOL),
    ((State.TEXT,), (Kind.TOOL, Kind.REASONING), "STREAM-DELTA-KIND", None),
    ((State.TOOL,), (Kind.TEXT, Kind.CITATION, Kind.REASONING), "STREAM-DELTA-KIND", None),
    ((State.REASONING,), (Kind.TEXT, Kind.CITATION, Kind.TOOL), "STREAM-DELTA-KIND", None),
    (_BLOCKS, (Kind.STOP,), "STREAM-BLOCK-UNCLOSED", State.STOPPED),
    ((State.BETWEEN, *_BLOCKS), (Kind.METADATA,), "STREAM-METADATA-ORDER", None),
    (
        (State.STOPPED,),
        (Kind.BEGIN, Kind.BEGIN_TOOL, Kind.TEXT, Kind.TOOL, Kind.REASONING, Kind.CITATION, Kind.END),
        "STREAM-AFTER-STOP",
        None,
    ),
    ((State.STOPPED, State.ENDED), (Kind.STOP,), "STREAM-STOP-ONCE", None),
    (
        (State.ENDED,),
        (Kind.BEGIN, Kind.BEGIN_TOOL, Kind.TEXT, Kind.TOOL, Kind.REASONING, Kind.CITATION, Kind.END, Kind.REDACT),
        "STREAM-AFTER-METADATA",
        None,
    ),
    ((State.ENDED,), (Kind.METADATA,), "STREAM-METADATA-ONCE", None),
    # before messageStart everything is out of place; the machine then goes on as if it had come
    ((State.INITIAL,), (Kind.BEGIN,), "STREAM-START-FIRST", State.OPEN),
    ((State.INITIAL,), (Kind.BEGIN_TOOL,), "STREAM-START-FIRST", State.TOOL),
    ((State.INITIAL,), (Kind.TEXT, Kind.CITATION), "STREAM-START-FIRST", State.TEXT),
    ((State.INITIAL,), (Kind.TOOL,), "STREAM-START-FIRST", State.TOOL),
    ((State.INITIAL,), (Kind.REASONING,), "STREAM-START-FIRST", State.REASONING),
    ((State.INITIAL,), (Kind.END, Kind.METADATA, Kind.REDACT), "STREAM-START-FIRST", State.BETWEEN),
    ((State.INITIAL,), (Kind.STOP,), "STREAM-START-FIRST", State.STOPPED),
)


def _table() -> Mapping[State, Mapping[Kind, Step]]:
    steps: dict[tuple[State, Kind], Step] = {}
    for states, kinds, rule, after in _ILLEGAL:
        steps.update({(state, kind): (after or state, rule) for state in states for kind in kinds})
    steps.update({key: (after, None) for key, after in _legal().items()})
    return {state: {kind: steps[state, kind] for kind in Kind} for state in State}


TABLE: Final[Mapping[State, Mapping[Kind, Step]]] = _table()


# --- what an event is -----------------------------------------------------------------------------------------


def _begin_kind(body: Any) -> Kind:
    start = body.get("start")
    return Kind.BEGIN_TOOL if start and start.get("toolUse") is not None else Kind.BEGIN


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_DELTAS: Final[Mapping[str, tuple[Kind, Callable[[Any], bool]]]] = {
    "text": (Kind.TEXT, _is_text),
    "toolUse": (Kind.TOOL, lambda value: isinstance(value.get("input", ""), str)),
    "reasoningContent": (
        Kind.REASONING,
        lambda value: (
            all(isinstance(part, bytes if key == "redactedContent" else str) for key, part in value.items())
            and bool(value)
        ),
    ),
    "citation": (Kind.CITATION, lambda value: isinstance(value, dict)),
}


def _delta_kind(body: Any) -> Kind:
    ((key, value),) = body["delta"].items()
    kind, well_formed = _DELTAS[key]
    return kind if well_formed(value) else Kind.MALFORMED


def _stop_kind(body: Any) -> Kind:
    return Kind.STOP if isinstance(body["stopReason"], str) else Kind.MALFORMED


_KINDS: Final[Mapping[str, Callable[[Any], Kind]]] = {
    "messageStart": lambda body: Kind.START if isinstance(body, dict) else Kind.MALFORMED,
    "contentBlockStart": _begin_kind,
    "contentBlockDelta": _delta_kind,
    "contentBlockStop": lambda body: Kind.END if isinstance(body, dict) else Kind.MALFORMED,
    "messageStop": _stop_kind,
    "metadata": lambda body: Kind.METADATA if isinstance(body, dict) else Kind.MALFORMED,
    "redactContent": lambda body: Kind.REDACT if isinstance(body, dict) else Kind.MALFORMED,
}


def kind_of(event: Any) -> Kind:
    """The kind of an event; MALFORMED when it has not exactly one known key or lacks what the key needs."""
    try:
        ((key, body),) = event.items()
        return _KINDS[key](body)
    except (KeyError, ValueError, TypeError, AttributeError):
        return Kind.MALFORMED


# --- the machine ------------------------------------------------------------------------------------------------


class StreamMachine:
    """Judges the order of one stream, event by event.

    Each method returns the violations that the step brought; an empty tuple is a legal step.
    """

    def __init__(self) -> None:
        self.state = State.INITIAL
        self.count = 0
        self._open_index: int | None = None
        self._highest_index = -1
        self._call_ids: set[str] = set()

    def feed(self, event: StreamEvent) -> tuple[Violation, ...]:
        """Take the next event."""
        kind = kind_of(event)
        before = self.state
        self.state, rule = TABLE[before][kind]
        found: tuple[Violation, ...] = ()
        if rule is not None:
            found = (Violation(rule, f"{_describe(event)} when {before.value}", self.count),)
        if kind in _DETAILS:
            found += tuple(Violation(r, met, self.count) for r, met in _DETAILS[kind](self, event, before))
        self.count += 1
        return found

    def finish(self) -> tuple[Violation, ...]:
        """Judge the end of a stream that raised nothing."""
        if self.state in (State.STOPPED, State.ENDED):
            return ()
        return (Violation("STREAM-STOP-MISSING", f"the stream ended when {self.state.value}", self.count),)

    # Details that the table cannot hold: identity of calls, and indices, which are optional but must agree.

    def _start(self, event: StreamEvent, before: State) -> list[tuple[str, str]]:
        role = event["messageStart"].get("role")
        return [] if role == "assistant" else [("STREAM-START-ROLE", f"role {role!r}")]

    def _begin(self, event: StreamEvent, before: State) -> list[tuple[str, str]]:
        body = event["contentBlockStart"]
        return self._new_index(body.get("contentBlockIndex")) + self._identity(body.get("start", {}).get("toolUse"))

    def _new_index(self, index: int | None) -> list[tuple[str, str]]:
        reused = index is not None and index <= self._highest_index
        self._open_index = index
        self._highest_index = self._highest_index if index is None else max(index, self._highest_index)
        return [("STREAM-BLOCK-INDEX", f"index {index} was used before")] if reused else []

    def _identity(self, tool: Any) -> list[tuple[str, str]]:
        if tool is None:
            return []
        call_id, name = tool.get("toolUseId"), tool.get("name")
        found = [
            ("STREAM-TOOL-IDENTITY", f"{field} {value!r} is not a non-empty string")
            for field, value in (("toolUseId", call_id), ("name", name))
            if not (isinstance(value, str) and value)
        ]
        if isinstance(call_id, str) and call_id in self._call_ids:
            found.append(("STREAM-TOOL-ID-UNIQUE", f"toolUseId {call_id!r} occurred before in this message"))
        if isinstance(call_id, str):
            self._call_ids.add(call_id)
        return found

    def _delta(self, event: StreamEvent, before: State) -> list[tuple[str, str]]:
        index = event["contentBlockDelta"].get("contentBlockIndex")
        if before in (State.INITIAL, State.BETWEEN):
            return self._new_index(index)
        return self._same_index(index)

    def _end(self, event: StreamEvent, before: State) -> list[tuple[str, str]]:
        found = self._same_index(event["contentBlockStop"].get("contentBlockIndex")) if before in _BLOCKS else []
        self._open_index = None
        return found

    def _same_index(self, index: int | None) -> list[tuple[str, str]]:
        if index is None or self._open_index is None or index == self._open_index:
            return []
        return [("STREAM-BLOCK-INDEX", f"index {index} while block {self._open_index} is open")]


_Detail = Callable[[StreamMachine, StreamEvent, State], list[tuple[str, str]]]

_DETAILS: Final[Mapping[Kind, _Detail]] = {
    Kind.START: StreamMachine._start,
    Kind.BEGIN: StreamMachine._begin,
    Kind.BEGIN_TOOL: StreamMachine._begin,
    Kind.TEXT: StreamMachine._delta,
    Kind.TOOL: StreamMachine._delta,
    Kind.REASONING: StreamMachine._delta,
    Kind.CITATION: StreamMachine._delta,
    Kind.END: StreamMachine._end,
}


def _describe(event: Any) -> str:
    """The event in a few words, e.g. ``contentBlockDelta(text)``; safe for any object."""
    if not isinstance(event, dict) or len(event) != 1:
        text = repr(event)
        return text if len(text) <= 80 else text[:77] + "…"
    ((key, body),) = event.items()
    inner = body.get("delta") or body.get("start") if isinstance(body, dict) else None
    return f"{key}({','.join(map(str, inner))})" if isinstance(inner, dict) and inner else str(key)


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
) -> AsyncIterator[StreamEvent]:
    """Pass a stream through and judge it on the way; usable in production.

    ``on_violation`` gets each step's violations before the event is handed on; by default it raises
    ContractViolationError.
    """
    machine = StreamMachine()
    async for event in stream:
        if found := machine.feed(event):
            on_violation(found)
        yield event
    if found := machine.finish():
        on_violation(found)
