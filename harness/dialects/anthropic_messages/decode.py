"""Replies out of bytes. What the client did not ask for is passed over: pings, unknown events, blocks and deltas."""

import binascii
import json
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from harness.dialects.anthropic_messages.locations import from_wire
from harness.dialects.anthropic_messages.stops import read_stop
from harness.dialects.base import DecodeError
from harness.dialects.reply import Block, Reasoning, RedactedReasoning, Reply, Text, ToolUse, Usage, json_text
from harness.wire.sse import SseDecoder

Wire = dict[str, Any]


def decode_whole(body: bytes) -> Reply:
    """Read one JSON body. Raises DecodeError for an error, or what is not a whole message."""
    with _explained("message"):
        return _reply(_object(body.decode()))


def decode_stream(body: bytes) -> Reply:
    """Read a stream. Raises DecodeError for an error event, a broken order, or an end before ``message_stop``."""
    decoder = SseDecoder()
    stream = _Stream()
    with _explained("stream"):
        for event in decoder.feed(body) + decoder.finish():
            stream.take(_object(event.data))
        return _reply(stream.finished())


@contextmanager
def _explained(what: str) -> Iterator[None]:
    """Whatever is missing or of another type makes the bytes something else than ``what``."""
    try:
        yield
    except DecodeError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise DecodeError(f"not a whole {what}: {error!r}") from error


def _object(text: str) -> Wire:
    value = json.loads(text)
    if not isinstance(value, dict):
        raise DecodeError(f"not a JSON object: {text[:80]!r}")
    if value.get("type") == "error":
        raise DecodeError(f"an error: {value.get('error')!r}")
    return value


# --- the stream, put together as a whole message ----------------------------------------------------------------


@dataclass(slots=True)
class _Stream:
    """The message so far. ``open`` are the indices of blocks without their stop; ``raw`` the arguments' text."""

    message: Wire | None = None
    blocks: dict[int, Wire] = field(default_factory=dict)
    open: set[int] = field(default_factory=set)
    ended: bool = False

    def take(self, event: Wire) -> None:
        handle = _EVENTS.get(event["type"])
        if handle is None:
            return
        if self.ended or (self.message is None) != (handle is _start):
            raise DecodeError(f"{event['type']} at a place that has none")
        handle(self, event)

    def finished(self) -> Wire:
        if self.message is None or not self.ended or self.open:
            raise DecodeError("the stream ended before its message did")
        return {**self.message, "content": [self.blocks[index] for index in sorted(self.blocks)]}


def _start(stream: _Stream, event: Wire) -> None:
    stream.message = dict(event["message"])


def _open(stream: _Stream, event: Wire) -> None:
    index = event["index"]
    if index in stream.blocks:
        raise DecodeError(f"block {index} starts twice")
    stream.blocks[index] = dict(event["content_block"])
    stream.open.add(index)


def _grow(stream: _Stream, event: Wire) -> None:
    index, delta = event["index"], event["delta"]
    if index not in stream.open:
        raise DecodeError(f"a delta of block {index}, which is not open")
    known = _DELTAS.get(delta["type"])
    block = stream.blocks[index]
    if known and block["type"] in _READERS:
        kind, key, add = known
        if block["type"] != kind:
            raise DecodeError(f"a {delta['type']} in a {block['type']} block")
        add(block, delta[key])


def _close(stream: _Stream, event: Wire) -> None:
    stream.open.remove(event["index"])


def _update(stream: _Stream, event: Wire) -> None:
    assert stream.message is not None  # take() lets nothing but message_start through before
    for key, value in event["delta"].items():
        if value is not None:
            stream.message[key] = value
    told = {key: value for key, value in event["usage"].items() if value is not None}
    stream.message["usage"] = {**stream.message["usage"], **told}


def _end(stream: _Stream, _: Wire) -> None:
    stream.ended = True


_EVENTS: Final[dict[str, Callable[[_Stream, Wire], None]]] = {
    "message_start": _start,
    "content_block_start": _open,
    "content_block_delta": _grow,
    "content_block_stop": _close,
    "message_delta": _update,
    "message_stop": _end,
}


def _append(key: str) -> Callable[[Wire, str], None]:
    def append(block: Wire, piece: str) -> None:
        block[key] = block.get(key, "") + piece

    return append


def _sign(block: Wire, signature: str) -> None:
    block["signature"] = signature


def _cite(block: Wire, citation: Wire) -> None:
    block["citations"] = [*(block.get("citations") or ()), citation]


#: where fragments of arguments are kept, beside the empty ``input`` that came with the block's start
_FRAGMENTS: Final = "partial_json"

#: by type of delta: the type of block it belongs to, its own member, and how it is added
_DELTAS: Final[dict[str, tuple[str, str, Callable[[Wire, Any], None]]]] = {
    "text_delta": ("text", "text", _append("text")),
    "citations_delta": ("text", "citation", _cite),
    "input_json_delta": ("tool_use", "partial_json", _append(_FRAGMENTS)),
    "thinking_delta": ("thinking", "thinking", _append("thinking")),
    "signature_delta": ("thinking", "signature", _sign),
}


# --- the message ------------------------------------------------------------------------------------------------


def _reply(message: Wire) -> Reply:
    stop, wire_stop = read_stop(_text(message["stop_reason"]))
    blocks = tuple(_READERS[block["type"]](block) for block in message["content"] if block["type"] in _READERS)
    return Reply(blocks, stop, wire_stop, _usage(message["usage"]))


def _usage(wire: Mapping[str, Any]) -> Usage:
    return Usage(
        wire["input_tokens"],
        wire["output_tokens"],
        cache_read=wire.get("cache_read_input_tokens"),
        cache_write=wire.get("cache_creation_input_tokens"),
    )


def _read_text(block: Wire) -> Text:
    return Text(_text(block["text"]), tuple(map(from_wire, block.get("citations") or ())))


def _read_tool(block: Wire) -> ToolUse:
    fragments = block.get(_FRAGMENTS, "")
    arguments = fragments if fragments.strip() else json_text(block["input"])
    return ToolUse(_text(block["id"]), _text(block["name"]), arguments)


def _read_reasoning(block: Wire) -> Reasoning:
    return Reasoning(_text(block["thinking"]), block.get("signature") or None)


def _read_redacted(block: Wire) -> RedactedReasoning:
    try:
        return RedactedReasoning(b64decode(block["data"], validate=True))
    except binascii.Error as error:
        raise DecodeError(f"redacted thinking that is not base64: {block['data'][:40]!r}") from error


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise DecodeError(f"{value!r} where text belongs")
    return value


_READERS: Final[dict[str, Callable[[Wire], Block]]] = {
    "text": _read_text,
    "tool_use": _read_tool,
    "thinking": _read_reasoning,
    "redacted_thinking": _read_redacted,
}
