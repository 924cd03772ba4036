"""From the SDK's events to the contract's: one table of handlers, for streamed and whole replies alike."""

import json
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast

from harness.contract.events import DeltaBody, Metadata, StreamEvent, ToolUseStart, Usage
from providers.anthropic import deltas
from providers.anthropic.errors import VendorError
from providers.anthropic.names import ToolNames
from providers.anthropic.stops import stop_reason

_Kind = Literal["text", "reasoning", "tool", "skipped"]

#: fields of the vendor's usage, and their names here
_USAGE: Final[tuple[tuple[str, str], ...]] = (
    ("input_tokens", "inputTokens"),
    ("output_tokens", "outputTokens"),
    ("cache_read_input_tokens", "cacheReadInputTokens"),
    ("cache_creation_input_tokens", "cacheWriteInputTokens"),
)


@dataclass(slots=True)
class _Block:
    """A content block, from its start on the wire until its last event was told."""

    kind: _Kind
    tool: ToolUseStart | None = None
    #: what has arrived and was not told yet
    waiting: list[DeltaBody] = field(default_factory=list)
    #: input that came whole with the start; counts only when no fragments follow
    whole_input: DeltaBody | None = None
    told: bool = False
    stopped: bool = False


class Translator:
    """The state of one reply. Blocks are told one after the other, in the order of their starts.

    The first block that has not ended is told as it arrives; later ones wait for it. ``finished`` is true once the
    vendor's terminal event was seen.
    """

    def __init__(self, names: ToolNames) -> None:
        self.finished = False
        self._names = names
        self._begun = False
        self._untold: deque[_Block] = deque()
        self._open: dict[Any, _Block] = {}
        self._index = 0
        self._ids: set[str] = set()
        self._stop: str | None = None
        self._stop_sequence: str | None = None
        self._usage: dict[str, int] = {}
        self._started = time.perf_counter()
        self._first_byte: float | None = None

    def feed(self, event: Any) -> list[StreamEvent]:
        """Contract events that one event of the SDK gives; none for pings and events of types not known."""
        if self._first_byte is None:
            self._first_byte = time.perf_counter()
        handler = _EVENTS.get(getattr(event, "type", None))
        return handler(self, event) if handler else []

    def whole(self, message: Any) -> list[StreamEvent]:
        """Contract events of a reply that came in one piece: those that it would have given as a stream."""
        events = self.begin(message)
        for index, content in enumerate(message.content):
            events += self.start_block(index, content)
            events += self.stop_block(index)
        self.note_stop(message)
        return events + self.finish()

    def begin(self, message: Any = None) -> list[StreamEvent]:
        """``messageStart``, once."""
        self.note_usage(message)
        if self._begun:
            return []
        self._begun = True
        return [{"messageStart": {"role": "assistant"}}]

    def start_block(self, key: Any, content: Any) -> list[StreamEvent]:
        """A block starts at the wire's index ``key``; one that is still open there has ended."""
        events = self.stop_block(key)
        self._add(key, _CONTENT.get(getattr(content, "type", None), _skipped)(self, content))
        return events + self._advance()

    def delta(self, key: Any, delta: Any) -> list[StreamEvent]:
        """A fragment of the block at ``key``. Fragments that do not fit their block are left out."""
        kind, read = _DELTAS.get(getattr(delta, "type", None), _NO_DELTA)
        body = read(delta)
        if body is None:
            return []
        block = self._open.get(key)
        if block is None and kind != "tool":  # the start of text or reasoning says nothing that is missed
            block = self._add(key, _Block(kind))
        if block is None or block.kind != kind:
            return []
        block.whole_input = None
        if block.told and block is self._untold[0]:  # nearly every event of a stream comes this way
            return [{"contentBlockDelta": {"contentBlockIndex": self._index, "delta": body}}]
        block.waiting.append(body)
        return self._advance()

    def stop_block(self, key: Any) -> list[StreamEvent]:
        """The block at ``key`` has ended."""
        block = self._open.pop(key, None)
        if block is None:
            return []
        if block.whole_input:
            block.waiting.append(block.whole_input)
        block.stopped = True
        return self._advance()

    def finish(self) -> list[StreamEvent]:
        """The reply is complete: the ends of what is open, ``messageStop`` and ``metadata``."""
        events = self.begin()
        for key in tuple(self._open):
            events += self.stop_block(key)
        self.finished = True
        return [*events, self._message_stop(), {"metadata": self._metadata()}]

    def note_stop(self, delta: Any) -> None:
        """Keep the last stop reason that is not null."""
        self._stop = getattr(delta, "stop_reason", None) or self._stop
        self._stop_sequence = getattr(delta, "stop_sequence", None) or self._stop_sequence

    def note_usage(self, holder: Any) -> None:
        """Merge usage: counts are cumulative, so the last value that is not null stands."""
        usage = getattr(holder, "usage", None)
        for vendor, own in _USAGE:
            value = getattr(usage, vendor, None)
            if value is not None:
                self._usage[own] = value

    def identify(self, content: Any) -> ToolUseStart:
        """Name and id of a call; the id is the vendor's unless it is missing or taken."""
        tool_use_id = getattr(content, "id", None)
        if not tool_use_id or tool_use_id in self._ids:
            tool_use_id = f"call_{len(self._ids)}_{uuid.uuid4().hex}"
        self._ids.add(tool_use_id)
        return {"toolUseId": tool_use_id, "name": self._names.own(getattr(content, "name", None) or "")}

    def _add(self, key: Any, block: _Block) -> _Block:
        self._open[key] = block
        self._untold.append(block)
        return block

    def _advance(self) -> list[StreamEvent]:
        """Tell what can be told: of the first block, and of each next one once those before it have ended."""
        events: list[StreamEvent] = []
        while self._untold:
            block = self._untold[0]
            events += self._tell(block)
            if not block.stopped:
                break
            self._untold.popleft()
            if block.told:
                events.append({"contentBlockStop": {"contentBlockIndex": self._index}})
                self._index += 1
        return events if self._begun or not events else self.begin() + events

    def _tell(self, block: _Block) -> Iterator[StreamEvent]:
        if not block.told and (block.tool or block.waiting):
            block.told = True
            yield {"contentBlockStart": {"contentBlockIndex": self._index, "start": _start(block)}}
        for delta in block.waiting:
            yield {"contentBlockDelta": {"contentBlockIndex": self._index, "delta": delta}}
        block.waiting.clear()

    def _message_stop(self) -> StreamEvent:
        reason = stop_reason(self._stop, has_tool=bool(self._ids))
        fields = self._stop_fields(reason)
        return {
            "messageStop": {"stopReason": reason, "additionalModelResponseFields": fields}
            if fields
            else {"stopReason": reason}
        }

    def _stop_fields(self, reason: str) -> dict[str, str]:
        """What the contract's stop reason does not say."""
        fields = {"stop_reason": self._stop if self._stop != reason else None, "stop_sequence": self._stop_sequence}
        return {name: value for name, value in fields.items() if value}

    def _metadata(self) -> Metadata:
        metadata: Metadata = {"metrics": {"latencyMs": self._milliseconds(time.perf_counter())}}
        if self._first_byte is not None:
            metadata["metrics"]["timeToFirstByteMs"] = self._milliseconds(self._first_byte)
        if self._usage:
            metadata["usage"] = _usage(self._usage)
        return metadata

    def _milliseconds(self, moment: float) -> float:
        return (moment - self._started) * 1000


def _usage(counts: Mapping[str, int]) -> Usage:
    """``inputTokens`` is the vendor's, without what was read from or written to the cache; the total has all parts."""
    return cast("Usage", {"inputTokens": 0, "outputTokens": 0, **counts, "totalTokens": sum(counts.values())})


def _start(block: _Block) -> Any:
    return {"toolUse": block.tool} if block.tool else {}


def _skipped(_: Translator, __: Any) -> _Block:
    """A block that the contract has no form for, such as a call of the vendor's own tools: nothing of it is told."""
    return _Block("skipped")


def _text_block(_: Translator, content: Any) -> _Block:
    cited = map(deltas.cite, getattr(content, "citations", None) or ())
    return _Block("text", waiting=[delta for delta in (deltas.text(content), *cited) if delta])


def _thinking_block(_: Translator, content: Any) -> _Block:
    found = (deltas.thinking(content), deltas.signature(content))
    return _Block("reasoning", waiting=[delta for delta in found if delta])


def _redacted_block(_: Translator, content: Any) -> _Block:
    delta = deltas.redacted(content)
    return _Block("reasoning", waiting=[delta] if delta else [])


def _tool_block(translator: Translator, content: Any) -> _Block:
    whole = getattr(content, "input", None)
    text = whole if isinstance(whole, str) else json.dumps(whole, ensure_ascii=False) if whole else ""
    delta: DeltaBody | None = {"toolUse": {"input": text}} if text else None
    return _Block("tool", tool=translator.identify(content), whole_input=delta)


def _indexed(event: Any, name: str) -> tuple[Any, Any]:
    return getattr(event, "index", None), getattr(event, name, None)


def _message_delta(translator: Translator, event: Any) -> list[StreamEvent]:
    translator.note_stop(getattr(event, "delta", None))
    translator.note_usage(event)
    return []


def _error(_: Translator, event: Any) -> list[StreamEvent]:
    raise VendorError({"error": getattr(event, "error", None)})


_CONTENT: Final[Mapping[Any, Callable[[Translator, Any], _Block]]] = {
    "text": _text_block,
    "thinking": _thinking_block,
    "redacted_thinking": _redacted_block,
    "tool_use": _tool_block,
}

_DELTAS: Final[Mapping[Any, tuple[_Kind, Callable[[Any], DeltaBody | None]]]] = {
    "text_delta": ("text", deltas.text),
    "citations_delta": ("text", deltas.citation),
    "thinking_delta": ("reasoning", deltas.thinking),
    "signature_delta": ("reasoning", deltas.signature),
    "input_json_delta": ("tool", deltas.tool_input),
}
_NO_DELTA: Final[tuple[_Kind, Callable[[Any], None]]] = ("skipped", lambda _: None)

_EVENTS: Final[Mapping[Any, Callable[[Translator, Any], list[StreamEvent]]]] = {
    "message_start": lambda translator, event: translator.begin(getattr(event, "message", None)),
    "content_block_start": lambda translator, event: translator.start_block(*_indexed(event, "content_block")),
    "content_block_delta": lambda translator, event: translator.delta(*_indexed(event, "delta")),
    "content_block_stop": lambda translator, event: translator.stop_block(getattr(event, "index", None)),
    "message_delta": _message_delta,
    "message_stop": lambda translator, _: translator.finish(),
    "error": _error,
}
