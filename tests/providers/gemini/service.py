"""The adapter in front of an endpoint that answers by hand-written deliveries."""

import asyncio
import json
from typing import Any

from harness.contract.assembler import Assembler, assemble
from harness.contract.events import StreamEvent
from harness.dialects.base import WireRequest
from harness.endpoint.base import Delivery
from harness.endpoint.in_process import InProcessEndpoint
from harness.wire.faults import Terminal
from providers.gemini import PROVIDER

HELLO: Any = [{"role": "user", "content": [{"text": "Hello"}]}]

SSE = (("content-type", "text/event-stream"),)
JSON = (("content-type", "application/json; charset=UTF-8"),)

USAGE = {"promptTokenCount": 3, "candidatesTokenCount": 5, "totalTokenCount": 8}

Chunk = dict[str, Any]


def chunk(*parts: Chunk, finish: str | None = None, **fields: Any) -> Chunk:
    candidate: Chunk = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    return {"candidates": [candidate | ({"finishReason": finish} if finish else {})], **fields}


def call(name: str, **fields: Any) -> Chunk:
    return {"functionCall": {"name": name, **fields}}


def frames(*chunks: Chunk) -> tuple[bytes, ...]:
    return tuple(f"data: {json.dumps(each)}\r\n\r\n".encode() for each in chunks)


def streamed(*chunks: Chunk, terminal: Terminal = Terminal.COMPLETE) -> Delivery:
    return Delivery(200, SSE, frames(*chunks), terminal)


def answered(value: Any, status: int = 200) -> Delivery:
    return Delivery(status, JSON, (json.dumps(value).encode(),))


def error(code: int, status: str, message: str, *details: Any) -> Chunk:
    return {"error": {"code": code, "message": message, "status": status, "details": list(details)}}


class Service:
    """Gives ``deliveries`` one after the other, the last for ever."""

    def __init__(self, *deliveries: Delivery, **config: Any) -> None:
        self.endpoint = InProcessEndpoint()
        self.model = PROVIDER.build(self.endpoint, config)
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

    async def events(self, messages: Any = HELLO, **arguments: Any) -> list[StreamEvent]:
        return [event async for event in self.model.stream(messages, **arguments)]

    def ask(self, messages: Any = HELLO, **arguments: Any) -> Assembler:
        reply = assemble(asyncio.run(self.events(messages, **arguments)))
        assert reply.violations == []
        return reply
