"""The adapter."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, ClassVar, Required

from openai import AsyncOpenAI
from openai.resources.chat.completions import AsyncCompletions

from harness.contract.events import StreamEvent
from harness.contract.model import BaseModelConfig, T
from providers._shared.clients import LoopClients
from providers._shared.config import ConfiguredModel
from providers._shared.openai_chat.names import NAMES
from providers._shared.openai_chat.reply import ChatReader
from providers._shared.openai_chat.request import chat_body
from providers._shared.openai_chat.structured import response_format
from providers._shared.openai_sdk.errors import mapped_errors
from providers._shared.openai_sdk.stream import ChunkStream
from providers._shared.request import Request
from providers._shared.stainless.arguments import create_arguments
from providers._shared.stainless.stream import told
from providers._shared.structured import from_json_reply


class OpenAIConfig(BaseModelConfig, total=False):
    """Settings.

    ``params`` are further fields of the request, also ones that only some services know, and the SDK's
    ``extra_headers``, ``extra_query``, ``extra_body`` and ``timeout`` (seconds). ``stream`` False asks for whole
    replies. ``reasoning_field`` names the field under which reasoning of the history goes back, e.g.
    ``reasoning_content`` for DeepSeek; without it reasoning is not sent.
    """

    model_id: Required[str]
    params: Mapping[str, Any] | None
    stream: bool
    reasoning_field: str | None


class OpenAIModel(ConfiguredModel):
    """A model behind a Chat Completions endpoint. A refusal is text, with the stop reason content_filtered.

    A ``client`` is used as it is, by whoever calls. Otherwise the adapter makes one from ``client_args`` for each event
    loop, without retries unless they say so: retrying is the caller's business.
    """

    CONFIG: ClassVar[type] = OpenAIConfig

    def __init__(
        self, *, client: AsyncOpenAI | None = None, client_args: Mapping[str, Any] | None = None, **model_config: Any
    ) -> None:
        super().__init__(**model_config)
        own = {"max_retries": 0, **(client_args or {})}
        self._clients = LoopClients(lambda: AsyncOpenAI(**own), client)

    def _events(self, request: Request) -> AsyncGenerator[StreamEvent, None]:
        return self._reply(request)

    def _structured(self, output_model: type[T], request: Request) -> AsyncGenerator[dict[str, T | Any], None]:
        """The answer as JSON of the model's schema, by ``response_format``."""
        return from_json_reply(output_model, self._reply(request, response_format=response_format(output_model)))

    async def _reply(self, request: Request, **fields: Any) -> AsyncGenerator[StreamEvent, None]:
        body, reader = {**chat_body(request), **fields}, ChatReader(NAMES.own(request.tool_names))
        with mapped_errors():
            client = await self._clients.current()
            arguments = create_arguments(AsyncCompletions.create, body)
            response: Any = await client.chat.completions.with_raw_response.create(**arguments)
            if not body["stream"]:
                for event in reader.whole(json.loads(response.content)):
                    yield event
                return
            async with aclosing(told(response.parse(to=ChunkStream), reader)) as events:
                async for event in events:
                    yield event
