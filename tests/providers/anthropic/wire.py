"""Replies of the Messages API, written by hand, and an endpoint that gives them."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any

from harness.contract.assembler import Assembler
from harness.contract.events import StreamEvent
from harness.dialects.base import WireRequest
from harness.endpoint.base import Delivery
from harness.endpoint.in_process import InProcessEndpoint
from harness.wire.faults import Terminal
from providers.anthropic import PROVIDER

Event = dict[str, Any]

HELLO: Any = [{"role": "user", "content": [{"text": "Hello"}]}]

SSE = (("content-type", "text/event-stream; charset=utf-8"),)
JSON = (("content-type", "application/json"),)


def start(**usage: Any) -> Event:
    message: Event = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [],
        "model": "m",
        "stop_reason": None,
    }
    return {"type": "message_start", "message": {**message, "usage": usage or {"input_tokens": 3, "output_tokens": 1}}}


def block(index: int, content: Event, *deltas: Event) -> list[Event]:
    return [
        {"type": "content_block_start", "index": index, "content_block": content},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def text(index: int, *pieces: str) -> list[Event]:
    return block(index, {"type": "text", "text": ""}, *({"type": "text_delta", "text": piece} for piece in pieces))


def call(index: int, *pieces: str, call_id: str | None = "toolu_1", name: str = "add") -> list[Event]:
    content: Event = {"type": "tool_use", "id": call_id, "name": name, "input": {}}
    return block(index, content, *({"type": "input_json_delta", "partial_json": piece} for piece in pieces))


def end(reason: str | None = "end_turn", **usage: Any) -> list[Event]:
    delta = {"stop_reason": reason, "stop_sequence": None}
    return [
        {"type": "message_delta", "delta": delta, "usage": usage or {"output_tokens": 7}},
        {"type": "message_stop"},
    ]


def frames(events: Iterable[Event]) -> tuple[bytes, ...]:
    return tuple(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events)


def streamed(*events: Event, terminal: Terminal = Terminal.COMPLETE) -> Delivery:
    return Delivery(200, SSE, frames(events), terminal)


def body(value: Any, status: int = 200) -> Delivery:
    return Delivery(status, JSON, (json.dumps(value).encode(),))


def message(*content: Event, reason: str = "end_turn", **usage: Any) -> Event:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": list(content),
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": usage or {"input_tokens": 3, "output_tokens": 7},
    }


class Service:
    """An adapter in front of an endpoint that gives ``deliveries`` one after the other, the last for ever."""

    def __init__(self, *deliveries: Delivery, **config: Any) -> None:
        self.endpoint = InProcessEndpoint()
        self.model = PROVIDER.build(self.endpoint, config)
        self.answer(*deliveries)

    def answer(self, *deliveries: Delivery) -> None:
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

    async def events(self, messages: Any = None, **arguments: Any) -> list[StreamEvent]:
        return [event async for event in self.model.stream(messages or HELLO, **arguments)]

    def ask(self, messages: Any = None, **arguments: Any) -> Assembler:
        return assembled(asyncio.run(self.events(messages, **arguments)))


def assembled(events: Iterable[StreamEvent]) -> Assembler:
    """The reading of a finished stream, which must be in order."""
    assembler = Assembler()
    for event in events:
        assembler.feed(event)
    assembler.finish()
    assert assembler.violations == []
    return assembler
