"""The adapter."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, ClassVar

from openai import AsyncOpenAI
from openai.resources.chat.completions import AsyncCompletions
from pydantic import BaseModel

from harness.contract.events import StreamEvent
from providers._shared.openai_chat.names import NAMES
from providers._shared.openai_chat.reply import ChatReader
from providers._shared.openai_chat.request import chat_body
from providers._shared.openai_chat.structured import response_fields
from providers._shared.openai_sdk.errors import mapped_errors
from providers._shared.openai_sdk.stream import ChunkStream
from providers._shared.request import Request
from providers._shared.stainless.arguments import create_arguments
from providers._shared.stainless.model import StainlessConfig, StainlessModel
from providers._shared.stainless.stream import told
from providers._shared.transport import timeout


class OpenAIConfig(StainlessConfig, total=False):
    """Settings.

    ``params`` are further fields of the request, also ones that only some services know, and the SDK's
    ``extra_headers``, ``extra_query``, ``extra_body`` and ``timeout`` (seconds). ``stream`` False asks for whole
    replies. ``reasoning_field`` names the field under which reasoning of the history goes back, e.g.
    ``reasoning_content`` for DeepSeek; without it reasoning is not sent.
    """

    reasoning_field: str | None


class OpenAIModel(StainlessModel[AsyncOpenAI]):
    """A model behind a Chat Completions endpoint. A refusal is text, with the stop reason content_filtered."""

    CONFIG: ClassVar[type] = OpenAIConfig
    CLIENT: ClassVar[type[Any]] = AsyncOpenAI

    async def _reply(
        self, request: Request, output_model: type[BaseModel] | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        body = {**chat_body(request), **response_fields(output_model)}
        reader = ChatReader(NAMES.own(request.tool_names))
        with mapped_errors():
            client = await self._clients.current()
            arguments = create_arguments(AsyncCompletions.create, {**timeout(request), **body})
            response: Any = await client.chat.completions.with_raw_response.create(**arguments)
            if not body["stream"]:
                for event in reader.whole(json.loads(response.content)):
                    yield event
                return
            async with aclosing(told(response.parse(to=ChunkStream), reader)) as events:
                async for event in events:
                    yield event
