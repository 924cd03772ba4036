"""Read a reply back, in whatever style it is told, without knowing which."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from harness.dialects.base import DecodeError
from harness.dialects.gemini_generate.enums import FINISH_NAMES
from harness.dialects.gemini_generate.partial import assemble
from harness.dialects.gemini_generate.stops import read_block, read_stop
from harness.dialects.reply import Block, Reasoning, Reply, Text, ToolUse, Usage, json_text
from harness.wire.sse import SseDecoder

Json = Mapping[str, Any]


@dataclass(slots=True)
class _Call:
    """A call that more parts may continue."""

    id: str
    name: str
    signature: str | None
    arguments: dict[str, Any]
    pieces: list[Json] = field(default_factory=list)
    open: bool = False

    def block(self) -> ToolUse:
        """The call as a block."""
        value = assemble(self.pieces) if self.pieces else self.arguments
        return ToolUse(self.id, self.name, json_text(value), self.signature)


@dataclass(slots=True)
class _Message:
    """A reply as its chunks have told it so far; a whole reply is one chunk."""

    blocks: list[Text | Reasoning | _Call] = field(default_factory=list)
    finish: str | None = None
    blocked: str | None = None
    usage: Usage | None = None

    def take(self, chunk: Json) -> None:
        """Take a chunk. Raises DecodeError for an error."""
        if chunk.get("error"):
            raise DecodeError(f"an error in place of a reply: {chunk['error']}")
        self.usage = _usage(chunk.get("usageMetadata") or {}) or self.usage
        self.blocked = (chunk.get("promptFeedback") or {}).get("blockReason") or self.blocked
        candidate = _first(chunk)
        for part in (candidate.get("content") or {}).get("parts") or ():
            self._take_part(part)
        self.finish = _reason(candidate.get("finishReason")) or self.finish

    def _take_part(self, part: Json) -> None:
        for name, take in _TAKERS.items():
            if name in part:
                take(self, part)

    def take_text(self, part: Json) -> None:
        """Words, of the last block where that is open for them."""
        text = part["text"]
        kind: type[Text | Reasoning] = Reasoning if part.get("thought") else Text
        last = self.blocks[-1] if self.blocks else None
        signature = part.get("thoughtSignature") if kind is Reasoning else None
        if isinstance(last, kind) and not isinstance(last, _Call) and getattr(last, "signature", None) is None:
            self.blocks.pop()
            text = last.text + text
        if text or signature:
            self.blocks.append(Reasoning(text, signature) if kind is Reasoning else Text(text))

    def take_call(self, part: Json) -> None:
        """A call, or a piece of the one that is open."""
        call = part["functionCall"]
        last = self.blocks[-1] if self.blocks else None
        if isinstance(last, _Call) and last.open and not call.get("name"):
            last.pieces += call.get("partialArgs") or ()
            last.open = call.get("willContinue") is True
            return
        told = _Call(call.get("id") or "", call["name"], part.get("thoughtSignature"), call.get("args") or {})
        told.open = call.get("willContinue") is True
        self.blocks.append(told)

    def reply(self) -> Reply:
        """The reply. Raises DecodeError when it has not ended."""
        blocks: tuple[Block, ...] = tuple(each.block() if isinstance(each, _Call) else each for each in self.blocks)
        if self.finish is not None:
            try:
                return Reply(blocks, *read_stop(self.finish, blocks), self.usage)
            except ValueError as cause:
                raise DecodeError(str(cause)) from cause
        if self.blocked is None:
            raise DecodeError("the reply ended without a finishReason or a blockReason")
        return Reply(blocks, *read_block(self.blocked), self.usage)


_TAKERS: Final[Mapping[str, Callable[[_Message, Json], None]]] = {
    "text": _Message.take_text,
    "functionCall": _Message.take_call,
}


def decode_whole(body: bytes) -> Reply:
    """Read one JSON body."""
    return _read([_object(_json(body.decode(errors="replace")))])


def decode_stream(body: bytes) -> Reply:
    """Read server-sent events, or the JSON array that comes to requests without ``alt=sse``."""
    start = body.lstrip()[:1]
    if start in (b"[", b"{"):
        parsed = _json(body.decode(errors="replace"))
        return _read(map(_object, parsed if isinstance(parsed, list) else [parsed]))
    decoder = SseDecoder()
    events = [*decoder.feed(body), *decoder.finish()]
    return _read(_object(_json(event.data)) for event in events)


def _read(chunks: Iterable[Json]) -> Reply:
    message = _Message()
    try:
        for chunk in chunks:
            message.take(chunk)
    except (KeyError, TypeError, AttributeError) as cause:
        raise DecodeError(f"not a reply of this protocol: {cause!r}") from cause
    return message.reply()


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as cause:
        raise DecodeError(f"not JSON: {text[:200]!r}") from cause


def _object(parsed: Any) -> Json:
    if not isinstance(parsed, dict):
        raise DecodeError(f"not a JSON object: {str(parsed)[:200]}")
    return parsed


def _first(chunk: Json) -> Json:
    """The candidate with index 0: with ``candidateCount`` above 1, a reply is only the first."""
    return next((each for each in chunk.get("candidates") or () if not each.get("index")), {})


def _reason(value: Any) -> str | None:
    return FINISH_NAMES.get(value, str(value)) if isinstance(value, int) else value


#: counters that are all absent where a chunk tells only of its traffic
_COUNTERS: Final = ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "totalTokenCount")


def _usage(counts: Json) -> Usage | None:
    if not any(counts.get(name) for name in _COUNTERS):
        return None
    prompt, written, thoughts, by_tools = (
        counts.get(name) or 0
        for name in ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "toolUsePromptTokenCount")
    )
    return Usage(
        prompt + by_tools,
        written + thoughts,
        counts.get("totalTokenCount"),
        counts.get("cachedContentTokenCount"),
    )
