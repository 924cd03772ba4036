"""The adapter for llama.cpp's server."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, ClassVar, Final, cast

from httpx import AsyncClient, HTTPStatusError, Response
from pydantic import BaseModel

from harness.contract.events import StreamEvent
from harness.contract.model import BaseModelConfig
from providers._shared.clients import LoopClients
from providers._shared.counting import CountingModel
from providers._shared.native import NativeModel
from providers._shared.openai_chat.names import NAMES
from providers._shared.openai_chat.stream import ChatStream, read_whole
from providers._shared.request import Request
from providers._shared.transport import connection_errors, drain, timeout
from providers.llamacpp.errors import raise_refusal
from providers.llamacpp.events import LlamaCppReader
from providers.llamacpp.request import chat_request, counted_text, structured_request

#: how long the server may be silent, in seconds: it may read a long prompt before its first word
_TIMEOUT: Final = 600.0

#: answers of servers that have no such endpoint, and of those in front of one that let nobody at it
_NO_ENDPOINT: Final = frozenset({403, 404, 405, 501})


class LlamaCppConfig(BaseModelConfig, total=False):
    """Settings.

    ``model_id`` is the request's ``model``, of which a server that has one model takes no notice. ``params`` are
    further fields of the request, such as ``temperature``, ``min_p``, ``grammar``, ``json_schema`` or ``cache_prompt``.
    With ``stream`` False the reply is fetched in one piece. ``reasoning_field`` names the field under which reasoning
    of the history goes back; without it reasoning is not sent.
    """

    model_id: str
    params: Mapping[str, Any] | None
    stream: bool
    reasoning_field: str | None
    use_native_token_count: bool


class LlamaCppModel(NativeModel, CountingModel):
    """A model behind a llama.cpp server.

    ``client`` is an ``httpx.AsyncClient`` that the caller owns. Without one, a client is made from ``client_args`` for
    each event loop, and closed with it; ``timeout`` is in seconds, as httpx takes it.
    """

    CONFIG: ClassVar[type] = LlamaCppConfig

    def __init__(
        self,
        base_url: str = "http://localhost:8080",
        *,
        timeout: Any = _TIMEOUT,
        client: AsyncClient | None = None,
        client_args: Mapping[str, Any] | None = None,
        **model_config: Any,
    ) -> None:
        super().__init__(**{"model_id": "default", **model_config})
        self._base_url = base_url.rstrip("/")
        own = {"timeout": timeout, **(client_args or {})}
        self._clients = LoopClients(lambda: AsyncClient(**own), client, close=AsyncClient.aclose)

    async def _reply(
        self, request: Request, output_model: type[BaseModel] | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        body = structured_request(request, output_model) if output_model else chat_request(request)
        read, reader = _streamed if body["stream"] else _whole, LlamaCppReader(NAMES.own(request.tool_names))
        client, options = await self._clients.current(), {**_json(body), **timeout(request)}
        with connection_errors():
            async with client.stream("POST", f"{self._base_url}/v1/chat/completions", **options) as response:
                if not response.is_success:
                    await response.aread()
                    raise_refusal(response)
                async with aclosing(read(response, reader)) as events:
                    async for event in events:
                        yield event

    async def _native_count(self, request: Request) -> int:
        client = await self._clients.current()
        asked = {"content": counted_text(request), "add_special": True}
        response = await client.post(f"{self._base_url}/tokenize", **_json(asked))
        if not response.is_success:
            raise_refusal(response)
        return len(response.json()["tokens"])

    def _never_counts(self, error: Exception) -> bool:
        return isinstance(error, HTTPStatusError) and error.response.status_code in _NO_ENDPOINT


def _json(body: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of httpx for a JSON body; its own way escapes what is not ASCII, in some versions."""
    text = json.dumps(body, ensure_ascii=False)
    return {"content": text.encode(), "headers": {"content-type": "application/json"}}


async def _streamed(response: Response, reader: LlamaCppReader) -> AsyncGenerator[StreamEvent, None]:
    """The events of a reply as they arrive."""
    stream, body = ChatStream(reader), cast("AsyncGenerator[bytes, None]", response.aiter_bytes())
    async with aclosing(body) as chunks:
        async for chunk in chunks:
            for event in stream.feed(chunk):
                yield event
            if stream.done:
                break
        for event in stream.finish():
            yield event
        await drain(chunks)


async def _whole(response: Response, reader: LlamaCppReader) -> AsyncGenerator[StreamEvent, None]:
    for event in read_whole(reader, await response.aread()):
        yield event
