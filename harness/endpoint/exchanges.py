"""What the doors of an in-process endpoint share: the responder, the log and the clock."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from harness.dialects.base import Headers, WireRequest
from harness.endpoint.base import Delivery, EndpointLog, ExchangeLog, Responder
from harness.endpoint.clock import Clock

#: headers that frame a body on a connection; endpoints frame by themselves, since faults change bodies
FRAMING_HEADERS = frozenset({"connection", "content-length", "keep-alive", "transfer-encoding"})


@lru_cache(maxsize=512)
def wire_headers(headers: Headers) -> tuple[tuple[bytes, bytes], ...]:
    """Headers as bytes, without those that frame the body."""
    return tuple((k.encode("latin-1"), v.encode("latin-1")) for k, v in headers if k.lower() not in FRAMING_HEADERS)


class Exchanges:
    """Answers requests, and keeps the log of the answers. Safe to use from any thread."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._log = EndpointLog()
        self._responder: Responder = _unprepared
        self._failure: Exception | None = None
        self._lock = threading.Lock()
        self._hanging: set[Callable[[], object]] = set()

    @property
    def log(self) -> EndpointLog:
        """What was seen since the last reset.

        ``RuntimeError`` is raised where the responder or a gate failed: SDKs take that for a failure of the network.
        """
        if self._failure is not None:
            raise RuntimeError("the endpoint itself failed, so the log means nothing") from self._failure
        return self._log

    def reset(self, responder: Responder) -> None:
        """Start a new log and let go of every reader that still waits."""
        with self._lock:
            self._log = EndpointLog()
            self._responder = responder
            self._failure = None
        self.cut_all()

    def open(self, request: WireRequest) -> ExchangeLog:
        """Ask the responder and log the exchange: both in one order, whatever threads the requests come from."""
        with self._lock:
            try:
                exchange = ExchangeLog(request, self._responder(request))
            except Exception as failure:
                self.fail(failure)
                raise
            self._log.exchanges.append(exchange)
        return exchange

    def fail(self, failure: Exception) -> None:
        """Have the log tell that a failure is not the client's."""
        self._failure = failure

    @contextmanager
    def hanging(self, cut: Callable[[], object]) -> Iterator[None]:
        """Have ``cut`` called, from whichever thread, if the endpoint is reset or closed within the context."""
        self._hanging.add(cut)
        try:
            yield
        finally:
            self._hanging.discard(cut)

    def cut_all(self) -> None:
        """Cut the connections of all readers that hang."""
        for cut in tuple(self._hanging):
            cut()


def _unprepared(request: WireRequest) -> Delivery:
    raise RuntimeError(f"{request.method} {request.path} came before the endpoint was given a responder by reset()")
