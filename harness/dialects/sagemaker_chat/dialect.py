"""The dialect record of chat behind a SageMaker endpoint."""

from dataclasses import dataclass, field, replace
from typing import Final

from harness.dialects.base import (
    Axis,
    Headers,
    RequestFault,
    RequestView,
    Shape,
    StopRow,
    Style,
    VendorError,
    WireReply,
    WireRequest,
)
from harness.dialects.openai_chat.dialect import SHAPE, ChatDialect
from harness.dialects.openai_chat.stops import STOPS as FAMILY_STOPS
from harness.dialects.reply import Reasoning, Reply, Text, ToolUse
from harness.dialects.sagemaker_chat.errors import ERRORS
from harness.dialects.sagemaker_chat.parts import Frames, as_events, as_lines, is_payload, payload_of, payload_parts
from harness.dialects.sagemaker_chat.requests import check_request, read_request, streams
from harness.dialects.sagemaker_chat.styles import AXES, CHAT, chat_style, chosen

SAGEMAKER_SHAPE: Final[Shape] = replace(
    SHAPE,
    blocks=frozenset({Reasoning, Text, ToolUse}),
    tool_id_pattern=r"chatcmpl-tool-[0-9a-f]{32}",
    cache_write=False,
)
#: what vLLM and TGI end a reply with
_WORDS: Final = frozenset({"stop", "tool_calls", "length", "eos_token", "stop_sequence", "unheard_of"})
STOPS: Final[tuple[StopRow, ...]] = tuple(
    row for row in FAMILY_STOPS if row.wire in _WORDS and row.means != "content_filtered"
)

_HEADERS: Final[Headers] = (
    ("x-amzn-requestid", "eb2619e2-a22c-439b-b935-55f1c15c0ed4"),
    ("x-amzn-invoked-production-variant", "AllTraffic"),
)
#: the header that tells what the parts hold together
_INNER_TYPE: Final = "x-amzn-sagemaker-content-type"
_CONTENT_TYPES: Final = {"events": "text/event-stream", "json": "application/jsonlines"}
#: what an event ends with
_ENDS: Final = {"events": b"\n\n", "json": b"\n"}


@dataclass(frozen=True)
class SageMakerDialect:
    """The server side of InvokeEndpoint and InvokeEndpointWithResponseStream."""

    name: str = "sagemaker_chat"
    axes: tuple[Axis, ...] = AXES
    shape: Shape = SAGEMAKER_SHAPE
    stops: tuple[StopRow, ...] = STOPS
    errors: tuple[VendorError, ...] = ERRORS
    #: the model server behind the endpoint
    chat: ChatDialect = field(
        default=ChatDialect(name="sagemaker_chat", axes=CHAT, shape=SAGEMAKER_SHAPE, stops=STOPS, errors=())
    )

    def encode(self, reply: Reply, style: Style, *, stream: bool) -> WireReply:
        """Say ``reply`` in ``style``."""
        told = self.chat.encode(reply, chat_style(style), stream=stream)
        if not stream:
            return replace(told, headers=(*told.headers, *_HEADERS))
        return _in_parts(told, chosen(style, "parts"), chosen(style, "lines"))

    def decode(self, body: bytes, *, stream: bool) -> Reply:
        """Read a reply."""
        return self.chat.decode(as_events(payload_of(body)) if stream else body, stream=stream)

    def expected(self, reply: Reply, style: Style, *, stream: bool) -> Reply:
        """What a reader gets: how the parts are cut changes nothing of it."""
        return self.chat.expected(reply, chat_style(style), stream=stream)

    def encode_error(self, error: VendorError) -> WireReply:
        """Answer with an HTTP error."""
        return WireReply(error.status, error.headers, (error.body,))

    def encode_stream_error(self, error: VendorError, reply: Reply, style: Style, *, keep: int) -> WireReply | None:
        """The first ``keep`` parts, then the exception that ends the stream, or the model server's own error.

        That one is an event like others: it comes behind a whole one, so that fewer parts may go before it.
        """
        if error.in_stream is None:
            return None
        told = self.encode(reply, style, stream=True)
        unfinished = len(told.frames) - told.terminal_frames
        kept = told.frames[: min(keep, unfinished)]
        if is_payload(error.in_stream):
            kept = _up_to_an_end(kept, _ENDS[chosen(style, "lines")])
        return WireReply(200, told.headers, (*kept, error.in_stream))

    def is_stream(self, request: WireRequest) -> bool:
        """Whether the operation is the streaming one."""
        return streams(request)

    def read_request(self, request: WireRequest) -> RequestView:
        """What the request says."""
        return read_request(request)

    def check_request(self, request: WireRequest) -> list[RequestFault]:
        """Why service or model server would refuse it."""
        return check_request(request)


def _up_to_an_end(frames: Frames, end: bytes) -> Frames:
    """The parts up to the last one that ends an event."""
    while frames and not payload_of(b"".join(frames)).endswith(end):
        frames = frames[:-1]
    return frames


def _in_parts(told: WireReply, parts: str, lines: str) -> WireReply:
    """The event stream; no part holds both what goes on and what ends, unless all is in one."""
    end = len(told.frames) - told.terminal_frames
    begun, ended = told.frames[:end], told.frames[end:]
    if lines == "json":
        begun, ended = as_lines(begun), as_lines(ended)
    if parts == "all_in_one":
        begun, ended = (), (*begun, *ended)
    last = payload_parts(ended, parts)
    content_types = (("content-type", "application/vnd.amazon.eventstream"), (_INNER_TYPE, _CONTENT_TYPES[lines]))
    return WireReply(200, (*content_types, *_HEADERS), (*payload_parts(begun, parts), *last), len(last))
