"""The dialect as one value: a server of the family is this class with other axes, stops, errors or limits."""

from dataclasses import dataclass, replace
from functools import cached_property

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
from harness.dialects.openai_chat.calls import said_arguments, sends_ids
from harness.dialects.openai_chat.decode import decode_stream, decode_whole
from harness.dialects.openai_chat.encode import check_shape, encode_whole
from harness.dialects.openai_chat.error_frames import error_frames
from harness.dialects.openai_chat.errors import ERRORS
from harness.dialects.openai_chat.judge import check_request
from harness.dialects.openai_chat.manner import Manner, manner
from harness.dialects.openai_chat.requests import body_object, read_request
from harness.dialects.openai_chat.stops import STOPS, meaning, wire_value
from harness.dialects.openai_chat.stream import encode_stream
from harness.dialects.openai_chat.styles import AXES, Choices, Known, known, usual
from harness.dialects.openai_chat.usage import told_usage
from harness.dialects.reply import Block, Reasoning, Refusal, Reply, Text, ToolUse

SHAPE = Shape(
    blocks=frozenset({Reasoning, Text, Refusal, ToolUse}),
    order=Order.GROUPED,
    signed=False,
    citations=False,
    citation_locations=(),
    tool_id_pattern=r"call_[A-Za-z0-9]{24}",
    cut_arguments=(True, True),
    cache_read=True,
    cache_write=True,
    input_includes_cache=True,
    total=True,
)


@dataclass(frozen=True)
class ChatDialect:
    """Chat Completions, as one server or a family of them speaks it."""

    name: str = "openai_chat"
    axes: tuple[Axis, ...] = AXES
    shape: Shape = SHAPE
    stops: tuple[StopRow, ...] = STOPS
    errors: tuple[VendorError, ...] = ERRORS

    @cached_property
    def _usual(self) -> Choices:
        return usual(self.axes)

    @cached_property
    def _known(self) -> Known:
        return known(self.axes)

    def _manner(self, style: Style) -> Manner:
        return manner(self._usual, self._known, tuple(style.items()))

    def encode(self, reply: Reply, style: Style, *, stream: bool) -> WireReply:
        """Say ``reply``; an axis that ``style`` leaves out takes its usual option."""
        check_shape(reply, self.shape.blocks)
        say = encode_stream if stream else encode_whole
        return say(reply, self._manner(style), wire_value(self.stops, reply))

    def decode(self, body: bytes, *, stream: bool) -> Reply:
        """Read a reply in any style."""
        return (decode_stream if stream else decode_whole)(body, self.stops)

    def expected(self, reply: Reply, style: Style, *, stream: bool) -> Reply:
        """What a reader gets: no usage where none is sent, ``id`` "" for a call whose id is never given."""
        options = self._manner(style).options
        usage = reply.usage if options["usage"] != "absent" else None
        blocks = tuple(self._expected_block(block, options, stream=stream) for block in reply.blocks)
        stop, wire_stop = meaning(self.stops, wire_value(self.stops, reply), blocks)
        told = told_usage(usage, options["usage_details"]) if usage else None
        return replace(reply, blocks=blocks, stop=stop, wire_stop=wire_stop, usage=told)

    def _expected_block(self, block: Block, options: Style, *, stream: bool) -> Block:
        if not isinstance(block, ToolUse):
            return block
        call_id = block.id if sends_ids(options) else ""
        return ToolUse(call_id, block.name, said_arguments(block, options, stream=stream))

    def encode_error(self, error: VendorError) -> WireReply:
        """Answer with an HTTP error."""
        return WireReply(error.status, error.headers, (error.body,))

    def encode_stream_error(self, error: VendorError, reply: Reply, style: Style, *, keep: int) -> WireReply | None:
        """Break a stream off with an error, in the form that the ``error`` axis chooses."""
        if error.in_stream is None:
            return None
        told = self.encode(reply, style, stream=True)
        frames = error_frames(error.in_stream, self._manner(style))
        unfinished = len(told.frames) - told.terminal_frames  # once a reply has ended, nothing can break it off
        return WireReply(200, told.headers, (*told.frames[: min(keep, unfinished)], *frames))

    def is_stream(self, request: WireRequest) -> bool:
        """Whether the body says ``"stream": true``."""
        try:
            return body_object(request.body).get("stream") is True
        except DecodeError:
            return False

    def read_request(self, request: WireRequest) -> RequestView:
        """What the request says."""
        return read_request(request)

    def check_request(self, request: WireRequest) -> list[RequestFault]:
        """Why the real service would refuse it."""
        return check_request(request)
