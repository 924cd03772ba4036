"""The adapter."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, ClassVar, Final, Required

from pydantic import BaseModel
from typing_extensions import Unpack

from harness.contract.events import StreamEvent
from harness.contract.exceptions import IncompleteStreamError
from harness.contract.model import BaseModelConfig
from providers._shared.clients import LoopClients
from providers._shared.native import NativeModel
from providers._shared.openai_chat.names import NAMES
from providers._shared.openai_chat.reply import ChatReader
from providers._shared.openai_chat.structured import response_fields
from providers._shared.request import Request
from providers._shared.transport import drain
from providers.mistral.errors import mapped_errors, reply_in
from providers.mistral.request import chat_arguments
from providers.mistral.sdk import Mistral, close_client, stream_events_async

#: how long the service may be silent, in milliseconds: what newer versions of the SDK have; older ones have seconds
_TIMEOUT: Final = 300_000

_DONE: Final = "[DONE]"


class MistralConfig(BaseModelConfig, total=False):
    """Settings.

    ``params`` are further arguments of the SDK's ``chat.stream_async``, such as ``temperature`` or ``max_tokens``. With
    ``stream`` False the reply is fetched in one piece.
    """

    model_id: Required[str]
    params: Mapping[str, Any] | None
    stream: bool


class MistralModel(NativeModel):
    """A model of Mistral.

    ``client`` is a ``Mistral`` that the caller owns. Without one, a client is made from ``client_args`` for each event
    loop, and closed with it; the SDK does not retry unless they say so.
    """

    CONFIG: ClassVar[type] = MistralConfig

    def __init__(
        self, *, client: Any = None, client_args: Mapping[str, Any] | None = None, **model_config: Unpack[MistralConfig]
    ) -> None:
        super().__init__(**model_config)
        own = {"timeout_ms": _TIMEOUT, **(client_args or {})}
        self._clients: LoopClients[Any] = LoopClients(lambda: Mistral(**own), client, close=close_client)

    async def _reply(
        self, request: Request, output_model: type[BaseModel] | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        arguments = {**chat_arguments(request), **response_fields(output_model)}
        reply = _streamed if request.config.get("stream", True) else _whole
        chat, reader = (await self._clients.current()).chat, ChatReader(NAMES.own(request.tool_names))
        with mapped_errors():
            async with aclosing(reply(chat, arguments, reader)) as events:
                async for event in events:
                    yield event


async def _streamed(chat: Any, arguments: Mapping[str, Any], reader: ChatReader) -> AsyncGenerator[StreamEvent, None]:
    """The events of a reply as they arrive. The connection is given back or closed, however this ends.

    The SDK's classes are passed by: building them costs more than all the rest, and they fit the service's newest
    chunks only.
    """
    done = False
    async with (
        await chat.stream_async(**arguments) as answer,
        aclosing(stream_events_async(answer.response, _chunk)) as chunks,
    ):
        async for chunk in chunks:
            if chunk == _DONE:
                done = True
                break
            for event in reader.feed(chunk):
                yield event
        for event in reader.finish(done=done):
            yield event
        await drain(chunks)


def _chunk(text: str) -> Any:
    """The data of an event: JSON that the SDK has parsed, or the text that it could not."""
    data = json.loads(text).get("data")
    if isinstance(data, str) and data != _DONE:
        raise IncompleteStreamError(f"the stream was cut or garbled: {data[:200]!r}")
    return data


async def _whole(chat: Any, arguments: Mapping[str, Any], reader: ChatReader) -> AsyncGenerator[StreamEvent, None]:
    """The events of a reply that is fetched in one piece."""
    try:
        body = (await chat.complete_async(**arguments)).model_dump(by_alias=True)
    except Exception as error:
        body = reply_in(error)
        if body is None:
            raise
    for event in reader.whole(body):
        yield event
