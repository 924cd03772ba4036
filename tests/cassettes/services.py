"""Services to record from, and calls to record."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from harness.cassettes.budget import Budget
from harness.cassettes.relay import Relay
from harness.cassettes.service import stand_in
from harness.dialects import load_dialect
from harness.dialects.reply import Reply, Text
from harness.endpoint.base import Delivery
from harness.endpoint.loopback import LoopbackEndpoint
from harness.provider import Provider
from harness.scenarios.catalogue.samples import usage


def reply_of(provider: Provider, text: str = "One after the other, word by word.") -> Delivery:
    """A streamed reply in the provider's protocol."""
    dialect = load_dialect(provider.dialect)
    wire = dialect.encode(Reply((Text(text),), usage=usage(dialect)), {}, stream=True)
    return Delivery(200, wire.headers, wire.frames)


@contextmanager
def recorded(provider: Provider, delivery: Delivery, budget: Budget | None = None) -> Iterator[Relay]:
    """A relay to a service that always answers so."""
    server = LoopbackEndpoint()
    server.reset(lambda request: delivery)
    relay = Relay(stand_in(provider, server.base_url), budget or Budget())
    relay.begin()
    relay.reset(lambda request: delivery)
    try:
        yield relay
    finally:
        relay.close()
        server.close()


def ask(provider: Provider, relay: Relay, told: Callable[[Any], object] = lambda event: None) -> Exception | None:
    """Make a streamed call, hand on its events, and say what was raised."""

    async def call() -> Exception | None:
        model = provider.build(relay, provider.stream_config or {})
        try:
            async for event in model.stream([{"role": "user", "content": [{"text": "Hello"}]}]):
                told(event)
        except Exception as error:
            return error
        return None

    raised = asyncio.run(call())
    relay.finish()
    return raised
