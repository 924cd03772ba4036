"""The dialect as one object."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from harness.dialects.base import (
    Axis,
    DecodeError,
    Order,
    RequestFault,
    RequestView,
    Shape,
    StopRow,
    Style,
    VendorError,
    WireReply,
    WireRequest,
)
from harness.dialects.ollama_chat.check import check_request
from harness.dialects.ollama_chat.decode import decode_stream, decode_whole
from harness.dialects.ollama_chat.encode import check_shape, encode_stream, encode_whole
from harness.dialects.ollama_chat.errors import ERRORS
from harness.dialects.ollama_chat.manner import STREAM_TYPE, manner
from harness.dialects.ollama_chat.requests import read_request
from harness.dialects.ollama_chat.stops import STOPS
from harness.dialects.ollama_chat.styles import AXES, resolve
from harness.dialects.openai_chat.requests import body_object
from harness.dialects.openai_chat.stops import meaning, wire_value
from harness.dialects.reply import Block, Reasoning, Reply, Text, ToolUse, Usage, json_text

SHAPE: Final = Shape(
    blocks=frozenset({Reasoning, Text, ToolUse}),
    order=Order.GROUPED,
    signed=False,
    citations=False,
    citation_locations=(),
    tool_id_pattern=r"call_[a-z0-9]{8}",
    cut_arguments=(False, False),
    cache_read=False,
    cache_write=False,
    input_includes_cache=True,
    total=False,
    latency=True,
)


@dataclass(frozen=True)
class OllamaChat:
    """Ollama's chat endpoint, as its releases, its cloud and its imitators serve it."""

    name: str = "ollama_chat"
    axes: tuple[Axis, ...] = AXES
    shape: Shape = SHAPE
    stops: tuple[StopRow, ...] = STOPS
    errors: tuple[VendorError, ...] = ERRORS

    def encode(self, reply: Reply, style: Style, *, stream: bool) -> WireReply:
        """Say ``reply``; an axis that ``style`` leaves out takes its usual option."""
        check_shape(reply)
        say = encode_stream if stream else encode_whole
        return say(reply, manner(tuple(style.items())), wire_value(STOPS, reply))

    def decode(self, body: bytes, *, stream: bool) -> Reply:
        """Read a reply in any style."""
        return (decode_stream if stream else decode_whole)(body)

    def expected(self, reply: Reply, style: Style, *, stream: bool) -> Reply:
        """What a reader gets: ``id`` "" for calls without one, and no reason, counts or times where none are sent."""
        options = resolve(tuple(style.items()))
        blocks = tuple(_expected_block(block, with_id=options["tool_id"] == "present") for block in reply.blocks)
        reason = wire_value(STOPS, reply) if options["done_reason"] == "present" else "stop"
        stop, wire_stop = meaning(STOPS, reason, blocks)
        return replace(
            reply,
            blocks=blocks,
            stop=stop,
            wire_stop=wire_stop,
            usage=_expected_usage(reply.usage, options["usage"]),
            latency_ms=(reply.latency_ms or None) if options["durations"] != "absent" else None,
        )

    def encode_error(self, error: VendorError) -> WireReply:
        """Answer with an HTTP error."""
        return WireReply(error.status, error.headers, (error.body,))

    def encode_stream_error(self, error: VendorError, reply: Reply, style: Style, *, keep: int) -> WireReply | None:
        """HTTP 200, the first ``keep`` lines of ``reply`` short of its last, then a line with the error."""
        if error.in_stream is None:
            return None
        told = self.encode(reply, style, stream=True)
        newline = manner(tuple(style.items())).newline.encode()
        kept = told.frames[: min(keep, len(told.frames) - told.terminal_frames)]
        return WireReply(200, STREAM_TYPE, (*kept, error.in_stream + newline))

    def is_stream(self, request: WireRequest) -> bool:
        """Whether the request does not say ``"stream": false``: Ollama streams unless told not to."""
        try:
            return body_object(request.body).get("stream") is not False
        except DecodeError:
            return False

    def read_request(self, request: WireRequest) -> RequestView:
        """What the request says."""
        return read_request(request)

    def check_request(self, request: WireRequest) -> Sequence[RequestFault]:
        """Why Ollama would refuse it; empty when it would accept it."""
        return check_request(request)


def _expected_block(block: Block, *, with_id: bool) -> Block:
    if not isinstance(block, ToolUse):
        return block
    return ToolUse(block.id if with_id else "", block.name, json_text(block.input))


def _expected_usage(usage: Usage | None, option: str) -> Usage | None:
    """The counts that are sent: zero is never, and all of them may be missing."""
    if usage is None or option == "absent":
        return None
    prompt = usage.input if option == "both" else 0
    return Usage(prompt, usage.output) if prompt or usage.output else None
