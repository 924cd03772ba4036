"""A service that is silent for real: meanwhile the event loop must serve others, whatever the adapter reads with.

In the process nothing ever waits, so an adapter that blocks passes there. Here the server holds its answer back until
the loop has shown signs of life, however long that takes it: a busy machine is not taken for a blocked loop.
"""

import asyncio
import threading
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any, Final

from harness.endpoint.base import Endpoint
from harness.endpoint.loopback import LoopbackEndpoint
from harness.endpoint.watchdog import LoopBlockedError
from harness.exchange import Answer, Exchange
from harness.scenarios.catalogue.samples import said
from harness.scenarios.scenario import Scenario, Stage, modes

#: seconds between two signs of life, and how many the server wants
_BEAT: Final = 0.005
_BEATS: Final = 3
#: how long it waits for them, in seconds
PATIENCE: Final = 10.0


class Pulse:
    """Signs of life of an event loop, and a gate that waits for them."""

    def __init__(self, last: int) -> None:
        #: the loop gave no sign although the service was silent
        self.deaf = False
        self._last = last
        self._beats = 0
        self._told = threading.Condition()

    async def beat(self) -> None:
        """Give signs, until cancelled."""
        while True:
            with self._told:
                self._beats += 1
                self._told.notify_all()
            await asyncio.sleep(_BEAT)

    def gate(self, index: int) -> None:
        """Hold back the headers, and the last chunk, in the server's thread."""
        if self.deaf or index not in (-1, self._last):
            return
        with self._told:
            wanted = self._beats + _BEATS
            self.deaf = not self._told.wait_for(lambda: self._beats >= wanted, PATIENCE)


async def _silent(stage: Stage) -> None:
    """A reply that is held back, in each mode, over a real socket."""
    subject = stage.subject
    with closing(LoopbackEndpoint()) as endpoint:
        for stream in modes(subject.provider):
            seen = await stage.watch(Exchange(answer=Answer(said(subject.dialect)), stream=stream))
            deaf = await _deaf(subject, seen.exchange, endpoint)
            if deaf is not None:
                met = f"the loop was deaf for {PATIENCE:g} s while the service was silent"
                stage.expect("LIFE-LOOP", not deaf, met, "a loop that goes on meanwhile", seen)


async def _deaf(subject: Any, exchange: Exchange, endpoint: Endpoint) -> bool | None:
    """Whether the call blocked the loop; None where the adapter cannot be pointed at a server."""
    delivery = exchange.answer.delivery(subject.dialect, stream=exchange.stream)
    pulse = Pulse(len(delivery.chunks) - 1)
    gated = replace(delivery, gate=pulse.gate)
    endpoint.reset(lambda request: gated)
    beating = asyncio.create_task(pulse.beat())
    try:
        with suppress(Exception):  # what a call raises is judged elsewhere
            await _call(replace(subject, endpoint=endpoint).fresh(exchange), exchange, subject.patience)
    except LoopBlockedError:  # it would have blocked for longer still
        pulse.deaf = True
    beating.cancel()
    return pulse.deaf if endpoint.log.exchanges else None


async def _call(model: Any, exchange: Exchange, patience: float) -> None:
    async with asyncio.timeout(patience):
        async for _ in model.stream(exchange.call.messages):
            pass


SILENCES: Final = (
    Scenario(
        "free-loop",
        "the loop goes on while the service is silent, over a real socket",
        ("LIFE-LOOP",),
        _silent,
        "langchain-aws#663",
    ),
)
