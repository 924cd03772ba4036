"""The adapter."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, ClassVar, Required, TypeVar
from weakref import WeakKeyDictionary

from openai import AsyncOpenAI
from pydantic import BaseModel

from harness.contract.content import Messages, SystemContentBlock, ToolChoice, ToolSpec
from harness.contract.events import StreamEvent
from harness.contract.model import BaseModelConfig
from providers._shared.config import ConfiguredModel
from providers._shared.openai_chat.reply import ChatReader
from providers._shared.openai_chat.request import chat_body
from providers._shared.openai_chat.structured import from_json_reply, response_format
from providers._shared.openai_chat.wire_names import own_names
from providers.openai.errors import mapped_errors
from providers.openai.request import create_arguments
from providers.openai.stream import ChunkStream

T = TypeVar("T", bound=BaseModel)


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
    """A model behind a Chat Completions endpoint.

    A ``client`` is used as it is, by whoever calls. Otherwise the adapter makes one from ``client_args`` for each event
    loop, without retries unless they say so: retrying is the caller's business.
    """

    CONFIG: ClassVar[type] = OpenAIConfig

    def __init__(
        self, *, client: AsyncOpenAI | None = None, client_args: Mapping[str, Any] | None = None, **model_config: Any
    ) -> None:
        super().__init__(**model_config)
        self._client = client
        self._client_args = {"max_retries": 0, **(client_args or {})}
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncOpenAI] = WeakKeyDictionary()

    async def stream(
        self,
        messages: Messages,
        tool_specs: list[ToolSpec] | None = None,
        system_prompt: str | None = None,
        *,
        tool_choice: ToolChoice | None = None,
        system_prompt_content: list[SystemContentBlock] | None = None,
        invocation_state: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> AsyncGenerator[StreamEvent, None]:
        """Yield the events of one reply; see :meth:`Model.stream`. A refusal is text, with stop content_filtered."""
        body = chat_body(self.config, messages, tool_specs, system_prompt, tool_choice, system_prompt_content)
        async with aclosing(self._reply(body, ChatReader(own_names(tool_specs)))) as events:
            async for event in events:
                yield event

    async def structured_output(
        self, output_model: type[T], prompt: Messages, system_prompt: str | None = None, **kwargs: Any
    ) -> AsyncGenerator[dict[str, T | Any], None]:
        """Ask for JSON of the model's schema by ``response_format``; see :meth:`Model.structured_output`."""
        body = chat_body(self.config, prompt, None, system_prompt, None, kwargs.get("system_prompt_content"))
        body["response_format"] = response_format(output_model)
        async with (
            aclosing(self._reply(body, ChatReader())) as events,
            aclosing(from_json_reply(output_model, events)) as items,
        ):
            async for item in items:
                yield item

    async def _reply(self, body: Mapping[str, Any], reader: ChatReader) -> AsyncGenerator[StreamEvent, None]:
        with mapped_errors():
            create = self._own_client().chat.completions.with_raw_response.create
            response: Any = await create(**create_arguments(body))
            if not body["stream"]:
                for event in reader.whole(json.loads(response.content)):
                    yield event
                return
            async with response.parse(to=ChunkStream) as stream, aclosing(_events(stream, reader)) as events:
                async for event in events:
                    yield event

    def _own_client(self) -> AsyncOpenAI:
        """The injected client, or the running loop's: connections cannot be used from another loop."""
        if self._client is not None:
            return self._client
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._clients[loop] = AsyncOpenAI(**self._client_args)
        return self._clients[loop]


async def _events(stream: ChunkStream, reader: ChatReader) -> AsyncGenerator[StreamEvent, None]:
    """The events of an answer, also when the service ignored that it was to stream."""
    if (whole := await stream.whole()) is not None:
        for event in reader.whole(json.loads(whole)):
            yield event
        return
    async for chunk in stream:
        for event in reader.feed(chunk):
            yield event
    for event in reader.finish(done=stream.done):
        yield event
