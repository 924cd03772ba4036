"""The adapter."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager, suppress
from typing import Any, ClassVar, Final

from openai import APIError, AsyncOpenAI
from openai.resources.responses import AsyncResponses
from pydantic import BaseModel

from harness.contract.events import StreamEvent
from harness.contract.exceptions import IncompleteStreamError
from providers._shared.openai_chat.errors import error_facts
from providers._shared.openai_chat.names import NAMES
from providers._shared.openai_sdk.errors import mapped_errors
from providers._shared.openai_sdk.stream import ChunkStream
from providers._shared.request import Request
from providers._shared.stainless.arguments import create_arguments
from providers._shared.stainless.model import StainlessConfig, StainlessModel
from providers._shared.transport import timeout
from providers.openai_responses.events import FailedResponseError, ResponseReader
from providers.openai_responses.request import response_body

#: how long the rest of a finished response may take, in seconds, before its connection is given up
_DRAIN_SECONDS: Final = 0.25
_END: Final = object()


class OpenAIResponsesConfig(StainlessConfig, total=False):
    """Settings.

    ``params`` are further fields of the request, such as ``max_output_tokens``, ``reasoning`` or built-in ``tools``,
    also ones that only some services know, and the SDK's ``extra_headers``, ``extra_query``, ``extra_body`` and
    ``timeout`` (seconds). ``stream`` False asks for whole responses. ``stateful`` has the service keep the
    conversation.
    """

    stateful: bool


class OpenAIResponsesModel(StainlessModel[AsyncOpenAI]):
    """A model behind a Responses endpoint. A refusal is text, with the stop reason content_filtered.

    The service keeps nothing, unless ``stateful`` is set, or ``store`` in ``params``. Reasoning comes back encrypted,
    as the signature of its block, and goes out again with the history.

    With ``stateful`` the service keeps the conversation, and the caller its place: ``stream`` and ``structured_output``
    take a dictionary ``model_state``. Once a reply is complete, its id is in ``model_state["response_id"]``, and the
    next call with that dictionary goes on from there: of its messages only those behind the last assistant message are
    sent. A call without ``model_state``, or with an empty one, sends everything and begins a conversation.
    """

    CONFIG: ClassVar[type] = OpenAIResponsesConfig
    STOP_WORDS: ClassVar[tuple[str, ...]] = ()
    CLIENT: ClassVar[type[Any]] = AsyncOpenAI

    @property
    def stateful(self) -> bool:
        """The setting ``stateful``."""
        return bool(self.config.get("stateful"))

    async def _reply(
        self, request: Request, output_model: type[BaseModel] | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        body, reader = response_body(request, output_model), ResponseReader(NAMES.own(request.tool_names))
        with mapped_errors():
            client = await self._clients.current()
            arguments = create_arguments(AsyncResponses.create, {**timeout(request), **body})
            response: Any = await client.responses.with_raw_response.create(**arguments)
            with _failures(response):
                async with aclosing(_told(response, reader, stream=body["stream"])) as replies:
                    async for events in replies:
                        if reader.finished:
                            _keep(request, reader.response_id)
                        for event in events:
                            yield event


def _keep(request: Request, response_id: str | None) -> None:
    """Tell the caller where the conversation that the service keeps goes on."""
    if request.config.get("stateful") and request.state is not None and response_id:
        request.state["response_id"] = response_id


@contextmanager
def _failures(response: Any) -> Iterator[None]:
    """Raise the SDK's exception for an error that is no error to the SDK, as it comes in a response."""
    try:
        yield
    except FailedResponseError as failed:
        words = error_facts(failed.error).message
        raise APIError(words, response.http_request, body=failed.error) from None


async def _told(response: Any, reader: ResponseReader, *, stream: bool) -> AsyncGenerator[list[StreamEvent], None]:
    """The events of an answer, as they come; also when the service ignored that it was to stream."""
    if not stream:
        yield reader.whole(json.loads(response.content))
        return
    async with response.parse(to=ChunkStream) as chunks:
        if (whole := await chunks.whole()) is not None:
            yield reader.whole(json.loads(whole))
            return
        while not reader.finished:
            if (chunk := await anext(chunks, _END)) is _END:
                raise IncompleteStreamError("the stream ended without response.completed, .incomplete or .failed")
            yield reader.feed(chunk)
        await _drain(chunks)


async def _drain(chunks: ChunkStream) -> None:
    """Read to the end, so that the connection can serve again. The reply is complete: nothing here can spoil it."""
    with suppress(Exception):
        async with asyncio.timeout(_DRAIN_SECONDS):
            while await anext(chunks, _END) is not _END:
                pass
