"""The adapter."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any, ClassVar, Required

import llama_api_client
from llama_api_client import AsyncLlamaAPIClient, AsyncStream
from llama_api_client.resources.chat import AsyncCompletionsResource

from harness.contract.events import StreamEvent
from harness.contract.model import BaseModelConfig, T
from providers._shared.clients import LoopClients
from providers._shared.config import ConfiguredModel
from providers._shared.openai_chat.names import NAMES
from providers._shared.request import Request
from providers._shared.stainless.arguments import create_arguments
from providers._shared.stainless.errors import mapped_errors
from providers._shared.stainless.stream import Chunks, reply
from providers._shared.structured import from_json_reply
from providers.llamaapi.events import EventReader
from providers.llamaapi.request import chat_arguments, response_format


class LlamaAPIConfig(BaseModelConfig, total=False):
    """Settings.

    ``params`` are further fields of the request, such as ``temperature`` or ``max_completion_tokens``, and the SDK's
    ``extra_headers``, ``extra_query``, ``extra_body`` and ``timeout`` (seconds). With ``stream`` False the reply is
    fetched in one piece.
    """

    model_id: Required[str]
    params: Mapping[str, Any] | None
    stream: bool


class ChunkStream(AsyncStream[object], Chunks):
    """Yields chunks as the JSON values that they are."""

    sdk: ClassVar[Any] = llama_api_client

    def _iter_events(self) -> AsyncIterator[Any]:
        return self._noted(super()._iter_events())


class LlamaAPIModel(ConfiguredModel):
    """A model of the Llama API.

    A ``client`` is used as it is, by whoever calls. Otherwise the adapter makes one from ``client_args`` for each event
    loop, without retries unless they say so: retrying is the caller's business.
    """

    CONFIG: ClassVar[type] = LlamaAPIConfig

    def __init__(
        self,
        *,
        client: AsyncLlamaAPIClient | None = None,
        client_args: Mapping[str, Any] | None = None,
        **model_config: Any,
    ) -> None:
        super().__init__(**model_config)
        own = {"max_retries": 0, **(client_args or {})}
        self._clients = LoopClients(lambda: AsyncLlamaAPIClient(**own), client)

    def _events(self, request: Request) -> AsyncGenerator[StreamEvent, None]:
        return self._reply(request)

    def _structured(self, output_model: type[T], request: Request) -> AsyncGenerator[dict[str, T | Any], None]:
        """The answer as JSON of the model's schema, by ``response_format``."""
        return from_json_reply(output_model, self._reply(request, response_format=response_format(output_model)))

    async def _reply(self, request: Request, **fields: Any) -> AsyncGenerator[StreamEvent, None]:
        body, reader = {**chat_arguments(request), **fields}, EventReader(NAMES.own(request.tool_names))
        with mapped_errors(llama_api_client):
            client = await self._clients.current()
            arguments = create_arguments(AsyncCompletionsResource.create, body)
            answer = await client.chat.completions.with_raw_response.create(**arguments)
            async with aclosing(reply(answer, ChunkStream, reader, streams=body["stream"])) as events:
                async for event in events:
                    yield event
