"""What a dialect is: the server side of one vendor protocol.

A dialect turns a :class:`~harness.dialects.reply.Reply` into the vendor's bytes in every legal style, reads such
bytes back, reads and judges the requests that adapters send, and knows the vendor's errors. It never imports
an adapter, and no adapter imports it: a mistake that both shared would be invisible.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from harness.contract.content import Json
from harness.contract.events import StopReason
from harness.dialects.reply import Block, Reply

Headers = tuple[tuple[str, str], ...]


# --- styles -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Option:
    """One legal way to say something. ``evidence`` names a recording, a public report or the vendor's document."""

    name: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Axis:
    """One choice that vendors make differently. The first option is the usual one."""

    name: str
    options: tuple[Option, ...]
    #: whether the choice exists in streamed replies, in whole ones, or both
    streamed: bool = True
    whole: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """The options' names, the usual one first."""
        return tuple(option.name for option in self.options)


#: the option chosen on each axis, by the axis's name; axes that are absent take their usual option
Style = Mapping[str, str]


# --- what a dialect can express -------------------------------------------------------------------------------


class Order(StrEnum):
    """Which orders of blocks a protocol can carry."""

    ANY = "any"
    #: reasoning, then text, then refusal, then tool calls, at most one block of each but tool calls
    GROUPED = "grouped"


@dataclass(frozen=True, slots=True)
class StopRow:
    """One value of the vendor's stop field.

    ``accepts`` are the contract reasons that an adapter may defensibly map it to; ``means`` is the best of them.
    """

    wire: str
    means: StopReason
    accepts: frozenset[str]
    evidence: str
    #: the reply ends with tool calls / without / either (None)
    with_tools: bool | None = None
    #: drawn by generated replies; False for values that only named scenarios use
    common: bool = True
    #: the vendor documents the value, or a recording shows it; False for the stand-in for values yet to come
    known: bool = True
    #: the vendor wants the reply sent back to go on with it, which an adapter may do by itself
    resumable: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """The replies that the dialect can say without loss; generated replies stay inside it."""

    blocks: frozenset[type[Block]]
    order: Order
    #: reasoning carries a signature: always, never, or either (None)
    signed: bool | None
    citations: bool
    #: tagged kinds of citation locations, e.g. ``documentChar``
    citation_locations: tuple[str, ...]
    tool_id_pattern: str
    #: tool arguments can be cut off by the length limit when streamed / when whole
    cut_arguments: tuple[bool, bool]
    #: counters that usage can carry besides input and output
    cache_read: bool
    cache_write: bool
    #: ``usage.input`` already contains the cached tokens
    input_includes_cache: bool
    #: the wire carries ``total``
    total: bool
    latency: bool = False
    guardrail: bool = False
    #: a citation may lack its title, its source or its location
    partial_citations: bool = False
    #: calls can carry a signature
    signed_calls: bool = False


# --- the wire ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WireRequest:
    """A request as the server saw it; header names in lower case, ``path`` with its query."""

    method: str
    path: str
    headers: Headers
    body: bytes

    def header(self, name: str) -> str | None:
        """First value of a header, by its lower-case name."""
        return next((value for key, value in self.headers if key == name), None)


@dataclass(frozen=True, slots=True)
class WireReply:
    """A response before it is cut into chunks.

    ``frames`` are the protocol's own units (an SSE event, an eventstream message; one for a whole body).
    Losing the last ``terminal_frames`` of them makes the reply unfinished.
    """

    status: int
    headers: Headers
    frames: tuple[bytes, ...]
    terminal_frames: int = 1

    @property
    def body(self) -> bytes:
        """All frames joined."""
        return b"".join(self.frames)


# --- requests, as read by the server ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TextPart:
    """Text of a turn."""

    text: str


@dataclass(frozen=True, slots=True)
class MediaPart:
    """Media of a turn: ``kind`` image, document or video; ``format`` as in the contract (``png``, ``pdf``)."""

    kind: str
    format: str | None
    data: bytes | None
    name: str | None = None
    uri: str | None = None


@dataclass(frozen=True, slots=True)
class CallPart:
    """A tool call in the history; ``input`` is its parsed value, or the raw text when it is not JSON."""

    id: str
    name: str
    input: Json
    signature: str | None = None


@dataclass(frozen=True, slots=True)
class ResultPart:
    """A tool's result: its texts (JSON values as their text), media, and whether it was marked as an error."""

    id: str
    texts: tuple[str, ...]
    media: tuple[MediaPart, ...] = ()
    error: bool | None = None


@dataclass(frozen=True, slots=True)
class ReasoningPart:
    """Reasoning of the history."""

    text: str | None
    signature: str | None = None
    redacted: bytes | None = None


Part = TextPart | MediaPart | CallPart | ResultPart | ReasoningPart


@dataclass(frozen=True, slots=True)
class Turn:
    """One message: role in the vendor's word (``user``, ``assistant``, ``tool``, …)."""

    role: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class ToolView:
    """A tool definition."""

    name: str
    description: str | None
    schema: Json
    strict: bool | None = None


@dataclass(frozen=True, slots=True)
class RequestView:
    """What a request says, in no vendor's words.

    ``tool_choice`` is ``auto``, ``any``, ``none`` or ``tool:NAME``; None when the request has none.
    ``cache_points`` are the JSON paths of cache markers. ``response_schema`` is the schema asked of a native
    structured output. ``params`` are the remaining fields, by the vendor's names.
    """

    model: str | None
    stream: bool
    system: tuple[str, ...]
    turns: tuple[Turn, ...]
    tools: tuple[ToolView, ...] = ()
    tool_choice: str | None = None
    cache_points: tuple[str, ...] = ()
    response_schema: Json = None
    params: Mapping[str, Any] = field(default_factory=dict)


class RequestFaultKind(StrEnum):
    """What is wrong with a request: one rule each."""

    FORM = "form"  # a field or value that the vendor's schema does not have
    EMPTY_TEXT = "empty_text"  # empty or blank text sent as a text block
    PAIRING = "pairing"  # tool results without their call, or calls without their result
    ROLES = "roles"  # turns in an order that the vendor refuses
    TOOL_NAME = "tool_name"  # a tool name outside the vendor's alphabet or length, or twice
    NO_TOOLS = "no_tools"  # an empty list of tools
    TOOL_ID = "tool_id"  # a call id outside the vendor's alphabet or length, or twice
    TOOL_CHOICE = "tool_choice"  # a tool choice without tools, or naming none of them
    MEDIA = "media"  # an unsupported or wrongly declared image, document or video
    CACHE = "cache"  # too many cache markers, or at a place that has none
    SCHEMA = "schema"  # a tool or response schema that the vendor refuses
    REASONING = "reasoning"  # reasoning without what the vendor needs to accept it


@dataclass(frozen=True, slots=True)
class RequestFault:
    """Why the real service would refuse a request: the JSON path, what was met, and the vendor's rule."""

    kind: RequestFaultKind
    path: str
    what: str
    evidence: str


# --- errors -----------------------------------------------------------------------------------------------------


class ErrorClass(StrEnum):
    """What a vendor's error means to the caller."""

    THROTTLE = "throttle"  # includes overload
    OVERFLOW = "overflow"
    TOOLS_UNSUPPORTED = "tools_unsupported"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class VendorError:
    """One real error of the vendor.

    ``body`` is the HTTP body at ``status``. ``in_stream`` is the payload of the error event that says the same after
    HTTP 200, in the dialect's own framing terms; None where the protocol has none. ``again`` says that the vendor
    documents that such a request may be sent again, without calling it a rate limit: an adapter may tell it as either.
    """

    id: str
    error_class: ErrorClass
    status: int
    body: bytes
    evidence: str
    headers: Headers = (("content-type", "application/json"),)
    in_stream: bytes | None = None
    again: bool = False


class DecodeError(ValueError):
    """Bytes that are not a whole reply of the dialect: what was met, and where."""


class Dialect(Protocol):
    """The server side of one protocol. All methods are pure."""

    @property
    def name(self) -> str:
        """E.g. ``openai_chat``."""

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The style axes."""

    @property
    def shape(self) -> Shape:
        """What replies may hold."""

    @property
    def stops(self) -> tuple[StopRow, ...]:
        """Every stop value that the vendor documents or a recording shows; a meaning's usual value comes first."""

    @property
    def errors(self) -> tuple[VendorError, ...]:
        """Real errors, at least one a class that the vendor has."""

    def encode(self, reply: Reply, style: Style, *, stream: bool) -> WireReply:
        """Say ``reply`` in ``style``. Raises ValueError for a reply outside :attr:`shape`."""

    def decode(self, body: bytes, *, stream: bool) -> Reply:
        """Read a reply. Raises DecodeError for an unfinished one or an error."""

    def expected(self, reply: Reply, style: Style, *, stream: bool) -> Reply:
        """The part of ``reply`` that ``style`` lets through, e.g. no usage where the style sends none."""

    def encode_error(self, error: VendorError) -> WireReply:
        """Answer with an HTTP error."""

    def encode_stream_error(self, error: VendorError, reply: Reply, style: Style, *, keep: int) -> WireReply | None:
        """HTTP 200, the first ``keep`` frames of ``reply``, then the error; None where the protocol has no such.

        Frames that finish the reply are never kept: what broke off did not end.
        """

    def is_stream(self, request: WireRequest) -> bool:
        """Whether the request asks for a streamed reply."""

    def read_request(self, request: WireRequest) -> RequestView:
        """What the request says. Raises DecodeError when it is not a request of this protocol."""

    def check_request(self, request: WireRequest) -> Sequence[RequestFault]:
        """Why the real service would refuse it; empty when it would accept it."""
