"""How each chat model is made: by its public arguments, with its SDK pointed at the endpoint, without retries."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from harness.bridges.clients import bedrock_client, genai_client
from harness.bridges.langchain.model import ChatModel
from harness.endpoint.base import Endpoint


def _of(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def bridged(make: Callable[[Endpoint], Any]) -> Callable[[Endpoint, Mapping[str, Any]], ChatModel]:
    """A model behind the bridge. The settings of an exchange are handed to the framework with each call."""
    return lambda endpoint, settings: ChatModel(make(endpoint), settings)


def openai(endpoint: Endpoint) -> Any:
    """``ChatOpenAI``."""
    return _of("langchain_openai:ChatOpenAI")(
        model="gpt-4o",
        api_key="none",
        base_url=f"{endpoint.base_url}/v1",
        max_retries=0,
        stream_usage=True,
        stream_chunk_timeout=3.0,  # LangChain's own limit of silence, two minutes by default
        http_async_client=endpoint.async_client_for("openai"),
    )


def openai_responses(endpoint: Endpoint) -> Any:
    """``ChatOpenAI`` over the Responses API."""
    return openai(endpoint).model_copy(update={"use_responses_api": True, "output_version": "responses/v1"})


def anthropic(endpoint: Endpoint) -> Any:
    """``ChatAnthropic``, whose client is made at first use."""
    from anthropic import AsyncAnthropic

    model = _of("langchain_anthropic:ChatAnthropic")(
        model="claude-sonnet-4-0", api_key="none", base_url=endpoint.base_url, max_retries=0, max_tokens=1024
    )
    client = endpoint.async_client_for("anthropic")
    model.__dict__["_async_client"] = AsyncAnthropic(
        api_key="none", base_url=endpoint.base_url, max_retries=0, http_client=client
    )
    return model


def bedrock(endpoint: Endpoint) -> Any:
    """``ChatBedrockConverse`` over a blocking client."""
    return _of("langchain_aws:ChatBedrockConverse")(
        model="anthropic.claude-sonnet-4-20250514-v1:0",
        client=bedrock_client(endpoint),
        bedrock_client=bedrock_client(endpoint),
        provider="anthropic",
    )


def google(endpoint: Endpoint) -> Any:
    """``ChatGoogleGenerativeAI``."""
    model = _of("langchain_google_genai:ChatGoogleGenerativeAI")(
        model="gemini-2.5-flash", api_key="none", max_retries=1
    )
    model.client = genai_client(endpoint)
    return model


def mistral(endpoint: Endpoint) -> Any:
    """``ChatMistralAI``, which speaks HTTP itself."""
    base_url = f"{endpoint.base_url}/v1"
    headers = {"Content-Type": "application/json", "Accept": "application/json", "Authorization": "Bearer none"}
    client = endpoint.httpx_client(base_url=base_url, headers=headers)
    return _of("langchain_mistralai:ChatMistralAI")(
        model="mistral-conformance", api_key="none", endpoint=base_url, async_client=client, max_retries=1
    )


def ollama(endpoint: Endpoint) -> Any:
    """``ChatOllama``."""
    return _of("langchain_ollama:ChatOllama")(
        model="conformance",
        base_url=endpoint.base_url,
        async_client_kwargs={"transport": endpoint.httpx_client()._transport},
    )
