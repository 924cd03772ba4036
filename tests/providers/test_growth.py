"""A long life on real sockets, for one adapter of each kind of HTTP client: nothing grows with the number of calls."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from harness.dialects import load_dialect
from harness.discovery import find
from harness.endpoint.loop import StallSelector
from harness.endpoint.loopback import LoopbackEndpoint
from harness.exchange import Answer, Exchange
from harness.run import Subject
from harness.scenarios.catalogue.samples import rich

CALLS = 1000
#: connections and threads that a client may keep for its next calls, whatever their number
KEPT = 10


class Socket(LoopbackEndpoint):
    """Keeps connections alive, and the clients that it made, which are its caller's to close."""

    #: so that no SDK makes a client that nobody closes
    in_process = True

    def __init__(self) -> None:
        super().__init__(keep_alive=True)
        self.clients: list[Any] = []

    def httpx_client(self, **options: Any) -> Any:
        self.clients.append(super().httpx_client(**options))
        return self.clients[-1]

    def async_client_for(self, distribution: str, **options: Any) -> Any:
        self.clients.append(super().async_client_for(distribution, **options))
        return self.clients[-1]


@pytest.fixture
def endpoint() -> Iterator[Socket]:
    made = Socket()
    yield made
    made.close()


async def _call_again_and_again(model: Any, exchange: Exchange, endpoint: Socket) -> tuple[int, int]:
    """How many events came in all, and how many tasks there are more in the end."""
    events = 0
    before = asyncio.all_tasks()
    for _ in range(CALLS):
        async for _ in model.stream(exchange.call.messages):
            events += 1
    tasks = len(asyncio.all_tasks() - before)
    for client in endpoint.clients:
        await client.aclose()
    return events, tasks


@pytest.mark.parametrize(
    "name",
    [pytest.param("ollama", id="httpx"), pytest.param("openai", id="httpx2"), pytest.param("bedrock", id="boto")],
)
def test_a_thousand_calls_leave_no_more_than_a_few(name: str, endpoint: Socket) -> None:
    (provider,) = find([name])
    dialect = load_dialect(provider.dialect)
    exchange = Exchange(answer=Answer(rich(provider, dialect)))
    delivery = exchange.answer.delivery(dialect, stream=True)
    endpoint.reset(lambda request: delivery)
    threads = threading.active_count()
    model = Subject(provider, dialect, endpoint, StallSelector()).model(exchange)
    events, tasks = asyncio.run(_call_again_and_again(model, exchange, endpoint))
    assert events % CALLS == 0
    assert events > 5 * CALLS
    assert len(endpoint.log.exchanges) == CALLS
    assert endpoint.log.unreleased == 0
    assert 1 <= endpoint.opened <= KEPT
    assert tasks == 0
    assert threading.active_count() - threads <= KEPT
