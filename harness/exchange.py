"""One exchange: what the caller asks, how the service answers, and how the caller listens."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pydantic import BaseModel

from harness.agent.settings import Settings
from harness.contract.content import Messages, SystemContentBlock, ToolChoice, ToolSpec
from harness.dialects.base import Dialect, Style, VendorError, WireReply
from harness.dialects.reply import Reply
from harness.endpoint.base import Delivery
from harness.wire.cuts import Cut, CutKind, apply
from harness.wire.faults import Fault, FaultKind, cut_body, head


class Operation(StrEnum):
    """The method that is called."""

    STREAM = "stream"
    STRUCTURED = "structured_output"
    COUNT = "count_tokens"
    #: ``stream``, by the tool loop, turn after turn
    LOOP = "loop"


def hello() -> Messages:
    """The shortest conversation."""
    return [{"role": "user", "content": [{"text": "Hello"}]}]


@dataclass(frozen=True, slots=True)
class Samples:
    """Instances by which a schema is known wherever it arrives.

    ``allowed`` ones are valid, ``refused`` ones lack or mistake what every service can express. ``maps`` are valid ones
    with maps in them, each beside the same with its maps empty.
    """

    allowed: tuple[Any, ...] = ()
    refused: tuple[Any, ...] = ()
    maps: tuple[tuple[Any, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """The arguments of a call. ``output_model`` is for structured output."""

    messages: Messages = field(default_factory=hello)
    tool_specs: list[ToolSpec] | None = None
    system_prompt: str | None = None
    system_prompt_content: list[SystemContentBlock] | None = None
    tool_choice: ToolChoice | None = None
    operation: Operation = Operation.STREAM
    output_model: type[BaseModel] | None = None
    #: settings on top of the provider's own, given when the model is made
    config: Mapping[str, Any] = field(default_factory=dict)
    #: instances of schemas that are hard to send, by the name of their tool or output model
    samples: Mapping[str, Samples] = field(default_factory=dict)


FRAMES = Cut(CutKind.FRAMES)
NOTHING = Reply(())


@dataclass(frozen=True, slots=True)
class Answer:
    """What the service says, and how it arrives.

    With ``error`` alone it answers with that HTTP error; with ``error`` and ``error_after`` it answers 200, tells that
    many frames of ``reply``, then the error. ``raw`` overrides all with recorded bytes.
    """

    reply: Reply = NOTHING
    style: Style = field(default_factory=dict)
    cut: Cut = FRAMES
    fault: Fault | None = None
    error: VendorError | None = None
    error_after: int | None = None
    gap: float = 0.0
    raw: WireReply | None = None

    def wire(self, dialect: Dialect, *, stream: bool) -> WireReply:
        """The answer in the dialect's bytes, before cuts and faults."""
        if self.raw is not None:
            return self.raw
        if self.error is None:
            return dialect.encode(self.reply, self.style, stream=stream)
        if self.error_after is None:
            return dialect.encode_error(self.error)
        wire = dialect.encode_stream_error(self.error, self.reply, self.style, keep=self.error_after)
        if wire is None:
            raise ValueError(f"{dialect.name} has no in-stream form of the error {self.error.id}")
        return wire

    def delivery(self, dialect: Dialect, *, stream: bool) -> Delivery:
        """The answer, ready for the wire."""
        return deliver(self.wire(dialect, stream=stream), self.cut, self.fault, self.gap)


def deliver(wire: WireReply, cut: Cut = FRAMES, fault: Fault | None = None, gap: float = 0.0) -> Delivery:
    """Cut a response into chunks and spoil it as the fault says."""
    chunks = apply(cut, wire.frames)
    if fault is None:
        return Delivery(wire.status, wire.headers, chunks, gap=gap)
    chunks, terminal = cut_body(chunks, wire.frames, fault, terminal_frames=wire.terminal_frames)
    status, headers = head(wire.status, wire.headers, fault)
    return Delivery(status, headers, chunks, terminal, gap=gap, refused=fault.kind is FaultKind.REFUSED)


@dataclass(frozen=True, slots=True)
class Goal:
    """A run of the tool loop, and what it must come to.

    ``answers`` are what the service says, request by request, ``settings`` the loop's. The run must end in ``answer``
    once all of it was said, with the tools of ``ran`` run in this order; ``rule`` is broken otherwise.
    """

    rule: str
    answers: tuple[Answer, ...]
    answer: str
    ran: tuple[str, ...] = ()
    settings: Settings = field(default_factory=Settings)


class Listen(StrEnum):
    """How the caller consumes the stream."""

    ALL = "all"
    #: close the generator after ``listen_after`` events
    CLOSE = "close"
    #: cancel the task after ``listen_after`` events
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True)
class Exchange:
    """A call, its answer, and the mode. ``stream`` says whether the adapter is set to stream."""

    call: Call = field(default_factory=Call)
    answer: Answer = field(default_factory=Answer)
    stream: bool = True
    listen: Listen = Listen.ALL
    listen_after: int = 0
    #: the last bytes are sent only once the caller has seen something of the earlier ones; a caller that closes or
    #: cancels leaves before they come, and one that cancels does so while it waits for them
    gated: bool = False
    #: seconds for which the caller turns to something else after each event (``Listen.ALL`` only)
    pause: float = 0.0
    #: what structured output must give; None where the reply holds no valid instance
    instance: BaseModel | None = None
    #: instances that are as right, where the reply holds several; an exception is, too
    instances: tuple[BaseModel, ...] = ()

    #: for ``Operation.LOOP``
    goal: Goal | None = None

    @property
    def legal(self) -> bool:
        """Whether the service gives a whole reply, so that nothing may raise."""
        return self.answer.fault is None and self.answer.error is None
