"""From events to a message: the reference reading of a stream.

The assembler goes by what events say, not by what they should say: blocks are told apart by ``contentBlockIndex`` where
it is given, content of an unclosed block is kept, and every liberty it takes is a violation that the state machine
reports. It hides nothing that can be read: broken tool input stays visible as :class:`BrokenInput`, and of a malformed
event the parts that are well formed count.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, cast

from harness.contract.content import ContentBlock, Message
from harness.contract.events import Metrics, StreamEvent, Usage
from harness.contract.kinds import Kind, Part, read
from harness.contract.state import StreamMachine
from harness.contract.violations import Violation


@dataclass(frozen=True, slots=True)
class BrokenInput:
    """Tool input that is not one JSON object: its text, as it came."""

    text: str


class Assembled(Protocol):
    """What a stream came to, in anybody's reading: this module's, or a framework's own."""

    @property
    def message(self) -> Message:
        """The message, whose role is assistant."""

    @property
    def stop_reason(self) -> str | None:
        """Why the model stopped, where the stream said so."""

    @property
    def usage(self) -> Usage | None:
        """The tokens, where the stream named them."""

    @property
    def metrics(self) -> Metrics | None:
        """The times, where the stream named them."""

    @property
    def empty(self) -> int:
        """How many blocks came with nothing in them; the message is without them."""


@dataclass(slots=True)
class _Block:
    """A block under construction."""

    index: int | None = None
    tool: Mapping[str, Any] | None = None
    text: list[str] = field(default_factory=list)
    input: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    signature: list[str] = field(default_factory=list)
    redacted: list[bytes] = field(default_factory=list)
    citations: list[Any] = field(default_factory=list)

    def content(self) -> list[ContentBlock]:
        """The finished blocks: one, or several where kinds were mixed."""
        return [block for build in _BUILDERS if (block := build(self)) is not None]


def _tool_block(block: _Block) -> ContentBlock | None:
    if block.tool is None and not block.input:
        return None
    tool = dict(block.tool or {})
    tool["input"] = parse_input("".join(block.input))
    return cast("ContentBlock", {"toolUse": tool})  # foreign adapters may leave out id or name


def _text_block(block: _Block) -> ContentBlock | None:
    text = "".join(block.text)
    if block.citations:
        return {"citationsContent": {"content": [{"text": text}] if text else [], "citations": block.citations}}
    return {"text": text} if text else None


def _reasoning_block(block: _Block) -> ContentBlock | None:
    if not block.reasoning and not block.signature:
        return None
    signature = {"signature": "".join(block.signature)} if block.signature else {}
    return cast(
        "ContentBlock", {"reasoningContent": {"reasoningText": {"text": "".join(block.reasoning), **signature}}}
    )


def _redacted_block(block: _Block) -> ContentBlock | None:
    return {"reasoningContent": {"redactedContent": b"".join(block.redacted)}} if block.redacted else None


_BUILDERS: Final = (_tool_block, _reasoning_block, _redacted_block, _text_block)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")  # Python reads NaN and Infinity, which RFC 8259 does not know


def parse_input(text: str) -> Any:
    """The value of concatenated tool input: blank means ``{}``; what is not a JSON object is BrokenInput."""
    if not text.strip():
        return {}
    try:
        value = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return BrokenInput(text)
    return value if isinstance(value, dict) else BrokenInput(text)


class Assembler:
    """Builds the message of one stream. Feed it every event, then read :attr:`message`."""

    def __init__(self) -> None:
        self.stop_reason: str | None = None
        self.usage: Usage | None = None
        self.metrics: Metrics | None = None
        self.trace: Any = None
        self.redactions: list[Any] = []
        self.violations: list[Violation] = []
        self._machine = StreamMachine()
        self._blocks: list[_Block] = []
        self._open: _Block | None = None
        self._by_index: dict[int, _Block] = {}

    def feed(self, event: StreamEvent) -> None:
        """Take the next event; violations of the order are kept in :attr:`violations`."""
        reading = read(event)
        if found := self._machine.take(event, reading):
            self.violations += found
        for part in reading[0]:
            if (handler := _HANDLERS.get(part.kind)) is not None:
                handler(self, part)

    def finish(self) -> None:
        """Say that the stream ended without raising."""
        self.violations += self._machine.finish()

    @property
    def message(self) -> Message:
        """The message so far."""
        return {"role": "assistant", "content": [part for block in self._blocks for part in block.content()]}

    @property
    def empty(self) -> int:
        """How many blocks came with nothing in them; the message is without them."""
        return sum(not block.content() for block in self._blocks)

    def _new(self, index: int | None, tool: Mapping[str, Any] | None = None) -> _Block:
        block = _Block(tool=tool)
        self._blocks.append(block)
        self._open = block
        self._name(block, index)
        return block

    def _name(self, block: _Block, index: int | None) -> None:
        if index is not None:
            block.index = index
            self._by_index[index] = block

    def _begin(self, part: Part) -> None:
        self._new(part.index, part.tool)

    def _delta(self, part: Part) -> None:
        block = self._find(part.index) or self._new(part.index)
        for kind, value in part.deltas:
            _DELTAS[kind](block, value)

    def _find(self, index: int | None) -> _Block | None:
        """The block that an index means: an open block that was begun without one takes the first it meets."""
        if index in self._by_index:
            return self._by_index[index]
        if index is None or self._open is None:
            return self._open
        if self._open.index is not None:
            return None
        self._name(self._open, index)
        return self._open

    def _end(self, part: Part) -> None:
        block = self._find(part.index) or self._open
        if block is not None and block.index is not None:
            self._by_index.pop(block.index, None)
        if block is self._open:
            self._open = None

    def _stop(self, part: Part) -> None:
        if part.well_formed:
            self.stop_reason = part.body["stopReason"]

    def _metadata(self, part: Part) -> None:
        self.usage = part.body.get("usage", self.usage)
        self.metrics = part.body.get("metrics", self.metrics)
        self.trace = part.body.get("trace", self.trace)

    def _redact(self, part: Part) -> None:
        self.redactions.append(part.body)


def _add_tool(block: _Block, value: Mapping[str, Any]) -> None:
    block.input.append(value["input"])
    named = {key: value[key] for key in ("toolUseId", "name") if key in value}
    if named:
        block.tool = {**named, **(block.tool or {})}


def _add_reasoning(block: _Block, value: Mapping[str, Any]) -> None:
    block.reasoning += [value["text"]] if "text" in value else []
    block.signature += [value["signature"]] if "signature" in value else []
    block.redacted += [value["redactedContent"]] if "redactedContent" in value else []


_DELTAS: Final[Mapping[Kind, Callable[[_Block, Any], None]]] = {
    Kind.TEXT: lambda block, value: block.text.append(value),
    Kind.TOOL: _add_tool,
    Kind.REASONING: _add_reasoning,
    Kind.CITATION: lambda block, value: block.citations.append(value),
}

_HANDLERS: Final[Mapping[Kind, Callable[[Assembler, Part], None]]] = {
    **dict.fromkeys((Kind.BEGIN, Kind.BEGIN_TOOL, Kind.BEGIN_UNREADABLE), Assembler._begin),
    **dict.fromkeys((Kind.TEXT, Kind.TOOL, Kind.REASONING, Kind.CITATION, Kind.DELTA_UNREADABLE), Assembler._delta),
    Kind.END: Assembler._end,
    Kind.STOP: Assembler._stop,
    Kind.METADATA: Assembler._metadata,
    Kind.REDACT: Assembler._redact,
}


def assemble(events: Iterable[StreamEvent]) -> Assembler:
    """Read a whole stream that ended without raising."""
    assembler = Assembler()
    for event in events:
        assembler.feed(event)
    assembler.finish()
    return assembler
