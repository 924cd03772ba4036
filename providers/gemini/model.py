"""The adapter."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, contextmanager
from typing import Any, ClassVar, Final, Required

from google.genai import errors as sdk_errors
from google.genai import types
from pydantic import BaseModel, ValidationError
from typing_extensions import Unpack

from harness.contract import tokens
from harness.contract.errors import to_exception
from harness.contract.events import StreamEvent
from harness.contract.exceptions import IncompleteStreamError, ModelResponseError
from harness.contract.model import BaseModelConfig
from providers._shared.clients import LoopClients
from providers._shared.counting import CountingModel
from providers._shared.native import NativeModel
from providers._shared.request import Request
from providers._shared.transport import connection_errors
from providers.gemini.client import make_client
from providers.gemini.errors import facts
from providers.gemini.events import Translator
from providers.gemini.names import NAMES
from providers.gemini.request import config_of, contents_of, structured_config

#: how long the rest of a finished reply, in which usage may be, is waited for, in seconds
_DRAIN_SECONDS: Final = 0.25

#: whether media can stand inside function responses
_NESTS: Final = "parts" in types.FunctionResponse.model_fields

#: answers to ``countTokens`` after which asking again is useless: no such endpoint, model or right
_UNCOUNTABLE: Final = frozenset({401, 403, 404, 405, 501})


class GeminiConfig(BaseModelConfig, total=False):
    """Settings.

    ``params`` are further fields of the SDK's ``GenerateContentConfig``, such as ``temperature`` or
    ``thinking_config``. With ``stream`` False the reply is fetched in one piece. ``gemini_tools`` are tools that the
    service runs itself, as the SDK's ``Tool`` objects. ``use_native_token_count`` asks the service to count tokens.
    """

    model_id: Required[str]
    params: Mapping[str, Any] | None
    stream: bool
    gemini_tools: list[Any] | None
    use_native_token_count: bool


class GeminiModel(NativeModel, CountingModel):
    """A Gemini model, behind the Developer API or Vertex AI.

    ``client`` is a ``genai.Client`` that the caller owns. Without one, a client is made from ``client_args`` for each
    event loop; it does not retry unless ``http_options`` among them say so.
    """

    CONFIG: ClassVar[type] = GeminiConfig
    STOP_WORDS: ClassVar[tuple[str, ...]] = ("params", "stop_sequences")

    def __init__(
        self,
        *,
        client: Any = None,
        client_args: Mapping[str, Any] | None = None,
        **model_config: Unpack[GeminiConfig],
    ) -> None:
        super().__init__(**model_config)
        own = dict(client_args or {})
        self._clients: LoopClients[Any] = LoopClients(lambda: make_client(own), client)

    async def _reply(
        self, request: Request, output_model: type[BaseModel] | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        config = config_of(request) if output_model is None else structured_config(request, output_model)
        reply = _streamed if request.config.get("stream", True) else _whole
        arguments = {
            "model": request.model_id,
            "contents": contents_of(request, nests=_NESTS),
            "config": types.GenerateContentConfig.model_validate(config) if config else None,
        }
        client = await self._clients.current()
        async with aclosing(reply(client.aio.models, arguments, Translator(NAMES.own(request.tool_names)))) as events:
            async for event in events:
                yield event

    async def _native_count(self, request: Request) -> int:
        """The service's count. The Developer API counts turns only: the rest is estimated there."""
        client = await self._clients.current()
        config, estimate = _counted_config(request), 0
        if not client.vertexai:
            config, estimate = {}, tokens.count_tokens([], [*request.tool_specs], None, [*request.system])
        counted = await client.aio.models.count_tokens(
            model=request.model_id, contents=contents_of(request, nests=_NESTS), config=config
        )
        return int(counted.total_tokens) + estimate

    def _never_counts(self, error: Exception) -> bool:
        return getattr(error, "code", None) in _UNCOUNTABLE


def _counted_config(request: Request) -> dict[str, Any]:
    return {name: value for name, value in config_of(request).items() if name in {"system_instruction", "tools"}}


async def _streamed(
    models: Any, arguments: dict[str, Any], translator: Translator
) -> AsyncGenerator[StreamEvent, None]:
    """The events of a reply as they arrive. The connection is given back or closed, however this ends."""
    with _contract_errors():
        async with _released(await models.generate_content_stream(**arguments)) as chunks:
            async for chunk in chunks:
                for event in translator.feed(chunk):
                    yield event
                if translator.finished:
                    break
            for event in await _rest(chunks, translator):
                yield event
        for event in translator.finish():
            yield event


async def _rest(chunks: Any, translator: Translator) -> list[StreamEvent]:
    """Read to the end, since usage may come last. The reply is complete: nothing here can spoil it."""
    events: list[StreamEvent] = []
    if translator.finished:
        try:
            async with asyncio.timeout(_DRAIN_SECONDS):
                async for chunk in chunks:
                    events += translator.feed(chunk)
        except Exception as error:
            await _close(_told_in(error))
    return events


@asynccontextmanager
async def _released(chunks: Any) -> AsyncGenerator[Any, None]:
    """The SDK's stream. Its response is closed in the end, though the stream may not have been read to its own.

    The SDK nests generators, of which only the innermost closes the response. Closing the outermost does not reach that
    one, nor does an error object among the chunks: it would wait for the garbage collector.
    """
    try:
        yield chunks
    except BaseException as error:
        await _close(_told_in(error) or chunks)
        raise


def _told_in(error: BaseException) -> Any:
    """The generator from which the SDK read the error object that it raised; None for any other error."""
    return getattr(getattr(error, "response", None), "segment_iterator", None)


async def _close(chunks: Any) -> None:
    """Cancel a read, which does reach the innermost generator."""
    if chunks is None:
        return
    reading = asyncio.ensure_future(_exhaust(chunks))
    await asyncio.sleep(0)  # now it waits for the network, or has read what was there to the end
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)


async def _exhaust(chunks: Any) -> None:
    async for _ in chunks:
        pass


async def _whole(models: Any, arguments: dict[str, Any], translator: Translator) -> AsyncGenerator[StreamEvent, None]:
    """The events of a reply that is fetched in one piece."""
    with _contract_errors():
        response = await models.generate_content(**arguments)
        events = translator.feed(response)
        if not translator.finished:
            raise ModelResponseError("the answer has neither a finished candidate nor a reason why there is none")
        for event in (*events, *translator.finish()):
            yield event


@contextmanager
def _contract_errors() -> Iterator[None]:
    """Raise the contract's exceptions in place of the SDK's that have one, and for answers that are none.

    The SDK has no error for connections that break: its HTTP library's leave it.
    """
    try:
        with connection_errors():
            yield
    except sdk_errors.APIError as error:
        mapped = to_exception(facts(error))
        if mapped is None:
            raise
        raise mapped from error
    except (sdk_errors.UnknownApiResponseError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise _unreadable(error) from error
    except ValidationError as error:
        if error.title != types.GenerateContentResponse.__name__:
            raise
        raise ModelResponseError(f"the answer is no reply: {error}") from error


def _unreadable(error: Exception) -> IncompleteStreamError | ModelResponseError:
    """What is no JSON: half of an object was cut or garbled, anything else is no reply."""
    text = str(getattr(error, "doc", None) or str(error).partition("Raw response: ")[2]).lstrip()
    kind = IncompleteStreamError if text.startswith("{") else ModelResponseError
    return kind(f"the answer is not JSON: {text[:200]!r}")
