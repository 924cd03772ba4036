"""Hand-made answers of the Converse API, and ways to run the adapter on them."""

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

from harness.contract.content import Messages
from harness.contract.events import StreamEvent
from harness.dialects.base import WireRequest
from harness.endpoint.base import Delivery
from harness.endpoint.in_process import InProcessEndpoint
from harness.wire import eventstream
from harness.wire.faults import Terminal
from providers.bedrock import PROVIDER

HELLO: Messages = [{"role": "user", "content": [{"text": "Hello"}]}]

#: far above what any step needs, so that only a deadlock reaches it; in seconds
LIMIT = 10.0

Frame = tuple[str, Any]

START: Frame = ("messageStart", {"role": "assistant"})
METADATA: Frame = (
    "metadata",
    {"usage": {"inputTokens": 3, "outputTokens": 2, "totalTokens": 5}, "metrics": {"latencyMs": 7}},
)


def stop(reason: str) -> Frame:
    return ("messageStop", {"stopReason": reason})


def delta(index: int, **body: Any) -> Frame:
    return ("contentBlockDelta", {"contentBlockIndex": index, "delta": body})


def begin(index: int, **body: Any) -> Frame:
    return ("contentBlockStart", {"contentBlockIndex": index, "start": body})


def end(index: int) -> Frame:
    return ("contentBlockStop", {"contentBlockIndex": index})


HI: tuple[Frame, ...] = (START, delta(0, text="Hi"), end(0), stop("end_turn"), METADATA)


def frames(*events: Frame) -> tuple[bytes, ...]:
    """The events as event stream messages, one a chunk."""
    return tuple(
        eventstream.encode_message(eventstream.event(kind, json.dumps(body).encode())) for kind, body in events
    )


def refusal(kind: str, message: str) -> bytes:
    """An exception inside the stream."""
    return eventstream.encode_message(eventstream.exception(kind, json.dumps({"message": message}).encode()))


def streamed(chunks: Sequence[bytes], terminal: Terminal = Terminal.COMPLETE, **options: Any) -> Delivery:
    return Delivery(200, (("content-type", "application/vnd.amazon.eventstream"),), tuple(chunks), terminal, **options)


def answered(body: Any, status: int = 200, **headers: str) -> Delivery:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Delivery(status, (("content-type", "application/json"), *named), (json.dumps(body).encode(),))


def reply(*content: Any, stop_reason: str = "end_turn", **members: Any) -> Delivery:
    """A whole answer of Converse."""
    message = {"role": "assistant", "content": list(content)}
    usage = {"inputTokens": 3, "outputTokens": 2, "totalTokens": 5}
    base = {"output": {"message": message}, "stopReason": stop_reason, "usage": usage, "metrics": {"latencyMs": 7}}
    return answered({**base, **members})


class Bedrock:
    """A model before an endpoint that gives the same answer to every request."""

    def __init__(self, answer: Delivery | Callable[[WireRequest], Delivery], **config: Any) -> None:
        self.endpoint = InProcessEndpoint()
        self.model = PROVIDER.build(self.endpoint, config)
        self.endpoint.reset(answer if callable(answer) else lambda _: answer)

    def run(self, messages: Messages = HELLO, *args: Any, **kwargs: Any) -> list[StreamEvent]:
        """All events of one call."""
        return asyncio.run(collect(self.model, messages, *args, **kwargs))

    @property
    def body(self) -> Any:
        """The body of the last request."""
        return json.loads(self.endpoint.log.requests[-1].body)


async def collect(model: Any, messages: Messages = HELLO, *args: Any, **kwargs: Any) -> list[StreamEvent]:
    return [event async for event in model.stream(messages, *args, **kwargs)]
