"""The adapter."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, ClassVar, Final, Required

from openai import AsyncStream

from harness.contract.events import StreamEvent
from harness.contract.model import BaseModelConfig, T
from providers._shared.config import ConfiguredModel
from providers._shared.openai_chat.names import NAMES
from providers._shared.openai_chat.reply import ChatReader
from providers._shared.openai_chat.structured import response_format
from providers._shared.openai_sdk.stream import ChunkStream
from providers._shared.request import Request
from providers._shared.stainless.stream import told
from providers._shared.structured import from_json_reply
from providers._shared.transport import timeout
from providers.litellm.errors import mapped_errors
from providers.litellm.request import completion_arguments
from providers.litellm.sdk import litellm
from providers.litellm.whole import whole_body

#: retrying is the caller's business
_ONCE: Final = {"num_retries": 0, "max_retries": 0}


class LiteLLMConfig(BaseModelConfig, total=False):
    """Settings.

    ``model_id`` has litellm's prefix of the service, e.g. ``openai/gpt-4o``. ``params`` are further arguments of
    ``litellm.acompletion``. ``stream`` False asks for whole replies. ``reasoning_field`` names the field under which
    reasoning of the history goes back, e.g. ``reasoning_content``; without it reasoning is not sent.
    """

    model_id: Required[str]
    params: Mapping[str, Any] | None
    stream: bool
    reasoning_field: str | None


class LiteLLMModel(ConfiguredModel):
    """A model that ``litellm`` reaches. ``client_args`` are arguments of every ``litellm.acompletion``.

    A ``client`` among them is used as it is; it must be of the type that litellm takes for the service, e.g.
    ``openai.AsyncOpenAI``.
    """

    CONFIG: ClassVar[type] = LiteLLMConfig

    def __init__(self, *, client_args: Mapping[str, Any] | None = None, **model_config: Any) -> None:
        super().__init__(**model_config)
        self._client_args = {**_ONCE, **(client_args or {})}

    def _events(self, request: Request) -> AsyncGenerator[StreamEvent, None]:
        return self._reply(request)

    def _structured(self, output_model: type[T], request: Request) -> AsyncGenerator[dict[str, T | Any], None]:
        """The answer as JSON of the model's schema where litellm says that the service takes one, else a tool's."""
        if not litellm.supports_response_schema(request.model_id):
            return super()._structured(output_model, request)
        return from_json_reply(output_model, self._reply(request, response_format=response_format(output_model)))

    async def _reply(self, request: Request, **fields: Any) -> AsyncGenerator[StreamEvent, None]:
        reader = ChatReader(NAMES.own(request.tool_names))
        arguments = {**self._client_args, **timeout(request), **completion_arguments(request), **fields}
        with mapped_errors():
            if not arguments["stream"]:
                for event in reader.whole(await whole_body(arguments)):
                    yield event
                return
            answer: Any = await litellm.acompletion(**arguments)
            async with aclosing(answer), aclosing(_events_of(answer, reader)) as events:
                async for event in events:
                    yield event


def _events_of(answer: Any, reader: ChatReader) -> AsyncGenerator[StreamEvent, None]:
    """The events of a stream: of the SDK's stream inside litellm's, where there is one.

    litellm's own chunks hold less: calls that share an index, usage beside a choice, and words of finish reasons are
    lost in them.
    """
    inner = answer.completion_stream
    if not isinstance(inner, AsyncStream):
        return _rechunked(answer, reader)
    return told(ChunkStream(cast_to=object, response=inner.response, client=inner._client), reader)


async def _rechunked(answer: Any, reader: ChatReader) -> AsyncGenerator[StreamEvent, None]:
    async for chunk in answer:
        for event in reader.feed(chunk.model_dump()):
            yield event
    for event in reader.finish(done=False):
        yield event
