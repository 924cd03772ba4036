"""Clients that call an endpoint once, and what they got."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import boto3
from botocore.config import Config

from harness.endpoint.base import Delivery, Endpoint
from harness.endpoint.in_process import InProcessEndpoint
from harness.endpoint.loopback import LoopbackEndpoint
from harness.wire import eventstream

READ_TIMEOUT = 0.4  # seconds; real ones on loopback, so long enough for a busy machine

PLAIN = (("content-type", "text/plain; charset=utf-8"),)
JSON = (("content-type", "application/json"),)
SSE = (("content-type", "text/event-stream"),)
EVENT_STREAM = (("content-type", "application/vnd.amazon.eventstream"),)


def sse(*payloads: object) -> tuple[bytes, ...]:
    """Server-sent events, named by their payload's type where it has one."""
    return tuple(_event(payload) for payload in payloads)


def _event(payload: object) -> bytes:
    name = f"event: {payload['type']}\n" if isinstance(payload, dict) and "type" in payload else ""
    data = payload if isinstance(payload, str) else json.dumps(payload)
    return f"{name}data: {data}\n\n".encode()


def _chat_chunk(delta: dict[str, str], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


CHAT = sse(_chat_chunk({"role": "assistant", "content": "Hé"}), _chat_chunk({"content": "llo"}, "stop"), "[DONE]")

_MESSAGE: dict[str, Any] = {
    "id": "m",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [],
    "stop_reason": None,
}
MESSAGES = sse(
    {"type": "message_start", "message": {**_MESSAGE, "usage": {"input_tokens": 1, "output_tokens": 1}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hello"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
    {"type": "message_stop"},
)

CONVERSE_STREAM = tuple(
    eventstream.encode_message(eventstream.event(name, json.dumps(payload).encode()))
    for name, payload in (
        ("messageStart", {"role": "assistant"}),
        ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "Hello"}}),
        ("contentBlockStop", {"contentBlockIndex": 0}),
        ("messageStop", {"stopReason": "end_turn"}),
    )
)
CONVERSE = (
    b'{"output":{"message":{"role":"assistant",',
    b'"content":[{"text":"Hello"}]}},"stopReason":"end_turn",',
    b'"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2},"metrics":{"latencyMs":1}}',
)


@dataclass(slots=True)
class Outcome:
    """What a client yielded, in order, and the type of what it raised in the end."""

    items: list[Any] = field(default_factory=list)
    error: type[Exception] | None = None

    @contextmanager
    def watched(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self.error = type(error)


Call = Callable[[Endpoint], Outcome]


def _asynchronous(call: Callable[[Endpoint], AsyncIterator[Any]]) -> Call:
    def run(endpoint: Endpoint) -> Outcome:
        outcome = Outcome()

        async def collect() -> None:
            async for item in call(endpoint):
                outcome.items.append(item)

        with outcome.watched():
            asyncio.run(collect())
        return outcome

    return run


def _blocking(call: Callable[[Endpoint], Iterator[Any]]) -> Call:
    def run(endpoint: Endpoint) -> Outcome:
        outcome = Outcome()
        with outcome.watched():
            outcome.items.extend(call(endpoint))
        return outcome

    return run


@_asynchronous
async def raw_httpx2(endpoint: Endpoint) -> AsyncIterator[bytes]:
    async with (
        endpoint.httpx2_client(timeout=READ_TIMEOUT) as client,
        client.stream("POST", f"{endpoint.base_url}/a/b?c=d%20e", content=b"ask") as response,
    ):
        async for chunk in response.aiter_raw():
            yield chunk


@_asynchronous
async def raw_httpx(endpoint: Endpoint) -> AsyncIterator[bytes]:
    async with (
        endpoint.httpx_client(timeout=READ_TIMEOUT) as client,
        client.stream("POST", f"{endpoint.base_url}/a/b?c=d%20e", content=b"ask") as response,
    ):
        async for chunk in response.aiter_raw():
            yield chunk


@_asynchronous
async def openai_chat(endpoint: Endpoint) -> AsyncIterator[Any]:
    import openai

    async with openai.AsyncOpenAI(
        api_key="k",
        base_url=f"{endpoint.base_url}/v1",
        max_retries=0,
        timeout=READ_TIMEOUT,
        http_client=endpoint.async_client_for("openai"),
    ) as client:
        ask: Any = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "stream": True}
        async for chunk in await client.chat.completions.create(**ask):
            yield chunk.model_dump()


@_asynchronous
async def anthropic_messages(endpoint: Endpoint) -> AsyncIterator[Any]:
    import anthropic

    async with anthropic.AsyncAnthropic(
        api_key="k",
        base_url=endpoint.base_url,
        max_retries=0,
        timeout=READ_TIMEOUT,
        http_client=endpoint.async_client_for("anthropic"),
    ) as client:
        ask: Any = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}], "stream": True}
        async for event in await client.messages.create(**ask):
            yield event.model_dump()


def bedrock(endpoint: Endpoint, read_timeout: float | None = READ_TIMEOUT) -> Any:
    """A client of Bedrock's runtime, served by the endpoint."""
    client = boto3.client(
        "bedrock-runtime",
        region_name="us-east-1",
        endpoint_url=endpoint.base_url,
        aws_access_key_id="a",
        aws_secret_access_key="b",
        config=Config(retries={"total_max_attempts": 1}, read_timeout=read_timeout, proxies={}),
    )
    endpoint.attach_botocore(client)
    return client


ASK: dict[str, Any] = {"modelId": "m", "messages": [{"role": "user", "content": [{"text": "Hi"}]}]}


@_blocking
def bedrock_stream(endpoint: Endpoint) -> Iterator[Any]:
    yield from bedrock(endpoint).converse_stream(**ASK)["stream"]


@_blocking
def bedrock_whole(endpoint: Endpoint) -> Iterator[Any]:
    yield bedrock(endpoint).converse(**ASK)["output"]


@contextmanager
def both() -> Iterator[tuple[InProcessEndpoint, LoopbackEndpoint]]:
    """The two endpoints, closed afterwards."""
    in_process, loopback = InProcessEndpoint(), LoopbackEndpoint()
    try:
        yield in_process, loopback
    finally:
        in_process.close()
        loopback.close()


def answered(endpoint: Endpoint, delivery: Delivery, call: Call) -> Outcome:
    """Call an endpoint that answers everything by one delivery."""
    endpoint.reset(lambda _: delivery)
    return call(endpoint)


async def pull(endpoint: Endpoint, on_chunk: Callable[[Any, bytes], Awaitable[None]], **options: Any) -> None:
    """Read a body with httpx2, and hand over the response and each chunk."""
    async with endpoint.httpx2_client(**options) as client:
        request = client.build_request("GET", f"{endpoint.base_url}/")
        response = await client.send(request, stream=True)
        async for chunk in response.aiter_raw():
            await on_chunk(response, chunk)
