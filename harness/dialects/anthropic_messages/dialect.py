"""The dialect as one object."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from harness.dialects.anthropic_messages import requests
from harness.dialects.anthropic_messages.check import check_request
from harness.dialects.anthropic_messages.decode import decode_stream, decode_whole
from harness.dialects.anthropic_messages.encode import encode_stream, encode_whole
from harness.dialects.anthropic_messages.errors import ERRORS, stream_error
from harness.dialects.anthropic_messages.locations import KINDS, carried
from harness.dialects.anthropic_messages.stops import STOPS, read_stop, wire_stop
from harness.dialects.anthropic_messages.styles import AXES, choices
from harness.dialects.base import (
    Axis,
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
from harness.dialects.reply import Block, Reasoning, RedactedReasoning, Reply, Text, ToolUse, Usage, json_text

SHAPE: Final = Shape(
    blocks=frozenset({Text, ToolUse, Reasoning, RedactedReasoning}),
    order=Order.ANY,
    signed=True,
    citations=True,
    citation_locations=tuple(kind.tag for kind in KINDS),
    tool_id_pattern=r"toolu_[0-9A-Za-z]{24}",
    cut_arguments=(True, False),
    cache_read=True,
    cache_write=True,
    input_includes_cache=False,
    total=False,
)


@dataclass(frozen=True)
class AnthropicMessages:
    """Anthropic's Messages API, as Anthropic, Vertex AI and gateways serve it."""

    name: str = "anthropic_messages"
    axes: tuple[Axis, ...] = AXES
    shape: Shape = SHAPE
    stops: tuple[StopRow, ...] = STOPS
    errors: tuple[VendorError, ...] = ERRORS

    def encode(self, reply: Reply, style: Style, *, stream: bool) -> WireReply:
        """Say ``reply`` in ``style``. Raises ValueError for one that this vendor cannot send."""
        return (encode_stream if stream else encode_whole)(reply, choices(style))

    def decode(self, body: bytes, *, stream: bool) -> Reply:
        """Read a reply. Raises DecodeError for an unfinished one or an error."""
        return (decode_stream if stream else decode_whole)(body)

    def expected(self, reply: Reply, style: Style, *, stream: bool) -> Reply:
        """The reply in the wire's normal form; only a style with zeros for unused cache counters adds to it."""
        blocks = tuple(_expected_block(block, stream) for block in reply.blocks)
        stop, wire = read_stop(wire_stop(reply))
        zeros = choices(style).cache == "zeros"
        return replace(reply, blocks=blocks, stop=stop, wire_stop=wire, usage=_expected_usage(reply.usage, zeros))

    def encode_error(self, error: VendorError) -> WireReply:
        """Answer with an HTTP error."""
        return WireReply(error.status, error.headers, (error.body,))

    def encode_stream_error(self, error: VendorError, reply: Reply, style: Style, *, keep: int) -> WireReply | None:
        """HTTP 200, some frames of ``reply``, then an ``error`` event, after which the server sends nothing."""
        return stream_error(error, self.encode(reply, style, stream=True), choices(style), keep)

    def is_stream(self, request: WireRequest) -> bool:
        """Whether the request asks for a streamed reply."""
        return requests.is_stream(request)

    def read_request(self, request: WireRequest) -> RequestView:
        """What the request says. Raises DecodeError when it is not a request of this protocol."""
        return requests.read_request(request)

    def check_request(self, request: WireRequest) -> Sequence[RequestFault]:
        """Why Anthropic would refuse it; empty when it would accept it."""
        return check_request(request)


def _expected_block(block: Block, stream: bool) -> Block:
    if isinstance(block, Text):
        return replace(block, citations=tuple(map(carried, block.citations)))
    if isinstance(block, ToolUse) and (not stream or not block.arguments.strip()):
        return replace(block, arguments=json_text(block.input))
    return block


def _expected_usage(usage: Usage | None, zeros: bool) -> Usage | None:
    if usage is None or not zeros:
        return usage
    return replace(usage, cache_read=usage.cache_read or 0, cache_write=usage.cache_write or 0)
