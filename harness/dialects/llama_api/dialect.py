"""The dialect record of the Llama API."""

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
from harness.dialects.llama_api.check import check_request
from harness.dialects.llama_api.decode import decode_stream, decode_whole
from harness.dialects.llama_api.encode import STREAM_HEADERS, check_shape, encode_stream, encode_whole, error_frames
from harness.dialects.llama_api.errors import ERRORS
from harness.dialects.llama_api.metrics import told_usage
from harness.dialects.llama_api.requests import read_request
from harness.dialects.llama_api.stops import STOPS
from harness.dialects.llama_api.styles import AXES, resolve
from harness.dialects.openai_chat.requests import body_object
from harness.dialects.openai_chat.stops import meaning, wire_value
from harness.dialects.reply import Reply, Text, ToolUse

SHAPE: Final = Shape(
    blocks=frozenset({Text, ToolUse}),
    order=Order.GROUPED,
    signed=False,
    citations=False,
    citation_locations=(),
    tool_id_pattern=r"call_[0-9a-f]{32}",
    cut_arguments=(True, True),
    cache_read=False,
    cache_write=False,
    input_includes_cache=True,
    total=True,
)


@dataclass(frozen=True)
class LlamaApiDialect:
    """The server side of ``POST /v1/chat/completions`` at the Llama API."""

    name: str = "llama_api"
    axes: tuple[Axis, ...] = AXES
    shape: Shape = SHAPE
    stops: tuple[StopRow, ...] = STOPS
    errors: tuple[VendorError, ...] = ERRORS

    def encode(self, reply: Reply, style: Style, *, stream: bool) -> WireReply:
        """Say ``reply``; an axis that ``style`` leaves out takes its usual option."""
        check_shape(reply)
        say = encode_stream if stream else encode_whole
        return say(reply, resolve(tuple(style.items())), wire_value(self.stops, reply))

    def decode(self, body: bytes, *, stream: bool) -> Reply:
        """Read a reply in any style."""
        return (decode_stream if stream else decode_whole)(body, self.stops)

    def expected(self, reply: Reply, style: Style, *, stream: bool) -> Reply:
        """What a reader gets: no usage where no metrics are sent, and never cached tokens."""
        stop, wire_stop = meaning(self.stops, wire_value(self.stops, reply), reply.blocks)
        usage = told_usage(reply.usage, resolve(tuple(style.items())))
        return replace(reply, stop=stop, wire_stop=wire_stop, usage=usage)

    def encode_error(self, error: VendorError) -> WireReply:
        """Answer with an HTTP error."""
        return WireReply(error.status, error.headers, (error.body,))

    def encode_stream_error(self, error: VendorError, reply: Reply, style: Style, *, keep: int) -> WireReply | None:
        """Break a stream off with an error, in the form that the ``error`` axis chooses."""
        if error.in_stream is None:
            return None
        told = self.encode(reply, style, stream=True)
        kept = told.frames[: min(keep, len(told.frames) - told.terminal_frames)]
        return WireReply(200, STREAM_HEADERS, (*kept, *error_frames(error.in_stream, resolve(tuple(style.items())))))

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
        """Why the service would refuse it."""
        return check_request(request)
