"""The recorder's side of a connection to the real service: sends one request, and hands on what comes as it comes."""

import asyncio
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import h11

from harness.cassettes.model import End, Interaction
from harness.cassettes.service import Service
from harness.dialects.base import Headers, WireRequest

_READ_SIZE: Final = 65536
#: how long the service may be silent, in seconds
PATIENCE: Final = 600.0


@dataclass
class Taking:
    """A response as it comes. ``end`` is None while it does."""

    request: WireRequest
    uri: str
    status: int = 0
    headers: Headers = ()
    chunks: list[bytes] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    end: End | None = None
    #: why there is no response, or not all of it
    failure: str | None = None

    def interaction(self) -> Interaction:
        """What was taken."""
        asked = self.request
        return Interaction(
            asked.method,
            self.uri,
            asked.headers,
            asked.body,
            self.status,
            self.headers,
            tuple(self.chunks),
            tuple(self.times),
            self.end or End.ERROR,
        )


async def fetch(service: Service, taking: Taking, changed: Callable[[], object]) -> None:
    """Make the call to its end, whoever still listens; ``changed`` is called whenever more has come."""
    try:
        async with asyncio.timeout(PATIENCE) as limit:
            await _exchange(service, taking, changed, limit)
        taking.end = End.COMPLETE
    except (h11.RemoteProtocolError, OSError, TimeoutError) as failure:
        taking.failure = f"{type(failure).__name__}: {failure}"
        taking.end = End.CUT if isinstance(failure, ConnectionError) else End.ERROR
    finally:
        taking.end = taking.end or End.ERROR
        changed()


async def _exchange(service: Service, taking: Taking, changed: Callable[[], object], limit: asyncio.Timeout) -> None:
    context = ssl.create_default_context() if service.encrypted else None
    reader, writer = await asyncio.open_connection(service.host, service.port, ssl=context)
    try:
        protocol, begun = h11.Connection(h11.CLIENT), time.monotonic()
        await _send(protocol, writer, service, taking.request)
        while not isinstance(event := await _event(protocol, reader), h11.EndOfMessage):
            limit.reschedule(asyncio.get_running_loop().time() + PATIENCE)
            _take(taking, event, time.monotonic() - begun)
            changed()
    finally:
        writer.close()


async def _send(protocol: h11.Connection, writer: Any, service: Service, request: WireRequest) -> None:
    head = h11.Request(
        method=request.method, target=service.url.path + request.path, headers=[*service.headers(request)]
    )
    for event in (head, h11.Data(data=request.body), h11.EndOfMessage()):
        writer.write(protocol.send(event) or b"")
    await writer.drain()


async def _event(protocol: h11.Connection, reader: asyncio.StreamReader) -> Any:
    ended = False
    try:
        while (event := protocol.next_event()) is h11.NEED_DATA:
            data = await reader.read(_READ_SIZE)
            ended = not data
            protocol.receive_data(data)
    except h11.RemoteProtocolError as error:
        if ended:
            raise ConnectionError("the service closed the connection before its response was whole") from error
        raise
    return event


def _take(taking: Taking, event: Any, seconds: float) -> None:
    if isinstance(event, h11.Response):
        taking.status = event.status_code
        taking.headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in event.headers)
    elif isinstance(event, h11.Data):
        taking.chunks.append(bytes(event.data))
        taking.times.append(seconds)
