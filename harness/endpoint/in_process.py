"""The endpoint inside the process: the real SDK, and no socket."""

from importlib import import_module
from typing import Any

from harness.endpoint import botocore_hook
from harness.endpoint.base import EndpointLog, Responder
from harness.endpoint.clock import Clock, VirtualClock
from harness.endpoint.exchanges import Exchanges
from harness.endpoint.httpx_transport import HttpxTransport
from harness.endpoint.libraries import async_library


class InProcessEndpoint:
    """Implements :class:`~harness.endpoint.base.Endpoint` by transports and hooks.

    Chunks reach the SDK exactly as they were cut. By default time is virtual: gaps and read time-outs cost none.
    A client of httpx that cannot be given a transport is served by respx, with ``transport("httpx")`` as the side
    effect of its route.
    """

    base_url = "http://conformance.invalid"  # RFC 6761: never resolves
    in_process = True

    def __init__(self, clock: Clock | None = None) -> None:
        self._exchanges = Exchanges(clock or VirtualClock())

    @property
    def clock(self) -> Clock:
        """Where gaps and time-outs are measured."""
        return self._exchanges.clock

    @property
    def log(self) -> EndpointLog:
        """What was seen since the last :meth:`reset`."""
        return self._exchanges.log

    def reset(self, responder: Responder) -> None:
        """Start a new log, answered by ``responder``; readers that still wait find their connection cut."""
        self._exchanges.reset(responder)

    def transport(self, library: str) -> HttpxTransport:
        """A transport for clients of ``httpx`` or ``httpx2``."""
        return HttpxTransport(library, self._exchanges)

    def httpx2_client(self, **options: Any) -> Any:
        """A new ``httpx2.AsyncClient`` whose transport is this endpoint."""
        return self._client("httpx2", options)

    def httpx_client(self, **options: Any) -> Any:
        """A new ``httpx.AsyncClient`` whose transport is this endpoint."""
        return self._client("httpx", options)

    def async_client_for(self, distribution: str, **options: Any) -> Any:
        """A new async client of the HTTP library that the installed SDK ``distribution`` uses."""
        return self._client(async_library(distribution), options)

    def attach_botocore(self, client: Any) -> None:
        """Answer the requests of a boto3 client from here."""
        botocore_hook.attach(client, self._exchanges)

    def close(self) -> None:
        """Cut the connections of readers that still wait."""
        self._exchanges.cut_all()

    def _client(self, library: str, options: dict[str, Any]) -> Any:
        return import_module(library).AsyncClient(transport=self.transport(library), **options)
