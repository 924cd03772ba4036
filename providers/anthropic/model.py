"""The adapter. The only module here that imports the SDK."""

import inspect
import json
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any, ClassVar, Final, Required

import anthropic
from anthropic import AsyncStream
from typing_extensions import Unpack

from harness.contract.config import CacheConfig, CacheToolsConfig
from harness.contract.errors import to_exception
from harness.contract.events import StreamEvent
from harness.contract.exceptions import IncompleteStreamError, ModelResponseError
from harness.contract.model import BaseModelConfig
from providers._shared.clients import LoopClients
from providers._shared.counting import CountingModel
from providers._shared.request import Request
from providers._shared.transport import drain, timeout
from providers.anthropic import errors
from providers.anthropic.deltas import member
from providers.anthropic.events import Translator
from providers.anthropic.names import NAMES
from providers.anthropic.request import count_request, for_signature, format_request

#: answers to ``count_tokens`` after which asking again is useless: no such endpoint, model or right
_UNCOUNTABLE: Final = frozenset({401, 403, 404, 405, 501})


class AnthropicConfig(BaseModelConfig, total=False):
    """Settings.

    ``max_tokens`` is the longest reply, in tokens. ``params`` are further fields of the request, such as
    ``temperature`` or ``thinking``. With ``stream`` False the reply is fetched in one piece. ``strict_tools`` has the
    API hold calls to their schemas, where these have a strict form. ``use_native_token_count`` asks the API to count
    tokens. ``cache_config`` marks the end of the history for the prompt cache, ``cache_tools`` the end of the tool
    definitions.
    """

    model_id: Required[str]
    max_tokens: Required[int]
    params: dict[str, Any] | None
    stream: bool
    strict_tools: bool
    use_native_token_count: bool
    cache_config: CacheConfig | None
    cache_tools: CacheToolsConfig | str | None


class AnthropicModel(CountingModel):
    """A Claude model behind the Messages API.

    ``client`` is an ``AsyncAnthropic`` (or a kin of it, such as ``AsyncAnthropicBedrock``) that the caller owns.
    Without one, a client is made from ``client_args`` for each event loop, and does not retry unless
    ``client_args`` says so.
    """

    CONFIG: ClassVar[type] = AnthropicConfig
    STOP_WORDS: ClassVar[tuple[str, ...]] = ("params", "stop_sequences")

    def __init__(
        self,
        *,
        client: Any = None,
        client_args: dict[str, Any] | None = None,
        **model_config: Unpack[AnthropicConfig],
    ) -> None:
        super().__init__(**model_config)
        own = {"max_retries": 0, **(client_args or {})}
        self._clients: LoopClients[Any] = LoopClients(lambda: anthropic.AsyncAnthropic(**own), client)

    def _events(self, request: Request) -> AsyncGenerator[StreamEvent, None]:
        return self._streamed(request) if request.config.get("stream", True) else self._whole(request)

    async def _streamed(self, request: Request) -> AsyncGenerator[StreamEvent, None]:
        """The events of a reply as they arrive. The connection is given back or closed, however this ends."""
        translator = Translator(NAMES.own(request.tool_names))
        wire = {**format_request(request), **timeout(request), "stream": True}
        client = await self._clients.current()
        with _contract_errors():
            # Plain objects: building the SDK's models costs as much as the rest of its work, and none are needed.
            async with AsyncStream(
                cast_to=object, response=await _response(client.messages, wire), client=client
            ) as stream:
                await _refuse_bodies(stream.response)
                while not translator.finished:
                    for event in translator.feed(await _next(stream)):
                        yield event
                await drain(stream)

    async def _whole(self, request: Request) -> AsyncGenerator[StreamEvent, None]:
        """The events of a reply that is fetched in one piece."""
        translator = Translator(NAMES.own(request.tool_names))
        wire = {**format_request(request), **timeout(request), "stream": False}
        client = await self._clients.current()
        with _contract_errors():
            response = await _response(client.messages, wire)
            for event in translator.whole(_message(response.content)):
                yield event

    async def _native_count(self, request: Request) -> int:
        client = await self._clients.current()
        count = client.messages.count_tokens
        counted = await count(**_arguments(count, count_request(format_request(request))))
        return int(counted.input_tokens)

    def _never_counts(self, error: Exception) -> bool:
        return getattr(error, "status_code", None) in _UNCOUNTABLE


async def _response(messages: Any, request: dict[str, Any]) -> Any:
    """The HTTP response, whose body was read unless it is to be streamed."""
    answer = await messages.with_raw_response.create(**_arguments(messages.create, request))
    return answer.http_response


def _arguments(method: Any, request: dict[str, Any]) -> dict[str, Any]:
    """A request as a method of the SDK takes it."""
    accepted = _accepted(getattr(method, "__func__", method))
    return request if accepted is None else for_signature(request, accepted)


@lru_cache
def _accepted(function: Any) -> frozenset[str] | None:
    """Names of the arguments that a method of the SDK takes; None for a wrapper that takes any."""
    parameters = inspect.signature(function).parameters
    anything = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values())
    return None if anything else frozenset(parameters)


async def _next(stream: Any) -> Any:
    """The next event of the SDK. A stream that ends or breaks here has not come to its terminal event."""
    try:
        return await anext(stream)
    except StopAsyncIteration:
        raise IncompleteStreamError("the stream ended before message_stop") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise IncompleteStreamError(f"the stream was cut or garbled before message_stop: {error}") from error


async def _refuse_bodies(response: Any) -> None:
    """Raise what a 2xx answer says that is a body instead of an event stream; the SDK would see no event in it."""
    kind = response.headers.get("content-type", "")
    if "json" in kind or "html" in kind:
        await response.aread()
        error = errors.json_error(response.text)
        raise error or ModelResponseError(f"the answer is {kind}, not an event stream: {response.text[:200]}")


def _message(body: bytes) -> Any:
    """The reply that a body is."""
    try:
        answer = json.loads(body)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ModelResponseError(f"the answer is no JSON: {error}") from error
    if isinstance(member(answer, "content"), list):
        return answer
    told = member(answer, "error")
    raise errors.VendorError({"error": told}) if told else ModelResponseError(f"no reply: {str(answer)[:200]}")


@contextmanager
def _contract_errors() -> Iterator[None]:
    """Raise the contract's exceptions in place of the SDK's that have one, and the SDK's in place of httpx's."""
    try:
        yield
    except anthropic.APIStatusError as error:
        mapped = to_exception(errors.facts(error))
        if mapped is None:
            raise
        raise mapped from error
    except errors.VendorError as error:
        raise to_exception(errors.facts(error)) or ModelResponseError(str(error)) from error
    except Exception as error:
        failure = errors.transport_failure(error)
        if failure is None:
            raise
        raise _CONNECTION_ERRORS[failure](error) from error


def _request_of(error: Any) -> Any:
    """The request that failed; httpx raises when an error has none."""
    with suppress(RuntimeError):
        return error.request
    return None


_CONNECTION_ERRORS: Final[Mapping[str, Callable[[Exception], anthropic.APIConnectionError]]] = {
    "timeout": lambda error: anthropic.APITimeoutError(request=_request_of(error)),
    "connection": lambda error: anthropic.APIConnectionError(
        message=f"Connection error: {error}", request=_request_of(error)
    ),
}
