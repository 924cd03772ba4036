"""The dialect as one value."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

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
from harness.dialects.gemini_generate import requests
from harness.dialects.gemini_generate.check import check_request
from harness.dialects.gemini_generate.decode import decode_stream, decode_whole
from harness.dialects.gemini_generate.encode import encode_stream, encode_whole, error_frame
from harness.dialects.gemini_generate.errors import ERRORS
from harness.dialects.gemini_generate.parts import checked
from harness.dialects.gemini_generate.stops import STOPS, read_stop, wire_stop
from harness.dialects.gemini_generate.styles import AXES, Choices, choices
from harness.dialects.gemini_generate.usage import told_usage
from harness.dialects.reply import Block, Reasoning, Reply, Text, ToolUse, json_text

SHAPE: Final = Shape(
    blocks=frozenset({Text, ToolUse, Reasoning}),
    order=Order.ANY,
    signed=None,
    citations=False,
    citation_locations=(),
    tool_id_pattern=r"[a-z0-9]{8}",
    cut_arguments=(False, False),
    cache_read=True,
    cache_write=False,
    input_includes_cache=True,
    total=True,
    signed_calls=True,
)


@dataclass(frozen=True)
class GeminiGenerate:
    """``generateContent`` and ``streamGenerateContent``, of the Developer API and of Vertex AI."""

    name: str = "gemini_generate"
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
        """The reply as the wire can tell it: adjacent words of a kind are one block, and ids may be missing."""
        chosen = choices(style)
        blocks = tuple(_merged(_expected_block(block, chosen) for block in reply.blocks))
        stop, wire = read_stop(wire_stop(reply), blocks)
        return replace(reply, blocks=blocks, stop=stop, wire_stop=wire, usage=told_usage(reply.usage))

    def encode_error(self, error: VendorError) -> WireReply:
        """Answer with an HTTP error."""
        return WireReply(error.status, error.headers, (error.body,))

    def encode_stream_error(self, error: VendorError, reply: Reply, style: Style, *, keep: int) -> WireReply | None:
        """HTTP 200, the first frames of ``reply``, short of the one that ends it, then the error."""
        if error.in_stream is None:
            return None
        told = self.encode(reply, style, stream=True)
        kept = told.frames[: min(keep, len(told.frames) - told.terminal_frames)]
        return replace(told, frames=(*kept, error_frame(error.in_stream, choices(style))))

    def is_stream(self, request: WireRequest) -> bool:
        """Whether the path names ``streamGenerateContent``."""
        return requests.is_stream(request)

    def read_request(self, request: WireRequest) -> RequestView:
        """What the request says. Raises DecodeError when it is not a request of this protocol."""
        return requests.read_request(request)

    def check_request(self, request: WireRequest) -> Sequence[RequestFault]:
        """Why Google would refuse it; empty when it would accept it."""
        return check_request(request)


def _expected_block(block: Block, chosen: Choices) -> Block:
    if not isinstance(checked(block), ToolUse):
        return block
    call: ToolUse = block  # type: ignore[assignment]
    return replace(call, id=call.id if chosen.call_id == "present" else "", arguments=json_text(call.input))


def _merged(blocks: Iterator[Block]) -> Iterator[Block]:
    """Adjacent texts as one, and adjacent thoughts, of which a signature closes a block."""
    last: Block | None = None
    for block in blocks:
        if isinstance(last, Text) and isinstance(block, Text):
            last = Text(last.text + block.text)
        elif isinstance(last, Reasoning) and isinstance(block, Reasoning) and last.signature is None:
            last = Reasoning(last.text + block.text, block.signature)
        else:
            if last is not None:
                yield last
            last = block
    if last is not None:
        yield last
