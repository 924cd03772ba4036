"""Event loops one after the other, over real sockets: connections of a pool belong to the loop that opened them."""

import asyncio
import gc
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any, Final

from harness.checks.failure import told
from harness.dialects.base import WireRequest
from harness.endpoint.base import Delivery
from harness.endpoint.loopback import LoopbackEndpoint
from harness.exchange import Answer, Exchange
from harness.scenarios.catalogue.samples import said
from harness.scenarios.scenario import Scenario, Stage, modes


class OwnClients(LoopbackEndpoint):
    """A server that keeps connections open. It notes whether a client of the harness's own was asked for."""

    def __init__(self) -> None:
        super().__init__(keep_alive=True)
        self.lent = False

    def httpx2_client(self, **options: Any) -> Any:
        """A client, which then is not the adapter's to keep."""
        self.lent = True
        return super().httpx2_client(**options)

    def httpx_client(self, **options: Any) -> Any:
        """A client, which then is not the adapter's to keep."""
        self.lent = True
        return super().httpx_client(**options)

    def async_client_for(self, distribution: str, **options: Any) -> Any:
        """A client, which then is not the adapter's to keep."""
        self.lent = True
        return super().async_client_for(distribution, **options)


async def _loops(stage: Stage) -> None:
    """One instance with clients of its own, in two event loops one after the other."""
    subject, model = stage.subject, None
    for stream in modes(subject.provider):
        seen = await stage.watch(Exchange(answer=Answer(said(subject.dialect)), stream=stream))
        with closing(OwnClients()) as endpoint:
            delivery = seen.exchange.answer.delivery(subject.dialect, stream=stream)
            endpoint.reset(partial(_answer, delivery))
            model = replace(subject, endpoint=endpoint).fresh(seen.exchange)
            if endpoint.lent:
                return
            first, second = [await asyncio.to_thread(_in_a_loop, model, seen.exchange, subject.patience) for _ in "12"]
            if not first and endpoint.log.exchanges:
                stage.expect("LIFE-LOOPS", not second, second, "what the first loop got", seen)
    del model
    # Connections that loops left open are warned of when they go: here, where it harms nobody. SDKs that see a loop run
    # would have it close them, which only works in the loop that opened them.
    await asyncio.to_thread(_collect)


def _collect() -> None:
    """Collect garbage, and what its finalizers make."""
    for _ in range(3):
        gc.collect()


def _answer(delivery: Delivery, request: WireRequest) -> Delivery:
    return delivery


def _in_a_loop(model: Any, exchange: Exchange, patience: float) -> str:
    """What a call in a loop of its own raises, in words: an exception would keep its frames, and all in them."""

    async def call() -> None:
        async with asyncio.timeout(patience):
            async for _ in model.stream(exchange.call.messages):
                pass

    try:
        asyncio.run(call())
    except Exception as error:
        return told(error)
    return ""


SOCKETS: Final = (
    Scenario(
        "loops-socket",
        "two event loops one after the other, over real sockets",
        ("LIFE-LOOPS",),
        _loops,
        "strands#932; strands#434",
    ),
)
