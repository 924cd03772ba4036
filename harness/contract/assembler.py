"""From events to a message: the reference reading of a stream.

The assembler goes by what events say, not by what they should say: blocks are told apart by ``contentBlockIndex`` where
it is given, content of an unclosed block is kept, and every liberty it takes is a violation that the state machine
reports. It hides nothing: broken tool input stays visible as :class:`BrokenInput`.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from harness.contract.content import ContentBlock, Message
from harness.contract.events import Metrics, StreamEvent, Usage
from harness.contract.state import StreamMachine
from harness.contract.violations import Violation


@dataclass(frozen=True, slots=True)
class BrokenInput:
    """Tool input that is not one JSON object: its text, as it came."""

    text: str


@dataclass(slots=True)
class _Block:
    """A block under construction."""

    tool: Any = None
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


def parse_input(text: str) -> Any:
    """The value of concatenated tool input: blank means ``{}``; what is not a JSON object is BrokenInput."""
    if not text.strip():
        return {}
    try:
        value = json.loads(text)
    except ValueError:
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
        self.violations += self._machine.feed(event)
        if isinstance(event, dict):
            for key, body in event.items():
                if key in _HANDLERS and isinstance(body, dict):
                    _HANDLERS[key](self, body)

    def finish(self) -> None:
        """Say that the stream ended without raising."""
        self.violations += self._machine.finish()

    @property
    def message(self) -> Message:
        """The message so far."""
        return {"role": "assistant", "content": [part for block in self._blocks for part in block.content()]}

    def _new(self, index: Any, tool: Any = None) -> _Block:
        block = _Block(tool)
        self._blocks.append(block)
        self._open = block
        if isinstance(index, int):
            self._by_index[index] = block
        return block

    def _begin(self, body: Mapping[str, Any]) -> None:
        self._new(body.get("contentBlockIndex"), (body.get("start") or {}).get("toolUse"))

    def _delta(self, body: Mapping[str, Any]) -> None:
        index = body.get("contentBlockIndex")
        block = self._by_index.get(index) if isinstance(index, int) else self._open
        target = block or self._new(index)
        for key, value in (body.get("delta") or {}).items():
            if key in _DELTAS:
                _DELTAS[key](target, value)

    def _end(self, body: Mapping[str, Any]) -> None:
        self._by_index.pop(body.get("contentBlockIndex", -1), None)
        self._open = None

    def _stop(self, body: Mapping[str, Any]) -> None:
        self.stop_reason = body.get("stopReason")

    def _metadata(self, body: Mapping[str, Any]) -> None:
        self.usage = body.get("usage", self.usage)
        self.metrics = body.get("metrics", self.metrics)
        self.trace = body.get("trace", self.trace)

    def _redact(self, body: Mapping[str, Any]) -> None:
        self.redactions.append(body)


def _add_tool(block: _Block, value: Any) -> None:
    block.input.append(value.get("input", ""))
    for key in ("toolUseId", "name"):
        if key in value:
            block.tool = {key: value[key], **(block.tool or {})}


def _add_reasoning(block: _Block, value: Any) -> None:
    targets: tuple[tuple[str, list[Any]], ...] = (
        ("text", block.reasoning),
        ("signature", block.signature),
        ("redactedContent", block.redacted),
    )
    for key, parts in targets:
        if value.get(key) is not None:
            parts.append(value[key])


_DELTAS: Final[Mapping[str, Callable[[_Block, Any], None]]] = {
    "text": lambda block, value: block.text.append(value),
    "toolUse": _add_tool,
    "reasoningContent": _add_reasoning,
    "citation": lambda block, value: block.citations.append(value),
}

_HANDLERS: Final[Mapping[str, Callable[[Assembler, Mapping[str, Any]], None]]] = {
    "contentBlockStart": Assembler._begin,
    "contentBlockDelta": Assembler._delta,
    "contentBlockStop": Assembler._end,
    "messageStop": Assembler._stop,
    "metadata": Assembler._metadata,
    "redactContent": Assembler._redact,
}


def assemble(events: Iterable[StreamEvent]) -> Assembler:
    """Read a whole stream that ended without raising."""
    assembler = Assembler()
    for event in events:
        assembler.feed(event)
    assembler.finish()
    return assembler
