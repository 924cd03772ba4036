"""The server's side of one HTTP/1.1 connection."""

import asyncio
import http.client
import socket
import struct
import sys

import h11

from harness.dialects.base import WireRequest
from harness.endpoint.base import Delivery, ExchangeLog
from harness.endpoint.exchanges import Exchanges, wire_headers
from harness.wire.faults import Terminal

_READ_SIZE = 65536
_POLL = 0.0005  # seconds between looks at what the kernel has still to send
_NO_LINGER = struct.pack("ii", 1, 0)  # closing sends a reset in place of what is left


class Connection:
    """Reads requests and sends their deliveries, each chunk on its own.

    Without ``keep_alive`` each response announces the connection's end and then leaves it to the client to close:
    that it did is how the server knows that the response was read or closed. With it, a body that was sent to its
    end counts as read, since an idle connection looks the same whether its last body was read or not.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, exchanges: Exchanges, keep_alive: bool
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._socket: socket.socket = writer.get_extra_info("socket")
        self._exchanges = exchanges
        self._keep_alive = keep_alive
        self._protocol = h11.Connection(h11.SERVER)
        self.busy = False
        writer.transport.set_write_buffer_limits(high=0)  # so that drain() waits for the kernel to take everything

    async def serve(self) -> None:
        """Serve until either side ends the connection."""
        try:
            while (request := await self._request()) is not None:
                await self._exchange(self._exchanges.open(request))
                self._protocol.start_next_cycle()
        except (h11.RemoteProtocolError, ConnectionError):
            pass  # the client is gone, or was cut off, or speaks no HTTP
        finally:
            self._writer.transport.abort()

    def cut(self) -> None:
        """Reset the connection, unless it is gone already."""
        if not self._writer.transport.is_closing():
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
            self._writer.transport.abort()

    async def _request(self) -> WireRequest | None:
        events: list[h11.Event] = []
        while not isinstance(event := await self._event(), h11.EndOfMessage):
            if not isinstance(event, h11.Request | h11.Data):
                return None
            events.append(event)
        head = events[0]
        assert isinstance(head, h11.Request)
        return WireRequest(
            head.method.decode("ascii"),
            head.target.decode("ascii"),
            tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in head.headers),
            b"".join(event.data for event in events if isinstance(event, h11.Data)),
        )

    async def _event(self) -> object:
        while (event := self._protocol.next_event()) is h11.NEED_DATA:
            self._protocol.receive_data(await self._reader.read(_READ_SIZE))
        return event

    async def _exchange(self, exchange: ExchangeLog) -> None:
        gone = asyncio.create_task(self._gone())
        sending = asyncio.create_task(self._send(exchange))
        self.busy = True
        try:
            await asyncio.wait({gone, sending}, return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
            if self._protocol.our_state is not h11.DONE:
                await gone
        finally:
            self.busy = False
            exchange.released = True
            gone.cancel()
            sending.cancel()
            await asyncio.gather(gone, sending, return_exceptions=True)

    async def _gone(self) -> None:
        """Wait for the client to close; what it sends meanwhile belongs to its next request."""
        while data := await self._reader.read(_READ_SIZE):
            self._protocol.receive_data(data)
        raise ConnectionResetError("the client closed the connection")

    async def _send(self, exchange: ExchangeLog) -> None:
        delivery = exchange.delivery
        if delivery.refused:
            self.cut()
            return
        await self._gate(delivery, -1)
        await self._write(self._head(delivery))
        for index, chunk in enumerate(delivery.chunks):
            if delivery.gap:
                await self._exchanges.clock.sleep(delivery.gap)
            await self._gate(delivery, index)
            await self._write(h11.Data(data=chunk))
            exchange.delivered = index + 1
        if delivery.terminal is Terminal.COMPLETE:
            await self._write(h11.EndOfMessage())
            exchange.finished = True
        elif delivery.terminal is Terminal.RESET:
            await self._arrived()
            self.cut()

    def _head(self, delivery: Delivery) -> h11.Response:
        headers = [*wire_headers(delivery.headers)]
        if not self._keep_alive:
            headers.append((b"connection", b"close"))
        reason = http.client.responses.get(delivery.status, "")
        return h11.Response(status_code=delivery.status, headers=headers, reason=reason)

    async def _gate(self, delivery: Delivery, index: int) -> None:
        if delivery.gate is not None:
            await asyncio.to_thread(delivery.gate, index)  # the other connections go on, whatever it waits for

    async def _write(self, event: h11.Event) -> None:
        self._writer.write(self._protocol.send(event) or b"")
        await self._writer.drain()

    async def _arrived(self) -> None:
        """Wait until the client's kernel has everything: a reset would take back what is still on its way."""
        while not self._writer.transport.is_closing() and _unsent(self._socket):  # noqa: ASYNC110 - no event tells
            await asyncio.sleep(_POLL)


def _unsent(sock: socket.socket) -> int:
    """Bytes that the peer has not acknowledged; 0 where the system does not tell."""
    if sys.platform != "linux":
        return 0
    import fcntl
    import termios

    (unsent,) = struct.unpack("i", fcntl.ioctl(sock.fileno(), termios.TIOCOUTQ, bytes(4)))
    return int(unsent)
