"""Read a reply back, in whatever style it is told, without knowing which."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from harness.dialects.base import DecodeError
from harness.dialects.ollama_chat.stops import STOPS
from harness.dialects.openai_chat.stops import meaning
from harness.dialects.reply import Block, Reasoning, Reply, Text, ToolUse, Usage, json_text
from harness.wire.ndjson import NdjsonDecoder

Json = Mapping[str, Any]

_NANOSECONDS: Final = 1_000_000


@dataclass(slots=True)
class _Message:
    """A message as its objects have told it so far."""

    thinking: list[str] = field(default_factory=list)
    content: list[str] = field(default_factory=list)
    calls: list[ToolUse] = field(default_factory=list)

    def add(self, message: Json) -> None:
        """Take the message of an object."""
        self.thinking.append(message.get("thinking") or "")
        self.content.append(message.get("content") or "")
        self.calls += [_call(call) for call in message.get("tool_calls") or ()]

    def blocks(self) -> tuple[Block, ...]:
        """The blocks: thinking, text, then the calls."""
        thinking, content = "".join(self.thinking), "".join(self.content)
        said: list[Block] = [Reasoning(thinking)] if thinking else []
        said += [Text(content)] if content else []
        return (*said, *self.calls)


def decode_whole(body: bytes) -> Reply:
    """Read one JSON object."""
    return _read([body])


def decode_stream(body: bytes) -> Reply:
    """Read one object a line, up to the one that is done."""
    decoder = NdjsonDecoder()
    return _read([*decoder.feed(body), *decoder.finish()])


def _read(lines: list[bytes]) -> Reply:
    message = _Message()
    for line in lines:
        told = _object(line)
        message.add(told.get("message") or {})
        if told.get("done") is True:
            return _reply(message, told)
    raise DecodeError("the reply ended without an object that is done")


def _object(line: bytes) -> Json:
    try:
        told = json.loads(line)
    except ValueError as cause:
        raise DecodeError(f"not JSON: {line[:200]!r}") from cause
    if not isinstance(told, dict):
        raise DecodeError(f"not a JSON object: {line[:200]!r}")
    if "error" in told:
        raise DecodeError(f"an error in place of a reply: {told['error']}")
    return told


def _call(call: Json) -> ToolUse:
    function = call["function"]
    return ToolUse(call.get("id") or "", function["name"], json_text(function["arguments"]))


def _reply(message: _Message, last: Json) -> Reply:
    blocks = message.blocks()
    try:
        stop, wire_stop = meaning(STOPS, last.get("done_reason") or "stop", blocks)
    except ValueError as cause:
        raise DecodeError(str(cause)) from cause
    total = last.get("total_duration")
    return Reply(blocks, stop, wire_stop, _usage(last), None if total is None else total // _NANOSECONDS)


def _usage(last: Json) -> Usage | None:
    """The counts; one that is missing beside the other is zero, as nothing was left to evaluate."""
    counts = last.get("prompt_eval_count"), last.get("eval_count")
    return None if counts == (None, None) else Usage(counts[0] or 0, counts[1] or 0)
