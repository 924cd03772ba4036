"""The adapter in front of an endpoint that answers by hand-written deliveries."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any, ClassVar

from harness.contract.assembler import Assembler
from harness.contract.events import StreamEvent
from harness.dialects.base import WireRequest
from harness.endpoint.base import Delivery
from harness.endpoint.in_process import InProcessEndpoint
from harness.provider import Provider
from harness.wire.faults import Terminal
from providers.openai import PROVIDER
from tests.providers.shared.openai_chat.wire import Chunk, in_order

HELLO: Any = [{"role": "user", "content": [{"text": "Hello"}]}]

SSE = (("content-type", "text/event-stream; charset=utf-8"),)
JSON = (("content-type", "application/json"),)
DONE = b"data: [DONE]\n\n"


def frames(chunks: Iterable[Chunk]) -> tuple[bytes, ...]:
    return tuple(f"data: {json.dumps(chunk)}\n\n".encode() for chunk in chunks)


def streamed(*chunks: Chunk, done: bool = True, terminal: Terminal = Terminal.COMPLETE) -> Delivery:
    return Delivery(200, SSE, (*frames(chunks), *((DONE,) if done else ())), terminal)


def answered(value: Any, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> Delivery:
    return Delivery(status, (*JSON, *headers), (json.dumps(value).encode(),))


class Service:
    """Gives ``deliveries`` one after the other, the last for ever."""

    provider: ClassVar[Provider] = PROVIDER

    def __init__(self, *deliveries: Delivery, **config: Any) -> None:
        self.endpoint = InProcessEndpoint()
        self.model = self.provider.build(self.endpoint, config)
        queue = list(deliveries)

        def respond(_: WireRequest) -> Delivery:
            return queue.pop(0) if len(queue) > 1 else queue[0]

        self.endpoint.reset(respond)

    @property
    def sent(self) -> list[Any]:
        """Bodies of the requests."""
        return [json.loads(request.body) for request in self.endpoint.log.requests]

    @property
    def unreleased(self) -> int:
        return self.endpoint.log.unreleased

    async def events(self, **arguments: Any) -> list[StreamEvent]:
        return [event async for event in self.model.stream(HELLO, **arguments)]

    def ask(self, **arguments: Any) -> Assembler:
        return in_order(asyncio.run(self.events(**arguments)))
