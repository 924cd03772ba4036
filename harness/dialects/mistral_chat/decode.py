"""Read a reply back, in whatever style it is told, without knowing which."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from harness.dialects.base import DecodeError
from harness.dialects.mistral_chat.stops import STOPS
from harness.dialects.openai_chat.stops import meaning
from harness.dialects.reply import Block, Reasoning, Reply, Text, ToolUse, Usage, json_text
from harness.wire.sse import SseDecoder

Json = Mapping[str, Any]

#: ids that are none: SDKs fill in the word where the wire has no id
_NO_ID: Final = (None, "", "null")


@dataclass(slots=True)
class _Call:
    """A call as its fragments have told it so far."""

    id: str
    name: str
    arguments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Message:
    """A message as its deltas have told it so far; a whole message is one delta."""

    thinking: list[str] = field(default_factory=list)
    content: list[str] = field(default_factory=list)
    calls: list[_Call] = field(default_factory=list)
    by_index: dict[int, _Call] = field(default_factory=dict)
    finish: str | None = None
    usage: Usage | None = None

    def add(self, delta: Json) -> None:
        """Take a delta, or a whole message."""
        content = delta.get("content") or ""
        for part in content if isinstance(content, list) else [{"type": "text", "text": content}]:
            self._add_part(part)
        for fragment in delta.get("tool_calls") or ():
            self._add_fragment(fragment)

    def _add_part(self, part: Json) -> None:
        if part.get("type") == "thinking":
            self.thinking += [inner["text"] for inner in part["thinking"] if inner.get("type") == "text"]
        elif part.get("type") == "text":
            self.content.append(part["text"])

    def _add_fragment(self, fragment: Json) -> None:
        call = self._call_of(fragment)
        arguments = fragment["function"].get("arguments")
        if arguments is not None:
            call.arguments.append(arguments if isinstance(arguments, str) else json_text(arguments))

    def _call_of(self, fragment: Json) -> _Call:
        """The call that a fragment belongs to: an id begins one, anything else continues that of its index."""
        index, call_id = fragment.get("index"), fragment.get("id")
        known = self.by_index.get(index) if index is not None else None
        if call_id in _NO_ID and known is not None:
            return known
        call = _Call("" if call_id in _NO_ID else str(call_id), fragment["function"]["name"])
        self.calls.append(call)
        if index is not None:
            self.by_index[index] = call
        return call

    def blocks(self) -> tuple[Block, ...]:
        """The blocks: thinking, text, then the calls."""
        thinking, content = "".join(self.thinking), "".join(self.content)
        said: list[Block] = [Reasoning(thinking)] if thinking else []
        said += [Text(content)] if content else []
        return (*said, *(ToolUse(call.id, call.name, "".join(call.arguments)) for call in self.calls))


def decode_whole(body: bytes) -> Reply:
    """Read one JSON body."""
    parsed = _object(body.decode(errors="replace"))
    choice = _choice(parsed)
    if choice is None:
        raise DecodeError("a reply without choices")
    message = _Message(finish=choice.get("finish_reason"), usage=_usage(parsed))
    message.add(choice.get("message") or {})
    return _reply(message)


def decode_stream(body: bytes) -> Reply:
    """Read a stream's events; it is whole when a finish_reason came."""
    decoder, message = SseDecoder(), _Message()
    for event in (*decoder.feed(body), *decoder.finish()):
        if event.data.startswith("[DONE]"):
            break
        chunk = _object(event.data)
        choice = _choice(chunk) or {}
        message.add(choice.get("delta") or {})
        message.finish = choice.get("finish_reason") or message.finish
        message.usage = _usage(chunk) or message.usage
    return _reply(message)


def _reply(message: _Message) -> Reply:
    if message.finish is None:
        raise DecodeError("the reply ended without a finish_reason")
    blocks = message.blocks()
    try:
        stop, wire_stop = meaning(STOPS, message.finish, blocks)
    except ValueError as cause:
        raise DecodeError(str(cause)) from cause
    return Reply(blocks, stop, wire_stop, message.usage)


def _object(text: str) -> Json:
    try:
        parsed = json.loads(text)
    except ValueError as cause:
        raise DecodeError(f"not JSON: {text[:200]!r}") from cause
    if not isinstance(parsed, dict) or parsed.get("object") == "error" or "detail" in parsed:
        raise DecodeError(f"not a reply: {text[:200]!r}")
    return parsed


def _choice(holder: Json) -> Json | None:
    """The choice with index 0: with ``n`` above 1, a reply is only the first."""
    return next((choice for choice in holder.get("choices") or () if choice.get("index", 0) == 0), None)


def _usage(holder: Json) -> Usage | None:
    usage = holder.get("usage")
    if not usage:
        return None
    details = usage.get("prompt_tokens_details") or {}
    cached = details.get("cached_tokens", usage.get("num_cached_tokens"))
    return Usage(usage["prompt_tokens"], usage["completion_tokens"], usage["total_tokens"], cached)
