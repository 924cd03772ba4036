"""The meeting point of a dialect and a real SDK: what is delivered, and what was seen."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from harness.dialects.base import Headers, WireRequest
from harness.wire.faults import Terminal


@dataclass(frozen=True, slots=True)
class Delivery:
    """One response, ready for the wire.

    ``gap`` is the silence before each chunk, in seconds of the endpoint's clock. ``terminal`` says what happens
    after the last chunk. ``refused`` refuses the connection before anything was sent.
    ``gate``, when given, is called once before the headers and once before each chunk, with the index of the
    chunk (-1 for the headers), in the thread that sends; it may block until a test lets it go on.
    """

    status: int
    headers: Headers
    chunks: tuple[bytes, ...]
    terminal: Terminal = Terminal.COMPLETE
    gap: float = 0.0
    refused: bool = False
    gate: Callable[[int], None] | None = None


#: decides the answer to a request; called once a request, in the order in which they arrive
Responder = Callable[[WireRequest], Delivery]


@dataclass(slots=True)
class ExchangeLog:
    """What the endpoint saw of one request and its answer."""

    request: WireRequest
    delivery: Delivery
    #: chunks that the client has taken
    delivered: int = 0
    #: the body was read to its end
    finished: bool = False
    #: the response was closed or read to its end, so that its connection is free or gone
    released: bool = False
    #: the silence that the client gave up after, in seconds of the endpoint's clock
    silence: float = 0.0


@dataclass(slots=True)
class EndpointLog:
    """What the endpoint saw since the last reset."""

    exchanges: list[ExchangeLog] = field(default_factory=list)

    @property
    def requests(self) -> list[WireRequest]:
        """The requests, in order of arrival."""
        return [exchange.request for exchange in self.exchanges]

    @property
    def unreleased(self) -> int:
        """Responses that nobody read to the end or closed."""
        return sum(not exchange.released for exchange in self.exchanges)


class Endpoint(Protocol):
    """Where an adapter's SDK is pointed at. One endpoint serves one provider, call after call.

    An adapter takes whichever door its SDK has: a transport of its HTTP library, a botocore hook, or the URL.
    """

    @property
    def base_url(self) -> str:
        """Root URL without a trailing slash; a real loopback address, or a name that never resolves."""

    @property
    def in_process(self) -> bool:
        """Whether the transports below serve without a socket; when False they connect to ``base_url``."""

    @property
    def log(self) -> EndpointLog:
        """What was seen since the last :meth:`reset`."""

    def reset(self, responder: Responder) -> None:
        """Forget what was seen, and answer by ``responder`` from now on."""

    def httpx2_client(self, **options: Any) -> Any:
        """A new ``httpx2.AsyncClient`` whose transport is this endpoint."""

    def httpx_client(self, **options: Any) -> Any:
        """A new ``httpx.AsyncClient`` whose transport is this endpoint."""

    def async_client_for(self, distribution: str, **options: Any) -> Any:
        """A new async client of the HTTP library that the installed SDK ``distribution`` uses (httpx2 or httpx)."""

    def attach_botocore(self, client: Any) -> None:
        """Answer the requests of a boto3 client from here."""

    def close(self) -> None:
        """Release sockets and threads."""
