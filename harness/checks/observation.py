"""What was seen of one exchange: the ground on which every check judges."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from harness.agent.events import LoopEvent
from harness.checks.reading import lasting, reader
from harness.checks.taken import Taken, restored, taken
from harness.contract.assembler import Assembled, Assembler
from harness.contract.content import ContentBlock
from harness.contract.events import StreamEvent
from harness.dialects.base import Dialect, RequestFault, RequestView, WireRequest
from harness.dialects.reply import Reply
from harness.endpoint.base import EndpointLog
from harness.exchange import Exchange
from harness.provider import Provider
from harness.wire.faults import FaultKind

_MEDIA: Final = ("image", "document", "video")


@dataclass
class Observation:
    """One exchange as the harness saw it.

    ``events`` and ``output`` are what the adapter yielded, ``error`` what it raised (None when it ended well), and
    ``kinds`` the contract's names for that error (``ModelThrottledException``, …); ``known`` are the names that the
    adapter's framework has at all. ``changed`` names the inputs that the call changed. ``stall`` is the event loop's
    longest block, in seconds, confirmed by repetition where it was long.
    """

    provider: Provider
    dialect: Dialect
    exchange: Exchange
    log: EndpointLog
    events: list[StreamEvent] = field(default_factory=list)
    #: the events as they were when they came
    taken: list[Taken] = field(default_factory=list)
    #: the stream was taken to its end, and ended without raising
    whole: bool = False
    #: what the tool loop told, beside the events of its turns (runs of the loop only)
    run: list[LoopEvent] = field(default_factory=list)
    output: Any = None
    outputs: int = 0
    #: the last item was an output
    output_last: bool = False
    error: BaseException | None = None
    kinds: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()
    #: the framework's exception types, by the contract's names
    exceptions: Mapping[str, type[BaseException]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    #: the inputs of the call and its method, as bytes that are equal for equal ones
    asked: bytes = b""
    changed: tuple[str, ...] = ()
    stall: float = 0.0
    tasks: tuple[str, ...] = ()
    #: events that had arrived when each chunk was about to be sent (gated exchanges only)
    progress: list[int] = field(default_factory=list)
    timed_out: bool = False
    #: the task was cancelled while the call was going on, and it ended by CancelledError
    interrupted: bool = False
    cancelled: bool = False
    #: the reply that must arrive, where one must
    expected: Reply | None = None
    #: what the adapter's framework makes of the events, or what it raises over them; neither where it was not asked
    reading: Assembled | None = None
    reading_error: Exception | None = None

    def take(self, event: Any) -> None:
        """Note an event."""
        self.events.append(event)
        self.taken.append(taken(event))

    @cached_property
    def assembled(self) -> Assembler:
        """What the events come to, as they were when they came."""
        assembler = Assembler()
        for event in restored(self.taken):
            assembler.feed(event)
        if self.whole:
            assembler.finish()
        return assembler

    @cached_property
    def content(self) -> list[ContentBlock]:
        """The assembled message's blocks."""
        return self.assembled.message["content"]

    @property
    def read_by_framework(self) -> bool:
        """Whether the adapter's framework was asked for its reading of the events."""
        return self.reading is not None or self.reading_error is not None

    @cached_property
    def requests(self) -> list[WireRequest]:
        """The requests that the server saw, without what no two calls share."""
        return [lasting(request) for request in self.log.requests]

    @cached_property
    def views(self) -> list[RequestView]:
        """The requests that the server could read, in no vendor's words."""
        return [reader(self.dialect).view(request) for request in self.requests]

    @cached_property
    def undeclared(self) -> list[str]:
        """The media in the call that the adapter does not declare."""
        declared = self.provider.capabilities.media
        blocks: list[Any] = [block for turn in self.exchange.call.messages for block in turn["content"]]
        sources = [(kind, block[kind]["source"]) for block in blocks for kind in _MEDIA if kind in block]
        kinds = {kind for kind, source in sources if "location" not in source and kind not in declared}
        away = {f"{kind} at a location" for kind, source in sources if "location" in source}
        return sorted(kinds if "location" in declared else kinds | away)

    @cached_property
    def faults(self) -> Sequence[RequestFault]:
        """Why the real service would refuse the requests; those that follow a redirect are no longer the adapter's."""
        fault = self.exchange.answer.fault
        own = self.requests[:1] if fault and fault.kind is FaultKind.REDIRECT else self.requests
        return [fault for request in own for fault in reader(self.dialect).faults(request)]

    @cached_property
    def streamed(self) -> bool:
        """Whether the first request asks for a streamed reply."""
        return reader(self.dialect).is_stream(self.requests[0])
