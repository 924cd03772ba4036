"""Clients of SDKs that talk over asyncio."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from providers._shared.bridge import call_in_thread

C = TypeVar("C")


class LoopClients(Generic[C]):
    """A client for each event loop, since connections cannot be used from another one.

    A ``given`` client belongs to the caller and is used as it is, from whichever loop. The others are closed by
    ``close``, where it is given, when their loop shuts down its asynchronous generators, as ``asyncio.run`` has it do
    before it closes the loop.
    """

    def __init__(
        self,
        make: Callable[[], C],
        given: C | None = None,
        *,
        close: Callable[[C], Awaitable[object]] | None = None,
    ) -> None:
        self._make = make
        self._given = given
        self._close = close
        self._keepers: WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncGenerator[None, None]] = WeakKeyDictionary()
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, C] = WeakKeyDictionary()

    def __len__(self) -> int:
        """How many clients are kept."""
        return len(self._clients)

    async def current(self) -> C:
        """The client of the running event loop."""
        if self._given is not None:
            return self._given
        loop = asyncio.get_running_loop()
        if (client := self._clients.get(loop)) is not None:
            return client
        for closed in [known for known in self._clients if known.is_closed()]:
            del self._clients[closed]  # its client's connections keep the loop alive, so that it never falls out
        # Certificates are read when a client is made, which would hold the loop up.
        made = await call_in_thread(self._make)
        client = self._clients.setdefault(loop, made)
        if client is made and self._close is not None:
            self._keepers[loop] = keeper = _kept(client, self._close)
            await anext(keeper)
        return client


async def _kept(client: C, close: Callable[[C], Awaitable[object]]) -> AsyncGenerator[None, None]:
    """Closes the client when the loop closes this."""
    try:
        yield
    finally:
        await close(client)
