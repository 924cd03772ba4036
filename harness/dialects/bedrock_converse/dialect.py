"""The dialect record of Bedrock Converse."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from harness.dialects.base import (
    Axis,
    Dialect,
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
from harness.dialects.bedrock_converse.check import check
from harness.dialects.bedrock_converse.decode import decode_stream, decode_whole
from harness.dialects.bedrock_converse.encode import (
    REQUEST_ID,
    STREAM_HEADERS,
    encode_stream,
    encode_whole,
    says_something,
    total_tokens,
)
from harness.dialects.bedrock_converse.errors import ERRORS
from harness.dialects.bedrock_converse.requests import asks_for_stream, read
from harness.dialects.bedrock_converse.stops import STOPS, read_stop, wire_stop
from harness.dialects.bedrock_converse.styles import AXES, choose
from harness.dialects.reply import Block, Reasoning, RedactedReasoning, Reply, Text, ToolUse, Usage, json_text

SHAPE: Final = Shape(
    blocks=frozenset({Text, ToolUse, Reasoning, RedactedReasoning}),
    order=Order.ANY,
    signed=None,
    citations=True,
    citation_locations=("documentChar", "documentPage", "documentChunk", "searchResultLocation", "web"),
    tool_id_pattern=r"tooluse_[A-Za-z0-9_-]{22}",
    cut_arguments=(True, False),
    cache_read=True,
    cache_write=True,
    input_includes_cache=False,
    total=True,
    latency=True,
    guardrail=True,
    partial_citations=True,
)


@dataclass(frozen=True, slots=True)
class BedrockConverse:
    """The server side of Converse and ConverseStream."""

    name: str = "bedrock_converse"
    axes: tuple[Axis, ...] = AXES
    shape: Shape = SHAPE
    stops: tuple[StopRow, ...] = STOPS
    errors: tuple[VendorError, ...] = ERRORS

    def encode(self, reply: Reply, style: Style, *, stream: bool) -> WireReply:
        """Say ``reply`` in ``style``."""
        return (encode_stream if stream else encode_whole)(reply, style)

    def decode(self, body: bytes, *, stream: bool) -> Reply:
        """Read a reply."""
        return (decode_stream if stream else decode_whole)(body)

    def expected(self, reply: Reply, style: Style, *, stream: bool) -> Reply:
        """The reply without blocks that say nothing, with what Bedrock always tells, and in its normal forms."""
        choice = choose(style)
        blocks = tuple(_normal(block, stream=stream) for block in reply.blocks if says_something(block))
        told = replace(reply, blocks=blocks)
        stop, wire = read_stop(wire_stop(reply), with_tools=bool(told.tools))
        guardrail = reply.guardrail if choice["guardrail_trace"] == "enabled" else None
        usage = reply.usage and _usage(reply.usage, zeros=choice["usage"] == "cache_zeros")
        return replace(told, stop=stop, wire_stop=wire, usage=usage, guardrail=guardrail)

    def encode_error(self, error: VendorError) -> WireReply:
        """Answer with an HTTP error."""
        return WireReply(error.status, (*error.headers, REQUEST_ID), (error.body,))

    def encode_stream_error(self, error: VendorError, reply: Reply, style: Style, *, keep: int) -> WireReply | None:
        """The reply's first ``keep`` frames, never its end, then the error's frame.

        None for errors that come as HTTP answers only.
        """
        if error.in_stream is None:
            return None
        said = encode_stream(reply, style)
        kept = said.frames[: min(keep, len(said.frames) - said.terminal_frames)]
        return WireReply(200, STREAM_HEADERS, (*kept, error.in_stream))

    def is_stream(self, request: WireRequest) -> bool:
        """Whether the path is that of ConverseStream."""
        return asks_for_stream(request)

    def read_request(self, request: WireRequest) -> RequestView:
        """What the request says."""
        return read(request)

    def check_request(self, request: WireRequest) -> Sequence[RequestFault]:
        """Why Bedrock would refuse it."""
        return check(request)


def _normal(block: Block, *, stream: bool) -> Block:
    if isinstance(block, ToolUse):
        return replace(block, arguments=_arguments(block, stream=stream))
    if isinstance(block, Reasoning):
        return replace(block, signature=block.signature or None)
    return block


def _arguments(block: ToolUse, *, stream: bool) -> str:
    if stream:
        return "{}" if block.arguments.strip() in ("", "{}") else block.arguments
    return json_text(block.input)


def _usage(usage: Usage, *, zeros: bool) -> Usage:
    total = total_tokens(usage)
    if not zeros:
        return replace(usage, total=total)
    return replace(usage, total=total, cache_read=usage.cache_read or 0, cache_write=usage.cache_write or 0)


DIALECT: Final[Dialect] = BedrockConverse()
