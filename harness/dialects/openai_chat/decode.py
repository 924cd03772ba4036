"""Read a reply back, in whatever style it is told, without knowing which."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.dialects.base import DecodeError, StopRow
from harness.dialects.openai_chat.stops import meaning
from harness.dialects.reply import Block, Reasoning, Refusal, Reply, Text, ToolUse, Usage, json_text
from harness.wire.sse import SseDecoder, SseEvent

Json = Mapping[str, Any]


@dataclass(slots=True)
class _Call:
    """A call as its fragments have told it so far."""

    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Message:
    """A message as its deltas have told it so far; a whole message is one delta."""

    reasoning: list[str] = field(default_factory=list)
    content: list[str] = field(default_factory=list)
    #: text that came behind a call, by the number of calls before it
    late: dict[int, list[str]] = field(default_factory=dict)
    refusal: list[str] = field(default_factory=list)
    calls: list[_Call] = field(default_factory=list)
    by_index: dict[int, _Call] = field(default_factory=dict)
    finish: str | None = None
    usage: Usage | None = None

    def add(self, delta: Json) -> None:
        """Take a delta, or a whole message."""
        self.reasoning += _reasoning(delta)
        content = delta.get("content")
        if isinstance(content, list):
            self._add_parts(content)
        elif content:
            self._words().append(content)
        if delta.get("refusal"):
            self.refusal.append(delta["refusal"])
        for fragment in delta.get("tool_calls") or ():
            self._add_fragment(fragment)

    def _add_parts(self, parts: Iterable[Json]) -> None:
        for part in parts:
            if part.get("type") == "text":
                self._words().append(part["text"])

    def _words(self) -> list[str]:
        """Where text that comes now belongs: before all calls, or behind those that have begun."""
        return self.late.setdefault(len(self.calls), []) if self.calls else self.content

    def _add_fragment(self, fragment: Json) -> None:
        function = fragment.get("function") or {}
        call = self._call_of(fragment.get("id") or "", fragment.get("index"), function.get("name") or "")
        call.name = call.name or function.get("name") or ""
        arguments = function.get("arguments")
        if arguments is not None:
            call.arguments.append(arguments if isinstance(arguments, str) else json_text(arguments))

    def _call_of(self, call_id: str, index: int | None, name: str) -> _Call:
        """The call a fragment belongs to: an id decides, then an index of its own, then whether it brings a name."""
        call = self._known(call_id, index, name)
        if call is None:
            call = _Call(call_id)
            self.calls.append(call)
        if index is not None:
            self.by_index[index] = call
        return call

    def _known(self, call_id: str, index: int | None, name: str) -> _Call | None:
        if call_id:
            return next((call for call in self.calls if call.id == call_id), None)
        if index is not None:
            return self.by_index.get(index)
        current = self.calls[-1] if self.calls else None
        return None if current and name and current.name else current

    def blocks(self) -> tuple[Block, ...]:
        """The blocks, in the order of the family; only text may come behind calls (Kimi by Avian sends some)."""
        words = [(Reasoning, self.reasoning), (Text, self.content), (Refusal, self.refusal)]
        said = [kind("".join(pieces)) for kind, pieces in words if any(pieces)]
        return (*said, *self._calls_and_late_words())

    def _calls_and_late_words(self) -> Iterator[Block]:
        for number, call in enumerate(self.calls, start=1):
            yield ToolUse(call.id, call.name, "".join(call.arguments))
            if any(self.late.get(number, ())):
                yield Text("".join(self.late[number]))


def decode_whole(body: bytes, stops: tuple[StopRow, ...]) -> Reply:
    """Read one JSON body."""
    parsed = _object(body.decode(errors="replace"))
    _refuse_error(parsed)
    choice = _first_choice(parsed)
    if choice is None:
        raise DecodeError("a reply without choices")
    _refuse_error(choice)
    message = _Message(finish=choice.get("finish_reason") or None, usage=_usage(parsed))
    message.add(choice.get("message") or {})
    return _reply(message, stops)


def decode_stream(body: bytes, stops: tuple[StopRow, ...]) -> Reply:
    """Read a stream's events; it is whole when a finish_reason or ``[DONE]`` came."""
    decoder = SseDecoder()
    message, done = _Message(), False
    for event in (*decoder.feed(body), *decoder.finish()):
        if done := event.data.startswith("[DONE]"):
            break
        _take_event(event, message)
    if message.finish is None and not done:
        raise DecodeError("the stream ended without a finish_reason or [DONE]")
    return _reply(message, stops)


def _take_event(event: SseEvent, message: _Message) -> None:
    chunk = _object(event.data)
    _refuse_error(chunk)
    if event.event == "error":
        raise DecodeError(f"an error event: {event.data[:200]}")
    message.usage = _usage(chunk) or message.usage
    choice = _first_choice(chunk)
    if choice is not None:
        _refuse_error(choice)
        message.add(choice.get("delta") or {})
        message.finish = choice.get("finish_reason") or message.finish


def _reply(message: _Message, stops: tuple[StopRow, ...]) -> Reply:
    blocks = message.blocks()
    finish = message.finish if message.finish is not None else _unsaid(blocks)
    try:
        stop, wire_stop = meaning(stops, finish, blocks)
    except ValueError as cause:
        raise DecodeError(str(cause)) from cause
    return Reply(blocks, stop, wire_stop, message.usage)


def _unsaid(blocks: tuple[Block, ...]) -> str:
    """What it means that no reason is named, or an empty one, as by Snowflake and once by OpenRouter."""
    return "tool_calls" if any(isinstance(block, ToolUse) for block in blocks) else "stop"


def _object(text: str) -> Json:
    try:
        parsed = json.loads(text)
    except ValueError as cause:
        raise DecodeError(f"not JSON: {text[:200]!r}") from cause
    if not isinstance(parsed, dict):
        raise DecodeError(f"not a JSON object: {text[:200]!r}")
    return parsed


def _refuse_error(holder: Json) -> None:
    if holder.get("error"):
        raise DecodeError(f"an error in place of a reply: {holder['error']}")


def _first_choice(holder: Json) -> Json | None:
    """The choice with index 0: with ``n`` above 1, a reply is only the first."""
    choices: list[Json] = holder.get("choices") or []
    return next((choice for choice in choices if choice.get("index", 0) == 0), None)


def _reasoning(delta: Json) -> list[str]:
    for name in ("reasoning_content", "reasoning"):
        if delta.get(name):
            return [delta[name]]
    return [detail["text"] for detail in delta.get("reasoning_details") or () if detail.get("text")]


def _usage(holder: Json) -> Usage | None:
    usage = holder.get("usage") or (holder.get("x_groq") or {}).get("usage")
    if not usage:
        return None
    details = usage.get("prompt_tokens_details") or usage.get("prompt_token_details") or {}
    return Usage(
        usage["prompt_tokens"],
        usage["completion_tokens"],
        usage.get("total_tokens"),
        details.get("cached_tokens"),
        details.get("cache_write_tokens"),
    )
