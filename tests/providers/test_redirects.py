"""Clients that adapters make themselves, on real sockets: an API key goes nowhere but where it was given for."""

import asyncio
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest

from harness.endpoint.base import Delivery
from harness.endpoint.loopback import LoopbackEndpoint
from harness.exchange import hello

KEY = "not-for-others"


def stainless(url: str) -> dict[str, Any]:
    return {"client_args": {"base_url": url, "api_key": KEY}}


#: the class, and the arguments that point it at a server
ADAPTERS: dict[str, Callable[[str], dict[str, Any]]] = {
    "openai:OpenAIModel": stainless,
    "openai_responses:OpenAIResponsesModel": stainless,
    "anthropic:AnthropicModel": lambda url: {**stainless(url), "max_tokens": 10},
    "llamaapi:LlamaAPIModel": stainless,
    "writer:WriterModel": stainless,
    "mistral:MistralModel": lambda url: {"client_args": {"server_url": url, "api_key": KEY}},
    "gemini:GeminiModel": lambda url: {"client_args": {"api_key": KEY, "http_options": {"base_url": url}}},
    "ollama:OllamaModel": lambda url: {
        "host": url,
        "ollama_client_args": {"headers": {"authorization": f"Bearer {KEY}"}},
    },
    "llamacpp:LlamaCppModel": lambda url: {
        "base_url": url,
        "client_args": {"headers": {"authorization": f"Bearer {KEY}"}},
    },
    "litellm:LiteLLMModel": lambda url: {"client_args": {"api_base": url, "api_key": KEY}, "model_id": "openai/m"},
}


@pytest.fixture
def servers() -> Iterator[tuple[LoopbackEndpoint, LoopbackEndpoint]]:
    made = LoopbackEndpoint(), LoopbackEndpoint()
    yield made
    for server in made:
        server.close()


async def ask(model: Any) -> Exception | None:
    try:
        async for _ in model.stream(hello()):
            pass
    except Exception as error:
        return error
    return None


@pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning")  # google-genai's
@pytest.mark.parametrize("name", ADAPTERS)
def test_a_key_does_not_follow_a_redirect(name: str, servers: tuple[LoopbackEndpoint, LoopbackEndpoint]) -> None:
    folder, _, kind = name.partition(":")
    here, there = servers
    here.reset(lambda request: Delivery(307, (("location", f"{there.base_url}/elsewhere"),), ()))
    there.reset(lambda request: Delivery(500, (("content-type", "application/json"),), (b"{}",)))
    model = getattr(import_module(f"providers.{folder}.model"), kind)(
        **{"model_id": "m", **ADAPTERS[name](here.base_url)}
    )
    assert asyncio.run(ask(model)) is not None
    assert [KEY in str(request.headers) for request in here.log.requests] == [True]
    assert not any(KEY in str(request.headers) for request in there.log.requests)
