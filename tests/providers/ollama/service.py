"""The adapter in front of an endpoint that answers by hand-written deliveries."""

import asyncio
import json
from typing import Any

from harness.contract.assembler import Assembler
from harness.contract.events import StreamEvent
from harness.dialects.base import WireRequest
from harness.endpoint.base import Delivery
from harness.endpoint.in_process import InProcessEndpoint
from harness.wire.faults import Terminal
from providers.ollama import PROVIDER
from tests.providers.shared.openai_chat.wire import in_order

HELLO: Any = [{"role": "user", "content": [{"text": "Hello"}]}]

NDJSON = (("content-type", "application/x-ndjson"),)
JSON = (("content-type", "application/json; charset=utf-8"),)


def said(**message: Any) -> dict[str, Any]:
    return {"model": "m", "message": {"role": "assistant", "content": "", **message}, "done": False}


def last(reason: str | None = "stop", **fields: Any) -> dict[str, Any]:
    return {**said(), "done": True, **({"done_reason": reason} if reason else {}), **fields}


def call(name: str | None = "add", arguments: Any = None, **fields: Any) -> dict[str, Any]:
    return {**fields, "function": {"name": name, "arguments": arguments}}


def line(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def streamed(*values: Any, terminal: Terminal = Terminal.COMPLETE) -> Delivery:
    return Delivery(200, NDJSON, tuple(map(line, values)), terminal)


def answered(value: Any, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> Delivery:
    return Delivery(status, (*JSON, *headers), (json.dumps(value).encode(),))


class Service:
    """Gives one delivery, to whoever asks."""

    def __init__(self, delivery: Delivery, **config: Any) -> None:
        self.endpoint = InProcessEndpoint()
        self.model = PROVIDER.build(self.endpoint, config)

        def respond(_: WireRequest) -> Delivery:
            return delivery

        self.endpoint.reset(respond)

    @property
    def sent(self) -> Any:
        """The body of the only request."""
        (request,) = self.endpoint.log.requests
        return json.loads(request.body)

    async def events(self, **arguments: Any) -> list[StreamEvent]:
        return [event async for event in self.model.stream(HELLO, **arguments)]

    def ask(self, **arguments: Any) -> Assembler:
        return in_order(asyncio.run(self.events(**arguments)))
