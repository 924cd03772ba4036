"""The adapter."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, ClassVar

import llama_api_client
from llama_api_client import AsyncLlamaAPIClient, AsyncStream
from llama_api_client.resources.chat import AsyncCompletionsResource
from pydantic import BaseModel

from harness.contract.events import StreamEvent
from providers._shared.openai_chat.names import NAMES
from providers._shared.request import Request
from providers._shared.stainless.arguments import create_arguments
from providers._shared.stainless.errors import mapped_errors
from providers._shared.stainless.model import StainlessModel
from providers._shared.stainless.stream import Chunks, reply
from providers._shared.transport import timeout
from providers.llamaapi.events import EventReader
from providers.llamaapi.request import chat_arguments, response_fields


class ChunkStream(Chunks[object], AsyncStream[object]):
    """Yields chunks as the JSON values that they are."""

    sdk: ClassVar[Any] = llama_api_client


class LlamaAPIModel(StainlessModel[AsyncLlamaAPIClient]):
    """A model of the Llama API."""

    CLIENT: ClassVar[type[Any]] = AsyncLlamaAPIClient
    STOP_WORDS: ClassVar[tuple[str, ...]] = ()

    async def _reply(
        self, request: Request, output_model: type[BaseModel] | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        body = {**chat_arguments(request), **response_fields(output_model)}
        reader = EventReader(NAMES.own(request.tool_names))
        with mapped_errors(llama_api_client):
            client = await self._clients.current()
            arguments = create_arguments(AsyncCompletionsResource.create, {**timeout(request), **body})
            answer = await client.chat.completions.with_raw_response.create(**arguments)
            async with aclosing(reply(answer, ChunkStream, reader, streams=body["stream"])) as events:
                async for event in events:
                    yield event
