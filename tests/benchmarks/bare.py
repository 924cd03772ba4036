"""Plain calls of the SDKs, as somebody writes them who has no adapter: one row a provider.

Each call reads its reply to the end and does nothing with it. An SDK that blocks is called in a thread, as every
program on an event loop must call it.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from harness.endpoint.base import Endpoint
from tests.benchmarks.blocking import BLOCKING, BlockingCall
from tests.benchmarks.said import ABOUT, PROMPT, SCHEMA, TOOL, read_ended

#: makes one call: whether the reply is streamed, and whether a tool is offered
Call = Callable[[bool, bool], Awaitable[None]]


def _anthropic(endpoint: Endpoint) -> Call:
    from anthropic import AsyncAnthropic

    client = AsyncAnthropic(
        api_key="none", base_url=endpoint.base_url, http_client=endpoint.async_client_for("anthropic")
    )
    plain = {"model": "conformance", "max_tokens": 1024, "messages": [{"role": "user", "content": PROMPT}]}
    tools = {"tools": [{"name": TOOL, "description": ABOUT, "input_schema": SCHEMA}]}
    return _created(client.messages.create, plain, tools)


def _openai_client(endpoint: Endpoint) -> Any:
    from openai import AsyncOpenAI

    base_url, http_client = f"{endpoint.base_url}/v1", endpoint.async_client_for("openai")
    return AsyncOpenAI(api_key="none", base_url=base_url, http_client=http_client)


def _openai(endpoint: Endpoint) -> Call:
    return _chatted(_openai_client(endpoint).chat.completions.create)


def _openai_responses(endpoint: Endpoint) -> Call:
    client = _openai_client(endpoint)
    tool = {"type": "function", "name": TOOL, "description": ABOUT, "parameters": SCHEMA, "strict": False}
    return _created(client.responses.create, {"model": "conformance", "input": PROMPT}, {"tools": [tool]})


def _ollama(endpoint: Endpoint) -> Call:
    from ollama import AsyncClient

    client = AsyncClient(endpoint.base_url, transport=endpoint.httpx_client()._transport)
    call = _chatted(client.chat)
    # The SDK ends lines also at characters that JSON allows inside strings, such as U+0085.
    return _suppressed(call, json.JSONDecodeError)


def _gemini(endpoint: Endpoint) -> Call:
    from google import genai
    from google.genai import types

    http_client = endpoint.async_client_for("google-genai")
    options = types.HttpOptions(base_url=endpoint.base_url, httpx_async_client=http_client)
    models = genai.Client(api_key="none", http_options=options).aio.models
    function = types.FunctionDeclaration(name=TOOL, description=ABOUT, parameters_json_schema=SCHEMA)
    config = types.GenerateContentConfig(tools=[types.Tool(function_declarations=[function])])

    async def call(stream: bool, offered: bool) -> None:
        request: dict[str, Any] = {"model": "conformance", "contents": PROMPT, "config": config if offered else None}
        if stream:
            async for _ in await models.generate_content_stream(**request):
                pass
        else:
            await models.generate_content(**request)

    return call


def _mistral(endpoint: Endpoint) -> Call:
    from mistralai.client import Mistral
    from mistralai.client.errors import ResponseValidationError

    client = Mistral(api_key="none", server_url=endpoint.base_url, async_client=endpoint.async_client_for("mistralai"))
    plain: dict[str, Any] = {"model": "conformance", "messages": [{"role": "user", "content": PROMPT}]}
    function = {"name": TOOL, "description": ABOUT, "parameters": SCHEMA}
    tools = {"tools": [{"type": "function", "function": function}]}

    async def call(stream: bool, offered: bool) -> None:
        request = {**plain, **tools} if offered else plain
        if stream:
            async with await client.chat.stream_async(**request) as events:
                async for _ in events:
                    pass
        else:
            await client.chat.complete_async(**request)

    # The SDK's classes ask for fields that the service may leave out, such as the usage.
    return _suppressed(call, ResponseValidationError)


def _writer(endpoint: Endpoint) -> Call:
    from writerai import AsyncWriter

    http_client = endpoint.async_client_for("writer-sdk")
    client = AsyncWriter(api_key="none", base_url=endpoint.base_url, http_client=http_client)
    return _chatted(client.chat.chat)


def _llamaapi(endpoint: Endpoint) -> Call:
    from llama_api_client import AsyncLlamaAPIClient

    base_url, http_client = f"{endpoint.base_url}/v1", endpoint.async_client_for("llama-api-client")
    client = AsyncLlamaAPIClient(api_key="none", base_url=base_url, http_client=http_client)
    return _chatted(client.chat.completions.create)


def _litellm(endpoint: Endpoint) -> Call:
    from providers.litellm.sdk import exceptions, litellm  # as it is to be imported: without the network

    async def create(**request: Any) -> Any:
        return await litellm.acompletion(client=client, api_key="none", **{**request, "model": "openai/gpt-4o"})

    client = _openai_client(endpoint)
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL + 1)  # it logs a traceback of each reply that it refuses
    # The SDK's classes refuse contents in parts, which services behind this protocol send.
    return _suppressed(_chatted(create), exceptions.APIError, exceptions.InternalServerError)


def _llamacpp(endpoint: Endpoint) -> Call:
    client, url = endpoint.httpx_client(), f"{endpoint.base_url}/v1/chat/completions"
    function = {"name": TOOL, "description": ABOUT, "parameters": SCHEMA}
    plain: dict[str, Any] = {"model": "conformance", "messages": [{"role": "user", "content": PROMPT}]}
    tools = {"tools": [{"type": "function", "function": function}]}

    async def call(stream: bool, offered: bool) -> None:
        request = {**plain, **(tools if offered else {}), "stream": stream}
        if stream:
            rest = b""
            async with client.stream("POST", url, json=request) as response:
                async for chunk in response.aiter_bytes():
                    rest = read_ended(rest + chunk)
        else:
            (await client.post(url, json=request)).json()

    return call


def _in_thread(connect: Callable[[Endpoint], BlockingCall]) -> Callable[[Endpoint], Call]:
    def connected(endpoint: Endpoint) -> Call:
        call = connect(endpoint)
        return lambda stream, offered: asyncio.to_thread(call, stream, offered)

    return connected


def _suppressed(call: Call, *kinds: type[Exception]) -> Call:
    """The call, though the SDK refuses some legal replies: what it then spares counts for it."""

    async def lenient(stream: bool, offered: bool) -> None:
        with suppress(*kinds):
            await call(stream, offered)

    return lenient


def _chatted(create: Any) -> Call:
    """A call of one of the SDKs that take what Chat Completions takes."""
    plain = {"model": "conformance", "messages": [{"role": "user", "content": PROMPT}]}
    function = {"name": TOOL, "description": ABOUT, "parameters": SCHEMA}
    return _created(create, plain, {"tools": [{"type": "function", "function": function}]})


def _created(create: Any, plain: Mapping[str, Any], tools: Mapping[str, Any]) -> Call:
    """A call of one of the SDKs that read alike: ``create`` gives an asynchronous iterator when it streams."""

    async def call(stream: bool, offered: bool) -> None:
        request = {**plain, **tools} if offered else plain
        reply = await create(**request, stream=stream)
        if stream:
            async for _ in reply:
                pass

    return call


BARE: Final[Mapping[str, Callable[[Endpoint], Call]]] = {
    **{name: _in_thread(connect) for name, connect in BLOCKING.items()},
    "anthropic": _anthropic,
    "openai": _openai,
    "openai_responses": _openai_responses,
    "gemini": _gemini,
    "ollama": _ollama,
    "mistral": _mistral,
    "writer": _writer,
    "llamaapi": _llamaapi,
    "litellm": _litellm,
    "llamacpp": _llamacpp,
}


def on_loop(name: str, endpoint: Endpoint) -> Call:
    """The call of a provider's SDK on the event loop's own thread, which it blocks where it does not await."""
    if name not in BLOCKING:
        return BARE[name](endpoint)
    blocking = BLOCKING[name](endpoint)

    async def call(stream: bool, offered: bool) -> None:
        blocking(stream, offered)

    return call
