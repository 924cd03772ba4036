"""Plain calls of the SDKs, as somebody writes them who has no adapter: one row a provider.

Each call reads its reply to the end and does nothing with it.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from harness.endpoint.base import Endpoint

#: makes one call: whether the reply is streamed, and whether a tool is offered
Call = Callable[[bool, bool], Awaitable[None]]

_PROMPT: Final = "Hello"
_TOOL: Final = "get_weather"
_ABOUT: Final = "Tell the weather in a city."
_SCHEMA: Final = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def _bedrock(endpoint: Endpoint) -> Call:
    import boto3

    client = boto3.client(
        "bedrock-runtime",
        region_name="us-east-1",
        endpoint_url=endpoint.base_url,
        aws_access_key_id="none",
        aws_secret_access_key="none",
    )
    endpoint.attach_botocore(client)
    plain = {"modelId": "conformance", "messages": [{"role": "user", "content": [{"text": _PROMPT}]}]}
    spec = {"name": _TOOL, "description": _ABOUT, "inputSchema": {"json": _SCHEMA}}
    tools = {"toolConfig": {"tools": [{"toolSpec": spec}]}}

    async def call(stream: bool, offered: bool) -> None:
        request = {**plain, **tools} if offered else plain
        if stream:
            for _ in client.converse_stream(**request)["stream"]:
                pass
        else:
            client.converse(**request)

    return call


def _anthropic(endpoint: Endpoint) -> Call:
    from anthropic import AsyncAnthropic

    client = AsyncAnthropic(
        api_key="none", base_url=endpoint.base_url, http_client=endpoint.async_client_for("anthropic")
    )
    plain = {"model": "conformance", "max_tokens": 1024, "messages": [{"role": "user", "content": _PROMPT}]}
    tools = {"tools": [{"name": _TOOL, "description": _ABOUT, "input_schema": _SCHEMA}]}
    return _created(client.messages.create, plain, tools)


def _openai_client(endpoint: Endpoint) -> Any:
    from openai import AsyncOpenAI

    base_url, http_client = f"{endpoint.base_url}/v1", endpoint.async_client_for("openai")
    return AsyncOpenAI(api_key="none", base_url=base_url, http_client=http_client)


def _openai(endpoint: Endpoint) -> Call:
    return _chatted(_openai_client(endpoint).chat.completions.create)


def _openai_responses(endpoint: Endpoint) -> Call:
    client = _openai_client(endpoint)
    tool = {"type": "function", "name": _TOOL, "description": _ABOUT, "parameters": _SCHEMA, "strict": False}
    return _created(client.responses.create, {"model": "conformance", "input": _PROMPT}, {"tools": [tool]})


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
    function = types.FunctionDeclaration(name=_TOOL, description=_ABOUT, parameters_json_schema=_SCHEMA)
    config = types.GenerateContentConfig(tools=[types.Tool(function_declarations=[function])])

    async def call(stream: bool, offered: bool) -> None:
        request: dict[str, Any] = {"model": "conformance", "contents": _PROMPT, "config": config if offered else None}
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
    plain: dict[str, Any] = {"model": "conformance", "messages": [{"role": "user", "content": _PROMPT}]}
    function = {"name": _TOOL, "description": _ABOUT, "parameters": _SCHEMA}
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


def _suppressed(call: Call, kind: type[Exception]) -> Call:
    """The call, though the SDK refuses some legal replies: what it then spares counts for it."""

    async def lenient(stream: bool, offered: bool) -> None:
        with suppress(kind):
            await call(stream, offered)

    return lenient


def _chatted(create: Any) -> Call:
    """A call of one of the SDKs that take what Chat Completions takes."""
    plain = {"model": "conformance", "messages": [{"role": "user", "content": _PROMPT}]}
    function = {"name": _TOOL, "description": _ABOUT, "parameters": _SCHEMA}
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
    "bedrock": _bedrock,
    "anthropic": _anthropic,
    "openai": _openai,
    "openai_responses": _openai_responses,
    "gemini": _gemini,
    "ollama": _ollama,
    "mistral": _mistral,
    "writer": _writer,
    "llamaapi": _llamaapi,
}
