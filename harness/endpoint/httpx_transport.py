"""An endpoint as a transport of httpx or httpx2, whose interfaces are the same.

What a client meets is what a connection would show it: errors are those of the library, and an error, a
cancellation, the end of the body or the closing of the client give the connection up.
"""

import asyncio
from collections.abc import AsyncIterator
from functools import cache
from importlib import import_module
from typing import Any, Final

from harness.dialects.base import WireRequest
from harness.endpoint.base import ExchangeLog
from harness.endpoint.exchanges import Exchanges, wire_headers
from harness.wire.faults import Terminal

#: how many chunks a reader gets without suspending: a socket's reader is never handed thousands at once, and the
#: loop must not look blocked by a body that was cut into single bytes
_CHUNKS_A_TURN: Final = 16


class HttpxTransport:
    """A transport for ``AsyncClient`` of the library ``httpx`` or ``httpx2``, whichever is named.

    Each response suspends its reader before the headers, after every few chunks, and for gaps and silences.
    """

    def __init__(self, library: str, exchanges: Exchanges) -> None:
        self._library: Any = import_module(library)
        self._stream = _stream_class(library)
        self._exchanges = exchanges
        self._open: set[ResponseStream] = set()

    async def handle_async_request(self, request: Any) -> Any:
        """Answer a request; the body comes with the response's stream."""
        exchange = self._exchanges.open(await _read(request))
        await asyncio.sleep(0)
        delivery = exchange.delivery
        if delivery.refused:
            exchange.released = True
            raise self._library.ConnectError("All connection attempts failed", request=request)
        if delivery.gate is not None:
            delivery.gate(-1)
        timeout = request.extensions.get("timeout", {}).get("read")
        stream = self._stream(self._library, request, self._exchanges, exchange, timeout, self._open)
        return self._library.Response(delivery.status, headers=wire_headers(delivery.headers), stream=stream)

    async def aclose(self) -> None:
        """Close every connection, as closing a pool does."""
        for stream in tuple(self._open):
            await stream.aclose()

    def abandon(self) -> None:
        """Give every connection up, as the end of a process does."""
        for stream in tuple(self._open):
            stream._release()

    async def __aenter__(self) -> "HttpxTransport":
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.aclose()


async def _read(request: Any) -> WireRequest:
    body = await request.aread()
    headers = tuple((name.lower().decode("latin-1"), value.decode("latin-1")) for name, value in request.headers.raw)
    return WireRequest(request.method, request.url.raw_path.decode("ascii"), headers, body)


class ResponseStream:
    """A response's body, chunk by chunk."""

    def __init__(
        self,
        library: Any,
        request: Any,
        exchanges: Exchanges,
        exchange: ExchangeLog,
        timeout: float | None,
        siblings: "set[ResponseStream]",
    ) -> None:
        self._library = library
        self._request = request
        self._exchanges = exchanges
        self._exchange = exchange
        self._timeout = timeout
        self._siblings = siblings
        self._cut: asyncio.Event | None = None
        siblings.add(self)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        exchange = self._exchange
        delivery = exchange.delivery
        gap, gate = delivery.gap, delivery.gate
        try:
            # A body that is asked for again goes on: OpenAI's SDK reads the end after "[DONE]" in this way.
            for index, chunk in enumerate(delivery.chunks[exchange.delivered :], exchange.delivered):
                if gap:
                    await self._wait(gap)
                if gate is not None:
                    gate(index)
                    await asyncio.sleep(0)  # so that what the gate has set off meets a reader that waits
                if exchange.released:
                    raise self._broken()
                if index % _CHUNKS_A_TURN == _CHUNKS_A_TURN - 1:
                    await asyncio.sleep(0)
                exchange.delivered = index + 1
                yield chunk
            if delivery.terminal is Terminal.SILENCE:
                await self._wait(None)
            if delivery.terminal is not Terminal.COMPLETE:
                raise self._broken()
            exchange.finished = True
        finally:
            self._release()

    async def aclose(self) -> None:
        """Give the connection up; a reader that waits for a chunk fails."""
        self._release()
        if self._cut is not None:
            self._cut.set()

    def _release(self) -> None:
        self._exchange.released = True
        self._siblings.discard(self)

    def _broken(self) -> Exception:
        # What httpx and httpx2 raise when the peer resets the connection: without a text.
        error: Exception = self._library.ReadError("", request=self._request)
        return error

    async def _wait(self, seconds: float | None) -> None:
        """Let a silence of ``seconds`` pass, or one without end, with the client's read time-out at work."""
        timed_out = self._timeout is not None and (seconds is None or seconds >= self._timeout)
        await self._sleep(self._timeout if timed_out else seconds)
        if timed_out:
            self._exchange.silence = self._timeout or 0.0
            raise self._library.ReadTimeout("", request=self._request)

    async def _sleep(self, seconds: float | None) -> None:
        loop, self._cut = asyncio.get_running_loop(), asyncio.Event()
        waits: set[asyncio.Task[Any]] = {loop.create_task(self._cut.wait())}
        if seconds is not None:
            waits.add(loop.create_task(self._exchanges.clock.sleep(seconds)))
        cutter = self._cut.set
        with self._exchanges.hanging(lambda: loop.call_soon_threadsafe(cutter)):
            try:
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for wait in waits:
                    wait.cancel()
        if self._cut.is_set():
            raise self._broken()


@cache
def _stream_class(library: str) -> Any:
    """The stream as a subclass of the library's own, which its client insists on."""
    base = import_module(library).AsyncByteStream
    return type("ResponseStream", (ResponseStream, base), {})
