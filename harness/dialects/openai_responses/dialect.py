"""The dialect as one value."""

from dataclasses import dataclass, replace

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
from harness.dialects.openai_chat.requests import body_object
from harness.dialects.openai_chat.stops import meaning, wire_value
from harness.dialects.openai_responses.citations import carried
from harness.dialects.openai_responses.decode import decode_stream, decode_whole
from harness.dialects.openai_responses.encode import check_shape, encode_whole, told_end
from harness.dialects.openai_responses.error_frames import error_frames
from harness.dialects.openai_responses.errors import ERRORS
from harness.dialects.openai_responses.judge import check_request
from harness.dialects.openai_responses.manner import Manner, manner
from harness.dialects.openai_responses.parts import BETWEEN_PARTS, paragraphs
from harness.dialects.openai_responses.requests import read_request
from harness.dialects.openai_responses.stops import STOPS
from harness.dialects.openai_responses.stream import encode_stream
from harness.dialects.openai_responses.styles import AXES
from harness.dialects.openai_responses.usage import told_usage
from harness.dialects.reply import Block, Reasoning, Refusal, Reply, Text, ToolUse

SHAPE = Shape(
    blocks=frozenset({Reasoning, Text, Refusal, ToolUse}),
    order=Order.ANY,
    signed=None,
    citations=True,
    citation_locations=("web",),
    tool_id_pattern=r"call_[A-Za-z0-9]{24}",
    cut_arguments=(True, True),
    cache_read=True,
    cache_write=True,
    input_includes_cache=True,
    total=True,
)


@dataclass(frozen=True)
class ResponsesDialect:
    """The Responses API, as OpenAI and the servers that are compatible with it speak it."""

    name: str = "openai_responses"
    axes: tuple[Axis, ...] = AXES
    shape: Shape = SHAPE
    stops: tuple[StopRow, ...] = STOPS
    errors: tuple[VendorError, ...] = ERRORS

    def encode(self, reply: Reply, style: Style, *, stream: bool) -> WireReply:
        """Say ``reply``; an axis that ``style`` leaves out takes its usual option."""
        check_shape(reply)
        say = encode_stream if stream else encode_whole
        return say(reply, _manner(style), wire_value(self.stops, reply))

    def decode(self, body: bytes, *, stream: bool) -> Reply:
        """Read a reply in any style."""
        return (decode_stream if stream else decode_whole)(body)

    def expected(self, reply: Reply, style: Style, *, stream: bool) -> Reply:
        """What a reader gets: no usage where none is sent, the end that the style tells, and reasoning in its parts."""
        told = _manner(style)
        blocks = tuple(_carried(block, told) for block in reply.blocks)
        stop, wire_stop = meaning(self.stops, told_end(reply, wire_value(self.stops, reply), told), blocks)
        sent = reply.usage if told.options["usage"] == "present" else None
        usage = told_usage(sent, told.options["usage_details"]) if sent else None
        return replace(reply, blocks=blocks, stop=stop, wire_stop=wire_stop, usage=usage)

    def encode_error(self, error: VendorError) -> WireReply:
        """Answer with an HTTP error."""
        return WireReply(error.status, error.headers, (error.body,))

    def encode_stream_error(self, error: VendorError, reply: Reply, style: Style, *, keep: int) -> WireReply | None:
        """Break a stream off with an error, in the form that the ``error`` axis chooses."""
        if error.in_stream is None:
            return None
        told = self.encode(reply, style, stream=True)
        kept = min(keep, len(told.frames) - told.terminal_frames)  # a reply that has ended cannot be broken off
        return WireReply(200, told.headers, (*told.frames[:kept], *error_frames(error.in_stream, kept, _manner(style))))

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


def _manner(style: Style) -> Manner:
    return manner(tuple(style.items()))


def _carried(block: Block, told: Manner) -> Block:
    if isinstance(block, Reasoning):
        return replace(block, text=BETWEEN_PARTS.join(paragraphs(block.text, told)))
    if not isinstance(block, Text) or not block.citations:
        return block
    return Text(block.text, tuple(map(carried, block.citations)))
