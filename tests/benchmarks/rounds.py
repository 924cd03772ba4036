"""One round: the same exchanges by every variant.

The variants of a round run one after the other within a second or so, and what counts is the processor's time, hence
the ratios of a round compare like with like on a machine that is busy with other things; the median over the rounds
drops those that were disturbed all the same.
"""

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import hypothesis
import hypothesis.core

from harness.bench import Bench
from harness.checks.observation import Observation
from harness.contract.events import StreamEvent
from harness.contract.rules import RULES
from harness.contract.state import StreamMachine
from harness.endpoint.base import Delivery, Endpoint, Responder
from harness.exchange import Exchange
from harness.laboratory import Laboratory
from harness.run import Subject
from harness.scenarios.generated import PROPERTIES, Property
from harness.suite.cases import search
from tests.benchmarks.bare import Call

#: draws of each property in a round; a draw is a reply that is told in several ways, each of them one exchange
_DRAWS: Final = 20
_PROFILE: Final = "benchmark"
_REPLIES: Final = tuple(prop for prop in PROPERTIES if prop.id in ("any-reply-streamed", "any-reply-whole"))


@dataclass(frozen=True, slots=True)
class Round:
    """Seconds of the processor, of all threads, that each variant took over the same exchanges."""

    exchanges: int
    #: the SDK alone, called as a program on an event loop calls it: in a thread where it blocks
    bare: float
    #: the SDK alone, called on the loop's own thread; it blocks the loop meanwhile where it does not await
    on_loop: float
    #: the adapter alone, its events dropped
    adapter: float
    #: through the harness, exchanges that were drawn beforehand
    prepared: float
    #: the same, drawn on the way as the suite does
    drawn: float
    #: the state machine alone, over the events that came of the exchanges
    machine: float


class _Drawing(Bench):
    """A bench that notes exchanges instead of running them."""

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject)
        self.drawn: list[Exchange] = []

    async def observe(self, exchanges: Sequence[Exchange]) -> list[Observation]:
        """Note the exchanges."""
        self.drawn += exchanges
        return []


def run_round(laboratory: Laboratory, subject: Subject, call: Call, on_loop: Call, seed: int) -> Round:
    """One round, over exchanges that the seed decides. ``on_loop`` is the ``call`` that uses no thread."""
    with _draws(seed):
        drawing = _Drawing(subject)
        _search(laboratory, drawing)
        exchanges = drawing.drawn
        calls = [(exchange, _delivery(subject, exchange)) for exchange in exchanges]
        streams = laboratory.run(_heard(Bench(subject), exchanges))
        return Round(
            len(exchanges),
            bare=_seconds(lambda: laboratory.run(_bare(subject.endpoint, call, calls))),
            on_loop=_seconds(lambda: laboratory.run(_bare(subject.endpoint, on_loop, calls))),
            adapter=_seconds(lambda: laboratory.run(_adapter(subject, calls))),
            prepared=_seconds(lambda: laboratory.run(_prepared(Bench(subject), exchanges))),
            drawn=_seconds(lambda: _search(laboratory, Bench(subject))),
            machine=_seconds(lambda: _feed(streams)),
        )


@contextmanager
def _draws(seed: int) -> Iterator[None]:
    """Have Hypothesis draw few examples, and the same ones each time, as ``--hypothesis-seed`` does."""
    hypothesis.settings.register_profile(_PROFILE, max_examples=_DRAWS)
    hypothesis.settings.load_profile(_PROFILE)
    core: Any = hypothesis.core  # typed as if it were never set
    core.global_force_seed = seed
    try:
        yield
    finally:
        core.global_force_seed = None
        hypothesis.settings.load_profile("default")


def _search(laboratory: Laboratory, bench: Bench) -> None:
    """The suite's own search for a broken rule, where none is news."""
    for prop in _properties(bench.subject):
        search(prop, laboratory, bench, set(RULES))


def _properties(subject: Subject) -> Sequence[Property]:
    return [prop for prop in _REPLIES if prop.needs(subject.provider, subject.dialect)]


def _delivery(subject: Subject, exchange: Exchange) -> Delivery:
    return exchange.answer.delivery(subject.dialect, stream=exchange.stream)


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    begun = time.process_time()
    work()
    return time.process_time() - begun


async def _bare(endpoint: Endpoint, call: Call, calls: Sequence[tuple[Exchange, Delivery]]) -> None:
    for exchange, delivery in calls:
        endpoint.reset(_responder(delivery))
        await call(exchange.stream, bool(exchange.call.tool_specs))


async def _adapter(subject: Subject, calls: Sequence[tuple[Exchange, Delivery]]) -> None:
    for exchange, delivery in calls:
        subject.endpoint.reset(_responder(delivery))
        async for _ in subject.model(exchange).stream(exchange.call.messages, exchange.call.tool_specs):
            pass


def _responder(delivery: Delivery) -> Responder:
    return lambda request: delivery


async def _prepared(bench: Bench, exchanges: Sequence[Exchange]) -> None:
    await bench.run_all(exchanges)


async def _heard(bench: Bench, exchanges: Sequence[Exchange]) -> list[list[StreamEvent]]:
    return [seen.events for seen in await bench.observe(exchanges)]


def _feed(streams: Sequence[Sequence[StreamEvent]]) -> None:
    for events in streams:
        machine = StreamMachine()
        for event in events:
            machine.feed(event)
