"""The adapter."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, ClassVar

import writerai
from pydantic import BaseModel
from writerai import AsyncStream, AsyncWriter
from writerai.resources.chat import AsyncChatResource

from harness.contract.events import StreamEvent
from providers._shared.openai_chat.media import IMAGES_ONLY
from providers._shared.openai_chat.names import NAMES
from providers._shared.openai_chat.reply import ChatReader
from providers._shared.openai_chat.request import chat_body
from providers._shared.openai_chat.structured import response_fields
from providers._shared.request import Request
from providers._shared.stainless.arguments import create_arguments
from providers._shared.stainless.errors import mapped_errors
from providers._shared.stainless.model import StainlessModel
from providers._shared.stainless.stream import Chunks, reply
from providers._shared.transport import timeout


class ChunkStream(Chunks[object], AsyncStream[object]):
    """Yields chunks as the JSON values that they are. Each tells the same under ``message`` and under ``delta``."""

    sdk: ClassVar[Any] = writerai


class WriterModel(StainlessModel[AsyncWriter]):
    """A model of Writer."""

    CLIENT: ClassVar[type[Any]] = AsyncWriter

    async def _reply(
        self, request: Request, output_model: type[BaseModel] | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        body = {**chat_body(request, IMAGES_ONLY), **response_fields(output_model)}
        reader = ChatReader(NAMES.own(request.tool_names))
        with mapped_errors(writerai):
            client = await self._clients.current()
            answer = await client.chat.with_raw_response.chat(
                **create_arguments(AsyncChatResource.chat, {**timeout(request), **body})
            )
            async with aclosing(reply(answer, ChunkStream, reader, streams=body["stream"])) as events:
                async for event in events:
                    yield event
