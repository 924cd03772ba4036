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
from harness.dialects.mistral_chat.check import check_request
from harness.dialects.mistral_chat.decode import decode_stream, decode_whole
from harness.dialects.mistral_chat.encode import check_shape, chunk_text, encode_stream, encode_whole
from harness.dialects.mistral_chat.errors import ERRORS
from harness.dialects.mistral_chat.manner import manner
from harness.dialects.mistral_chat.parts import told_usage
from harness.dialects.mistral_chat.requests import read_request
from harness.dialects.mistral_chat.stops import STOPS
from harness.dialects.mistral_chat.styles import AXES, resolve
from harness.dialects.openai_chat.requests import body_object
from harness.dialects.openai_chat.stops import meaning, wire_value
from harness.dialects.reply import Block, Reasoning, Reply, Text, ToolUse, json_text

SHAPE: Final = Shape(
    blocks=frozenset({Reasoning, Text, ToolUse}),
    order=Order.GROUPED,
    signed=False,
    citations=False,
    citation_locations=(),
    tool_id_pattern=r"[a-zA-Z0-9]{9}",
    cut_arguments=(True, True),
    cache_read=True,
    cache_write=False,
    input_includes_cache=True,
    total=True,
)


@dataclass(frozen=True)
class MistralChat:
    """Mistral's chat completions, as La Plateforme serves them."""

    name: str = "mistral_chat"
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
        """What a reader gets: no usage where none is sent; arguments in their normal form where they are objects."""
        options = resolve(tuple(style.items()))
        normal = options["arguments_form"] == "object" and (not stream or options["arguments"] == "whole")
        blocks = tuple(_normal(block) if normal else block for block in reply.blocks)
        stop, wire_stop = meaning(STOPS, wire_value(STOPS, reply), blocks)
        usage = told_usage(reply.usage, options) if reply.usage and options["usage"] != "absent" else None
        return replace(reply, blocks=blocks, stop=stop, wire_stop=wire_stop, usage=usage)

    def encode_error(self, error: VendorError) -> WireReply:
        """Answer with an HTTP error."""
        return WireReply(error.status, error.headers, (error.body,))

    def encode_stream_error(self, error: VendorError, reply: Reply, style: Style, *, keep: int) -> WireReply | None:
        """HTTP 200, some frames of ``reply``, then a chunk whose finish_reason is ``error``, or an error object.

        Proxies send such an object; ``in_stream`` is it, or the finish_reason.
        """
        if error.in_stream is None:
            return None
        told, how = self.encode(reply, style, stream=True), manner(tuple(style.items()))
        said = error.in_stream.decode()
        broken = how.framed(said if said.startswith("{") else chunk_text(how, {"content": ""}, said))
        kept = told.frames[: min(keep, len(told.frames) - told.terminal_frames)]
        return WireReply(200, told.headers, (*kept, broken, how.framed("[DONE]")))

    def is_stream(self, request: WireRequest) -> bool:
        """Whether the body says ``"stream": true``."""
        try:
            return body_object(request.body).get("stream") is True
        except DecodeError:
            return False

    def read_request(self, request: WireRequest) -> RequestView:
        """What the request says."""
        return read_request(request)

    def check_request(self, request: WireRequest) -> Sequence[RequestFault]:
        """Why Mistral would refuse it; empty when it would accept it."""
        return check_request(request)


def _normal(block: Block) -> Block:
    if not isinstance(block, ToolUse) or not block.complete:
        return block
    return ToolUse(block.id, block.name, json_text(block.input))
