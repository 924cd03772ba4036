"""From the service's events to the contract's: one table of handlers, for streamed and whole replies alike."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from harness.contract.events import DeltaBody, Metadata, StreamEvent, Usage
from providers._shared.blocks import Block, KeyedWriter, ToolBlock
from providers._shared.call_ids import CallIds
from providers._shared.content import json_text
from providers._shared.stops import read_stop, with_calls
from providers._shared.timing import Stopwatch
from providers.anthropic import deltas
from providers.anthropic.deltas import member
from providers.anthropic.errors import VendorError
from providers.anthropic.stops import STOPS

#: kinds of block; nothing of a SKIPPED one is told
_TEXT, _REASONING, _TOOL, _SKIPPED = "text", "reasoning", "tool", "skipped"

#: fields of the vendor's usage, and their names here
_USAGE: Final[tuple[tuple[str, str], ...]] = (
    ("input_tokens", "inputTokens"),
    ("output_tokens", "outputTokens"),
    ("cache_read_input_tokens", "cacheReadInputTokens"),
    ("cache_creation_input_tokens", "cacheWriteInputTokens"),
)


@dataclass(eq=False, slots=True)
class _Call(ToolBlock):
    """A call. Input that came whole with its start counts only when no fragments follow."""

    whole_input: DeltaBody | None = None

    def settle(self) -> None:
        """No fragments followed."""
        if self.whole_input:
            self.queue.append(self.whole_input)


class Translator:
    """The state of one reply. ``names`` maps tool names on the wire to the caller's where they differ.

    ``finished`` is true once the vendor's terminal event was seen.
    """

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        self.finished = False
        self._names = names or {}
        self._writer = KeyedWriter()
        self._ids = CallIds()
        self._called = False
        self._stop: str | None = None
        self._stop_sequence: str | None = None
        self._usage: dict[str, int] = {}
        self._clock = Stopwatch()

    def feed(self, event: Any) -> list[StreamEvent]:
        """Contract events that one event of the service gives; none for pings and events of types not known."""
        self._clock.note_answer()
        if handler := _EVENTS.get(member(event, "type")):
            handler(self, event)
        return self._writer.take()

    def whole(self, message: Any) -> list[StreamEvent]:
        """Contract events of a reply that came in one piece: those that it would have given as a stream."""
        self.begin(message)
        for index, content in enumerate(message["content"]):
            self.start_block(index, content)
            self.stop_block(index)
        self.note_stop(message)
        self.finish()
        return self._writer.take()

    def begin(self, message: Any) -> None:
        """The reply begins."""
        self.note_usage(message)
        self._writer.begin()

    def start_block(self, key: Any, content: Any) -> None:
        """A block starts at the wire's index ``key``; one that is still open there has ended."""
        self._writer.open(key, _CONTENT.get(member(content, "type"), _skipped)(self, content))

    def delta(self, key: Any, delta: Any) -> None:
        """A fragment of the block at ``key``. Fragments that do not fit their block are left out."""
        kind, read = _DELTAS.get(member(delta, "type"), _NO_DELTA)
        body = read(delta)
        if body is None:
            return
        block = self._writer.at(key)
        if block is None and kind != _TOOL:  # the start of text or reasoning says nothing that is missed
            block = self._writer.open(key, Block(kind))
        if block is None or block.kind != kind:
            return
        if isinstance(block, _Call):
            block.whole_input = None
        self._writer.write(block, body)

    def stop_block(self, key: Any) -> None:
        """The block at ``key`` has ended."""
        self._writer.end(key)

    def finish(self) -> None:
        """The reply is complete: the ends of what is open, ``messageStop`` and ``metadata``."""
        self._writer.begin()
        self._writer.close()
        self.finished = True
        self._writer.events += [self._message_stop(), {"metadata": self._metadata()}]

    def note_stop(self, delta: Any) -> None:
        """Keep the last stop reason that is not null."""
        self._stop = member(delta, "stop_reason") or self._stop
        self._stop_sequence = member(delta, "stop_sequence") or self._stop_sequence

    def note_usage(self, holder: Any) -> None:
        """Merge usage: counts are cumulative, so the last value that is not null stands."""
        usage = member(holder, "usage")
        for vendor, own in _USAGE:
            value = member(usage, vendor)
            if value is not None:
                self._usage[own] = value

    def call(self, content: Any) -> Block:
        """A call of a tool."""
        self._called = True
        whole, name = member(content, "input"), member(content, "name") or ""
        text = whole if isinstance(whole, str) else json_text(whole) if whole else ""
        return _Call(
            _TOOL,
            tool={"name": self._names.get(name, name), "toolUseId": self._ids.unique(member(content, "id"))},
            whole_input={"toolUse": {"input": text}} if text else None,
        )

    def _message_stop(self) -> StreamEvent:
        reason = with_calls(read_stop(STOPS, self._stop), called=self._called, complete=True)
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
        metadata: Metadata = {"metrics": self._clock.metrics()}
        if self._usage:
            metadata["usage"] = _usage(self._usage)
        return metadata


def _usage(counts: Mapping[str, int]) -> Usage:
    """``inputTokens`` is the vendor's, without what was read from or written to the cache; the total has all parts."""
    return cast("Usage", {"inputTokens": 0, "outputTokens": 0, **counts, "totalTokens": sum(counts.values())})


def _skipped(_: Translator, __: Any) -> Block:
    """A block that the contract has no form for, such as a call of the vendor's own tools: nothing of it is told."""
    return Block(_SKIPPED)


def _block(kind: str, *found: DeltaBody | None) -> Block:
    """A block with what came with its start."""
    return Block(kind, [delta for delta in found if delta])


def _text_block(_: Translator, content: Any) -> Block:
    return _block(_TEXT, deltas.text(content), *map(deltas.cite, member(content, "citations") or ()))


def _thinking_block(_: Translator, content: Any) -> Block:
    return _block(_REASONING, deltas.thinking(content), deltas.signature(content))


def _redacted_block(_: Translator, content: Any) -> Block:
    return _block(_REASONING, deltas.redacted(content))


def _indexed(event: Any, name: str) -> tuple[Any, Any]:
    return member(event, "index"), member(event, name)


def _message_delta(translator: Translator, event: Any) -> None:
    translator.note_stop(member(event, "delta"))
    translator.note_usage(event)


def _error(_: Translator, event: Any) -> None:
    raise VendorError({"error": member(event, "error")})


_CONTENT: Final[Mapping[Any, Callable[[Translator, Any], Block]]] = {
    "text": _text_block,
    "thinking": _thinking_block,
    "redacted_thinking": _redacted_block,
    "tool_use": Translator.call,
}

_DELTAS: Final[Mapping[Any, tuple[str, Callable[[Any], DeltaBody | None]]]] = {
    "text_delta": (_TEXT, deltas.text),
    "citations_delta": (_TEXT, deltas.citation),
    "thinking_delta": (_REASONING, deltas.thinking),
    "signature_delta": (_REASONING, deltas.signature),
    "input_json_delta": (_TOOL, deltas.tool_input),
}
_NO_DELTA: Final[tuple[str, Callable[[Any], None]]] = (_SKIPPED, lambda _: None)

_EVENTS: Final[Mapping[Any, Callable[[Translator, Any], None]]] = {
    "message_start": lambda translator, event: translator.begin(member(event, "message")),
    "content_block_start": lambda translator, event: translator.start_block(*_indexed(event, "content_block")),
    "content_block_delta": lambda translator, event: translator.delta(*_indexed(event, "delta")),
    "content_block_stop": lambda translator, event: translator.stop_block(member(event, "index")),
    "message_delta": _message_delta,
    "message_stop": lambda translator, _: translator.finish(),
    "error": _error,
}
