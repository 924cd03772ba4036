"""Read a reply back, in whatever style it is told, without knowing which."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.dialects.base import DecodeError, StopRow
from harness.dialects.llama_api.metrics import read_metrics
from harness.dialects.openai_chat.stops import meaning
from harness.dialects.reply import Block, Reply, Text, ToolUse, Usage
from harness.wire.sse import SseDecoder, SseEvent

Json = Mapping[str, Any]


@dataclass(slots=True)
class _Call:
    """A call as its fragments have told it so far."""

    id: str
    name: str
    arguments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Said:
    """A message as its events have told it so far."""

    text: list[str] = field(default_factory=list)
    calls: list[_Call] = field(default_factory=list)
    stop_reason: str | None = None
    usage: Usage | None = None

    def take(self, event: Json) -> None:
        """Take an event."""
        delta = event.get("delta") or {}
        if delta.get("type") == "tool_call":
            self._take_fragment(delta)
        elif delta.get("text"):
            self.text.append(delta["text"])
        self.stop_reason = event.get("stop_reason") or self.stop_reason
        self.usage = read_metrics(event.get("metrics")) or self.usage

    def _take_fragment(self, delta: Json) -> None:
        function = delta.get("function") or {}
        if function.get("name"):
            self.calls.append(_Call(delta.get("id") or "", function["name"]))
        if not self.calls:
            raise DecodeError(f"arguments of no call: {delta}")
        self.calls[-1].arguments.append(function.get("arguments") or "")


def decode_whole(body: bytes, stops: Iterable[StopRow]) -> Reply:
    """Read one JSON body."""
    parsed = _object(body.decode(errors="replace"))
    message = parsed.get("completion_message")
    if not isinstance(message, dict) or not message.get("stop_reason"):
        raise DecodeError(f"not a completion message: {str(parsed)[:200]}")
    said = _Said([_text(message.get("content"))], stop_reason=message["stop_reason"])
    for call in message.get("tool_calls") or ():
        said.calls.append(_Call(call["id"], call["function"]["name"], [call["function"]["arguments"]]))
    said.usage = read_metrics(parsed.get("metrics"))
    return _reply(said, stops)


def decode_stream(body: bytes, stops: Iterable[StopRow]) -> Reply:
    """Read a stream's events; it is whole when a stop_reason came."""
    decoder, said = SseDecoder(), _Said()
    for event in (*decoder.feed(body), *decoder.finish()):
        said.take(_event(event))
    return _reply(said, stops)


def _event(event: SseEvent) -> Json:
    if event.event == "error":
        raise DecodeError(f"an error event: {event.data[:200]}")
    inner = _object(event.data).get("event")
    if not isinstance(inner, dict):
        raise DecodeError(f"a chunk without an event: {event.data[:200]}")
    return inner


def _reply(said: _Said, stops: Iterable[StopRow]) -> Reply:
    if said.stop_reason is None:
        raise DecodeError("the stream ended without a stop_reason")
    text = "".join(said.text)
    calls = (ToolUse(call.id, call.name, "".join(call.arguments)) for call in said.calls)
    blocks: tuple[Block, ...] = (*([Text(text)] if text else []), *calls)
    try:
        stop, wire_stop = meaning(stops, said.stop_reason, blocks)
    except ValueError as cause:
        raise DecodeError(str(cause)) from cause
    return Reply(blocks, stop, wire_stop, said.usage)


def _text(content: Any) -> str:
    if isinstance(content, dict):
        return str(content["text"])
    return content or ""


def _object(text: str) -> Json:
    try:
        parsed = json.loads(text)
    except ValueError as cause:
        raise DecodeError(f"not JSON: {text[:200]!r}") from cause
    if not isinstance(parsed, dict):
        raise DecodeError(f"not a JSON object: {text[:200]!r}")
    return parsed
