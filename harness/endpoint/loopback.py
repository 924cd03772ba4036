"""The endpoint on a real socket, for SDKs that take no transport, and as the witness of the one in process."""

import asyncio
import ssl
import threading
from collections.abc import Coroutine, Sequence
from importlib import import_module
from typing import Any, TypeVar

from harness.endpoint.base import EndpointLog, Responder
from harness.endpoint.clock import Clock, RealClock
from harness.endpoint.connection import Connection
from harness.endpoint.exchanges import Exchanges
from harness.endpoint.libraries import async_library

_T = TypeVar("_T")

_SETTLING_TURNS = 10  # of the server's loop, for an end of file to get from the selector to the log


class LoopbackEndpoint:
    """Implements :class:`~harness.endpoint.base.Endpoint` by an HTTP/1.1 server on 127.0.0.1.

    ``port`` 0 takes a free one. OSError is raised where the port is not to be had.

    Differences that a real socket makes. ``delivered`` counts the chunks that the kernel took, which may be more
    than the client read. ``finished`` means that the whole body was sent. Time-outs are the client's own, in real
    time, whatever the clock. A refused request is reset before its response, since the server cannot refuse before
    it knows the request. With ``keep_alive`` connections serve one request after another, as a pooling client
    wants; then a response that was sent to its end counts as released.
    """

    in_process = False

    def __init__(self, clock: Clock | None = None, *, keep_alive: bool = False, port: int = 0) -> None:
        self._exchanges = Exchanges(clock or RealClock())
        self._keep_alive = keep_alive
        self._connections: dict[Connection, asyncio.Task[Any]] = {}
        self._opened = self._closed = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="loopback-endpoint", daemon=True)
        self._thread.start()
        try:
            self._server = self._call(asyncio.start_server(self._accept, "127.0.0.1", port))
        except OSError:
            self._end()
            raise
        host, taken = self._server.sockets[0].getsockname()
        self._base_url = f"http://{host}:{taken}"

    @property
    def base_url(self) -> str:
        """The server's address."""
        return self._base_url

    @property
    def clock(self) -> Clock:
        """Where gaps are measured."""
        return self._exchanges.clock

    @property
    def log(self) -> EndpointLog:
        """What was seen since the last :meth:`reset`, including everything that clients did before this call."""
        self._settle()
        return self._exchanges.log

    @property
    def opened(self) -> int:
        """Connections accepted since the last :meth:`reset`."""
        self._settle()
        return self._opened

    @property
    def closed(self) -> int:
        """Connections that ended since the last :meth:`reset`, by either side."""
        self._settle()
        return self._closed

    def reset(self, responder: Responder) -> None:
        """Start a new log, answered by ``responder``; connections with an unfinished exchange are cut."""
        self._call(self._cut_busy())
        self._exchanges.reset(responder)
        self._opened = self._closed = 0

    def httpx2_client(self, **options: Any) -> Any:
        """A new ``httpx2.AsyncClient``, which connects to :attr:`base_url` and heeds no proxy settings."""
        return _client("httpx2", options)

    def httpx_client(self, **options: Any) -> Any:
        """A new ``httpx.AsyncClient``, which connects to :attr:`base_url` and heeds no proxy settings."""
        return _client("httpx", options)

    def async_client_for(self, distribution: str, **options: Any) -> Any:
        """A new async client of the HTTP library that the installed SDK ``distribution`` uses."""
        return _client(async_library(distribution), options)

    def attach_botocore(self, client: Any) -> None:
        """Nothing: a boto3 client is pointed at :attr:`base_url` when it is made."""

    def close(self) -> None:
        """Cut all connections and end the server and its thread."""
        if self._loop.is_closed():
            return
        self._call(self._shut())
        self._end()

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection, task = self._connection(reader, writer), asyncio.current_task()
        assert task is not None
        self._connections[connection] = task
        self._opened += 1
        try:
            await connection.serve()
        except Exception as failure:
            self._exchanges.fail(failure)
        finally:
            del self._connections[connection]
            self._closed += 1

    def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Connection:
        return Connection(reader, writer, self._exchanges, self._keep_alive)

    async def _shut(self) -> None:
        self._server.close()
        await self._cut(tuple(self._connections))

    async def _cut_busy(self) -> None:
        await self._cut([connection for connection in self._connections if connection.busy])

    async def _cut(self, connections: Sequence[Connection]) -> None:
        tasks = [self._connections[connection] for connection in connections]
        for connection in connections:
            connection.cut()
        await asyncio.gather(*tasks)

    def _settle(self) -> None:
        if threading.current_thread() is not self._thread and self._loop.is_running():
            self._call(_turns(_SETTLING_TURNS))

    def _call(self, work: Coroutine[Any, Any, _T]) -> _T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


async def _turns(number: int) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


def _client(library: str, options: dict[str, Any]) -> Any:
    # The context knows no authorities: loading them takes longer than a call, and nothing here is encrypted.
    verify = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return import_module(library).AsyncClient(**{"verify": verify, "trust_env": False, **options})
