"""A loopback server between an adapter and the real service: it hands on what comes as it comes, and keeps it.

It works for every SDK, since each can be pointed at an address, and it alone knows the keys: the adapter never has
them, and what it sends is what is kept.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final

import h11

from harness.cassettes.budget import Budget
from harness.cassettes.fetch import Taking, fetch
from harness.cassettes.model import End, Interaction
from harness.cassettes.player import Player
from harness.cassettes.service import Service
from harness.dialects.base import WireRequest
from harness.endpoint.base import Delivery, ExchangeLog, Responder
from harness.endpoint.connection import Connection
from harness.endpoint.exchanges import Exchanges
from harness.endpoint.loopback import LoopbackEndpoint
from harness.wire.faults import Terminal

#: what stands for the response until it has come
_TO_COME: Final = Delivery(0, (), ())


class Relay(LoopbackEndpoint):
    """An endpoint whose answers are those of the real service.

    With a ``player``, what it has recorded is answered from there. ``taken`` are the exchanges of all calls since
    :meth:`begin`, ``failures`` why there are none.
    """

    def __init__(self, service: Service, budget: Budget) -> None:
        self._service = service
        self._budget = budget
        self._player: Player | None = None
        self._fetches: list[tuple[Taking | Interaction, asyncio.Task[None] | None]] = []
        super().__init__()

    def begin(self, player: Player | None = None) -> None:
        """Forget what was taken."""
        self._fetches = []
        self._player = player

    def reset(self, responder: Responder) -> None:
        """Start a new log; the service answers, whatever ``responder`` would."""
        super().reset(self._answer)

    def finish(self) -> None:
        """Wait until every response has come to its end, also those that the adapter left."""
        self._call(_all([task for _, task in self._fetches if task is not None]))

    @property
    def taken(self) -> list[Interaction]:
        """The exchanges, in the order in which they were asked for; those without a response are left out."""
        kept = [one.interaction() if isinstance(one, Taking) else one for one, _ in self._fetches]
        return [one for one in kept if one.status]

    @property
    def failures(self) -> list[str]:
        """Why exchanges have no response."""
        lost = (one for one, _ in self._fetches if isinstance(one, Taking) and not one.status)
        return [f"{one.uri}: {one.failure}" for one in lost]

    def _answer(self, request: WireRequest) -> Delivery:
        """The recorded delivery where there is one, else one that is to come."""
        player = self._player
        recorded = player.find(player.scrubber.request(request)) if player is not None else None
        if player is not None and recorded is not None:
            self._fetches.append((player.last, None))
            return recorded
        self._budget.take_call()
        return _TO_COME

    def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Connection:
        return _RelayConnection(reader, writer, self._exchanges, self._fetch)

    def _fetch(self, request: WireRequest, changed: Callable[[], object]) -> Taking:
        taking = Taking(request, self._service.shown_uri(request))
        task = asyncio.get_running_loop().create_task(fetch(self._service, taking, changed))
        self._fetches.append((taking, task))
        return taking


async def _all(tasks: list[asyncio.Task[None]]) -> None:
    await asyncio.gather(*tasks)


class _RelayConnection(Connection):
    """Answers requests by what the service says, each chunk as it comes."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        exchanges: Exchanges,
        begin: Callable[[WireRequest, Callable[[], object]], Taking],
    ) -> None:
        super().__init__(reader, writer, exchanges, keep_alive=False)
        self._begin = begin

    async def _send(self, exchange: ExchangeLog) -> None:
        if exchange.delivery is not _TO_COME:
            await super()._send(exchange)
            return
        changed = asyncio.Event()
        taking = self._begin(exchange.request, changed.set)
        await self._until(changed, lambda: taking.status or taking.end)
        if not taking.status:
            self.cut()
            return
        exchange.delivery = Delivery(taking.status, taking.headers, ())
        await self._write(self._head(exchange.delivery))
        while (count := exchange.delivered) < len(taking.chunks) or taking.end is None:
            await self._until(changed, lambda: len(taking.chunks) > exchange.delivered or taking.end)
            for chunk in taking.chunks[count:]:
                await self._write(h11.Data(data=chunk))
                exchange.delivered += 1
        await self._end(exchange, taking)

    async def _until(self, changed: asyncio.Event, holds: Callable[[], Any]) -> None:
        while not holds():
            changed.clear()
            await changed.wait()

    async def _end(self, exchange: ExchangeLog, taking: Taking) -> None:
        whole = taking.end is End.COMPLETE
        terminal = Terminal.COMPLETE if whole else Terminal.RESET
        exchange.delivery = Delivery(taking.status, taking.headers, tuple(taking.chunks), terminal)
        if whole:
            await self._write(h11.EndOfMessage())
            exchange.finished = True
        else:
            await self._arrived()
            self.cut()
