"""How each model is made: by its public arguments, with its SDK pointed at the endpoint, without retries."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from harness.bridges.clients import bedrock_client, genai_client
from harness.bridges.pydantic_ai.model import BridgedModel
from harness.endpoint.base import Endpoint


def _of(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(import_module(f"pydantic_ai.{module}"), name)


def bridged(make: Callable[[Endpoint], Any]) -> Callable[[Endpoint, Mapping[str, Any]], BridgedModel]:
    """A model behind the bridge."""
    return lambda endpoint, settings: BridgedModel(make(endpoint), settings)


def _over_openai(path: str, model: str, endpoint: Endpoint, **more: Any) -> Any:
    from openai import AsyncOpenAI

    http_client = endpoint.async_client_for("openai")
    client = AsyncOpenAI(api_key="none", base_url=f"{endpoint.base_url}/v1", max_retries=0, http_client=http_client)
    return _of(path)(model, provider=_of("providers.openai:OpenAIProvider")(openai_client=client), **more)


def openai(endpoint: Endpoint) -> Any:
    """``OpenAIChatModel`` for a service that always tells why it ends, as OpenAI's does."""
    profile = _of("profiles.openai:OpenAIModelProfile")(openai_chat_streaming_requires_finish_reason=True)
    return _over_openai("models.openai:OpenAIChatModel", "gpt-4o", endpoint, profile=profile)


def openai_responses(endpoint: Endpoint) -> Any:
    """``OpenAIResponsesModel``."""
    return _over_openai("models.openai:OpenAIResponsesModel", "gpt-5-mini", endpoint)


def anthropic(endpoint: Endpoint) -> Any:
    """``AnthropicModel``."""
    from anthropic import AsyncAnthropic

    http_client = endpoint.async_client_for("anthropic")
    client = AsyncAnthropic(api_key="none", base_url=endpoint.base_url, max_retries=0, http_client=http_client)
    provider = _of("providers.anthropic:AnthropicProvider")(anthropic_client=client)
    return _of("models.anthropic:AnthropicModel")("claude-sonnet-4-0", provider=provider)


def bedrock(endpoint: Endpoint) -> Any:
    """``BedrockConverseModel`` over a blocking client."""
    provider = _of("providers.bedrock:BedrockProvider")(bedrock_client=bedrock_client(endpoint))
    return _of("models.bedrock:BedrockConverseModel")("us.anthropic.claude-sonnet-4-20250514-v1:0", provider=provider)


def google(endpoint: Endpoint) -> Any:
    """``GoogleModel``."""
    provider = _of("providers.google:GoogleProvider")(client=genai_client(endpoint))
    return _of("models.google:GoogleModel")("gemini-2.5-flash", provider=provider)


def mistral(endpoint: Endpoint) -> Any:
    """``MistralModel``."""
    http_client = endpoint.async_client_for("mistralai")
    made = _of("providers.mistral:MistralProvider")(api_key="none", base_url=endpoint.base_url, http_client=http_client)
    return _of("models.mistral:MistralModel")("mistral-conformance", provider=made)
