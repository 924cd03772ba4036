"""A service that takes its time, on a real socket: meanwhile the event loop is free, whatever client the SDK has."""

from collections.abc import Iterator
from itertools import repeat
from typing import Any

import pytest

from harness.dialects import load_dialect
from harness.discovery import find, shipped
from harness.endpoint.loop import StallSelector, run_loop
from harness.endpoint.loopback import LoopbackEndpoint
from harness.exchange import Answer, Exchange
from harness.run import Subject
from harness.scenarios.catalogue.samples import said

#: seconds before each chunk, which a blocked loop would be deaf for; far more than a busy machine takes from a free one
SILENCE = 0.15
#: a busy machine may take it once, but not again and again
TRIALS = 3


@pytest.fixture
def endpoint() -> Iterator[LoopbackEndpoint]:
    made = LoopbackEndpoint()
    yield made
    made.close()


async def _longest_stall(model: Any, exchange: Exchange, selector: StallSelector) -> tuple[float, int]:
    selector.reset()
    events = [event async for event in model.stream(exchange.call.messages)]
    return selector.longest, len(events)


@pytest.mark.parametrize("name", shipped())
def test_the_loop_is_free_while_the_service_is_silent(name: str, endpoint: LoopbackEndpoint) -> None:
    (provider,) = find([name])
    dialect, selector = load_dialect(provider.dialect), StallSelector()
    quick, slow = (Exchange(answer=Answer(said(dialect, "Hi"), gap=gap)) for gap in (0.0, SILENCE))
    model = Subject(provider, dialect, endpoint, selector).model(slow)
    with run_loop(selector) as runner:
        stalls = []
        for exchange in (quick, *repeat(slow, TRIALS)):  # what runs for the first time may import
            delivery = exchange.answer.delivery(dialect, stream=True)
            endpoint.reset(lambda request, delivery=delivery: delivery)  # type: ignore[misc]
            stall, events = runner.run(_longest_stall(model, exchange, selector))
            assert events > 4
            stalls.append(stall)
            if exchange is slow and stall < SILENCE:
                break
    assert min(stalls[1:]) < SILENCE
