"""The adapter."""

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
from providers._shared.request import Request
from providers._shared.transport import connection_errors, drain, timeout
from providers.ollama.client import ChatClient
from providers.ollama.events import Translator
from providers.ollama.request import chat_request

#: how long the service may be silent, in seconds: what the SDKs of other vendors have. This one's is without end.
_TIMEOUT: Final = 600.0


class OllamaConfig(BaseModelConfig, total=False):
    """Settings.

    ``options`` are the model's, such as ``num_ctx`` and ``temperature``. ``keep_alive`` is how long the model stays
    loaded after the request, in seconds or as a duration such as ``5m``. ``params`` are further fields of the request,
    such as ``think``. With ``stream`` False the reply is fetched in one piece.
    """

    model_id: Required[str]
    options: Mapping[str, Any] | None
    keep_alive: float | str | None
    params: Mapping[str, Any] | None
    stream: bool


class OllamaModel(NativeModel):
    """A model behind an Ollama server.

    ``host`` is the server's address; without it the SDK goes by ``OLLAMA_HOST``. ``ollama_client_args`` are further
    arguments of the SDK's ``AsyncClient``, which go to its HTTP client. A client is made for each event loop,
    and closed with it.
    """

    CONFIG: ClassVar[type] = OllamaConfig
    STOP_WORDS: ClassVar[tuple[str, ...]] = ("options", "stop")

    def __init__(
        self,
        host: str | None = None,
        *,
        ollama_client_args: Mapping[str, Any] | None = None,
        **model_config: Unpack[OllamaConfig],
    ) -> None:
        super().__init__(**model_config)
        own = {"timeout": _TIMEOUT, "follow_redirects": False, **(ollama_client_args or {})}
        self._clients = LoopClients(lambda: ChatClient(host, **own), close=ChatClient.close)

    async def _reply(
        self, request: Request, output_model: type[BaseModel] | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        body, translator = chat_request(request, output_model), Translator()
        read = translator.feed if body["stream"] else translator.whole
        client = await self._clients.current()
        with connection_errors():
            async with aclosing(client.answers(body, **timeout(request))) as answers:
                async for answer in answers:
                    for event in read(answer):
                        yield event
                    if translator.finished:
                        await drain(answers)
                        return
            raise IncompleteStreamError("the stream ended before an object with done")
