"""Bedrock's bytes as replies. Server tools' own calls and results are no part of a reply, and are passed over."""

import json
from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from harness.dialects.base import DecodeError
from harness.dialects.bedrock_converse.guardrail import read_guardrail
from harness.dialects.bedrock_converse.stops import read_stop
from harness.dialects.reply import (
    Block,
    Citation,
    Reasoning,
    RedactedReasoning,
    Reply,
    Text,
    ToolUse,
    Usage,
)
from harness.wire.errors import WireError
from harness.wire.eventstream import EventStreamDecoder, EventStreamMessage

_SERVER_TOOL: Final = "server_tool_use"


@dataclass(slots=True)
class _OpenBlock:
    """What a block's events said so far."""

    tool: Mapping[str, Any] | None = None
    server: bool = False
    texts: list[str] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    signature: str = ""
    redacted: bytes | None = None
    arguments: list[str] = field(default_factory=list)

    def block(self) -> Block | None:
        """The block; None where it says nothing."""
        if self.server:
            return None
        if self.tool is not None:
            arguments = "".join(self.arguments)
            return ToolUse(self.tool["toolUseId"], self.tool["name"], arguments if arguments.strip() else "{}")
        if self.redacted is not None:
            return RedactedReasoning(self.redacted)
        if self.reasoning or self.signature:
            return _reasoning("".join(self.reasoning), self.signature)
        return _text("".join(self.texts), self.citations)


@dataclass(slots=True)
class _Reader:
    """The events of a reply, as they come."""

    started: bool = False
    open: dict[int, _OpenBlock] = field(default_factory=dict)
    blocks: list[Block] = field(default_factory=list)
    stop: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def message_start(self, payload: Mapping[str, Any]) -> None:
        if payload["role"] != "assistant":
            raise DecodeError(f"a reply of the role {payload['role']!r}")
        self.started = True

    def block_start(self, payload: Mapping[str, Any]) -> None:
        start = payload["start"]
        tool = start.get("toolUse")
        server = "toolResult" in start or (tool or {}).get("type") == _SERVER_TOOL
        if payload["contentBlockIndex"] in self.open:
            raise DecodeError(f"block {payload['contentBlockIndex']} starts twice")
        self.open[payload["contentBlockIndex"]] = _OpenBlock(tool, server)

    def block_delta(self, payload: Mapping[str, Any]) -> None:
        block = self.open.setdefault(payload["contentBlockIndex"], _OpenBlock())
        for kind, value in payload["delta"].items():
            _DELTAS[kind](block, value)

    def block_stop(self, payload: Mapping[str, Any]) -> None:
        block = self.open.pop(payload["contentBlockIndex"], _OpenBlock()).block()
        if block is not None:
            self.blocks.append(block)

    def message_stop(self, payload: Mapping[str, Any]) -> None:
        if self.open:
            raise DecodeError(f"messageStop while the blocks {sorted(self.open)} are open")
        self.stop = payload["stopReason"]

    def take_metadata(self, payload: Mapping[str, Any]) -> None:
        self.metadata = payload


_EVENTS: Final[Mapping[str, Callable[[_Reader, Mapping[str, Any]], None]]] = {
    "messageStart": _Reader.message_start,
    "contentBlockStart": _Reader.block_start,
    "contentBlockDelta": _Reader.block_delta,
    "contentBlockStop": _Reader.block_stop,
    "messageStop": _Reader.message_stop,
    "metadata": _Reader.take_metadata,
}


def _on_tool_input(block: _OpenBlock, value: Mapping[str, Any]) -> None:
    if block.tool is None:
        raise DecodeError("tool input in a block that no contentBlockStart opened")
    block.arguments.append(value["input"])


def _on_reasoning(block: _OpenBlock, value: Mapping[str, Any]) -> None:
    block.reasoning.append(value.get("text", ""))
    block.signature += value.get("signature", "")
    if "redactedContent" in value:
        block.redacted = (block.redacted or b"") + b64decode(value["redactedContent"], validate=True)


_DELTAS: Final[Mapping[str, Callable[[_OpenBlock, Any], None]]] = {
    "text": lambda block, value: block.texts.append(value),
    "citation": lambda block, value: block.citations.append(_citation(value)),
    "toolUse": _on_tool_input,
    "toolResult": lambda _block, _value: None,
    "reasoningContent": _on_reasoning,
}


def decode_stream(body: bytes) -> Reply:
    """Read an event stream. Raises DecodeError for an unfinished one, and for one that ends in an error."""
    reader = _Reader()
    try:
        for message in _messages(body):
            _read_message(reader, message)
    except (WireError, LookupError, ValueError, TypeError, AttributeError) as cause:
        raise cause if isinstance(cause, DecodeError) else DecodeError(f"not a reply: {cause!r}") from cause
    if reader.stop is None or not reader.started:
        raise DecodeError("the stream ended without messageStop")
    return _reply(reader.blocks, reader.stop, reader.metadata)


def _messages(body: bytes) -> Iterable[EventStreamMessage]:
    decoder = EventStreamDecoder()
    return decoder.feed(body) + decoder.finish()


def _read_message(reader: _Reader, message: EventStreamMessage) -> None:
    headers = message.headers
    if headers.get(":message-type") != "event":
        raise DecodeError(f"an error: {dict(headers)} {message.payload!r}")
    name = str(headers[":event-type"])
    if name not in _EVENTS:
        return
    if (reader.stop is not None) != (name == "metadata") or reader.started == (name == "messageStart"):
        raise DecodeError(f"{name} out of order")
    _EVENTS[name](reader, json.loads(message.payload))


def decode_whole(body: bytes) -> Reply:
    """Read a JSON body. Raises DecodeError for anything but a whole reply."""
    try:
        document = json.loads(body)
        found = [_read_block(block) for block in document["output"]["message"]["content"]]
        return _reply([block for block in found if block is not None], document["stopReason"], document)
    except (LookupError, ValueError, TypeError, AttributeError) as cause:
        raise DecodeError(f"not a reply: {cause!r} in {body[:200]!r}") from cause


def _read_block(block: Mapping[str, Any]) -> Block | None:
    (kind,) = block
    return _BLOCKS[kind](block[kind])


def _read_tool(value: Mapping[str, Any]) -> Block | None:
    if value.get("type") == _SERVER_TOOL:
        return None
    return ToolUse.of(value["toolUseId"], value["name"], value["input"])


def _read_reasoning(value: Mapping[str, Any]) -> Block | None:
    if "redactedContent" in value:
        return RedactedReasoning(b64decode(value["redactedContent"], validate=True))
    return _reasoning(value["reasoningText"]["text"], value["reasoningText"].get("signature", ""))


def _read_citations(value: Mapping[str, Any]) -> Block | None:
    text = "".join(piece["text"] for piece in value.get("content", ()))
    return _text(text, map(_citation, value.get("citations", ())))


_BLOCKS: Final[Mapping[str, Callable[[Any], Block | None]]] = {
    "text": lambda value: _text(value, ()),
    "citationsContent": _read_citations,
    "toolUse": _read_tool,
    "toolResult": lambda _value: None,
    "reasoningContent": _read_reasoning,
}


def _text(text: str, citations: Iterable[Citation]) -> Block | None:
    block = Text(text, tuple(citations))
    return block if block.text or block.citations else None


def _reasoning(text: str, signature: str) -> Block | None:
    return Reasoning(text, signature or None) if text or signature else None


def _citation(value: Mapping[str, Any]) -> Citation:
    pieces = value.get("sourceContent")
    source = None if pieces is None else "".join(piece["text"] for piece in pieces)
    return Citation(value.get("title"), source, value.get("location"))


def _reply(blocks: list[Block], stop: str, closing: Mapping[str, Any]) -> Reply:
    means, wire = read_stop(stop, with_tools=any(isinstance(block, ToolUse) for block in blocks))
    return Reply(
        tuple(blocks),
        means,
        wire,
        _usage(closing.get("usage")),
        closing.get("metrics", {}).get("latencyMs"),
        read_guardrail(closing.get("trace")),
    )


def _usage(usage: Mapping[str, Any] | None) -> Usage | None:
    if usage is None:
        return None
    return Usage(
        usage["inputTokens"],
        usage["outputTokens"],
        usage["totalTokens"],
        usage.get("cacheReadInputTokens"),
        usage.get("cacheWriteInputTokens"),
    )
