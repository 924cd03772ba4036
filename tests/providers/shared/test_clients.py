import asyncio
import gc
import threading

from providers._shared.clients import LoopClients


class Client:
    """Remembers its loop, as connections do, and the thread that made it."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self.loop: asyncio.AbstractEventLoop | None = None


async def twice(clients: LoopClients[Client]) -> Client:
    first, second = await clients.current(), await clients.current()
    assert first is second
    first.loop = asyncio.get_running_loop()
    return first


def test_each_loop_has_a_client_and_those_of_closed_loops_are_let_go() -> None:
    clients = LoopClients(Client)
    first, second = asyncio.run(twice(clients)), asyncio.run(twice(clients))
    assert first is not second
    assert len(clients) == 1


def test_a_client_that_holds_no_loop_goes_with_it() -> None:
    clients = LoopClients(Client)
    asyncio.run(clients.current())
    gc.collect()
    assert len(clients) == 0


def test_calls_at_the_same_time_get_the_same_client() -> None:
    clients = LoopClients(Client)

    async def both() -> tuple[Client, Client]:
        one, other = await asyncio.gather(clients.current(), clients.current())
        return one, other

    one, other = asyncio.run(both())
    assert one is other


def test_making_a_client_does_not_hold_the_loop_up() -> None:
    assert asyncio.run(LoopClients(Client).current()).thread != threading.get_ident()


def test_a_given_client_serves_every_loop() -> None:
    given = Client()
    clients = LoopClients(Client, given)
    assert asyncio.run(clients.current()) is given is asyncio.run(clients.current())
    assert len(clients) == 0


def test_a_client_is_closed_with_its_loop_unless_it_was_given() -> None:
    closed: list[Client] = []

    async def close(client: Client) -> None:
        assert asyncio.get_running_loop() is client.loop
        closed.append(client)

    clients = LoopClients(Client, close=close)
    made = [asyncio.run(twice(clients)), asyncio.run(twice(clients))]
    assert closed == made
    asyncio.run(twice(LoopClients(Client, Client(), close=close)))
    assert closed == made
