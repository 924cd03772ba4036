"""The records: what each chat model can show through LangChain's interface."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from harness.bridges.langchain import build
from harness.bridges.limits import BRIDGED
from harness.contract.capabilities import Capabilities
from harness.endpoint.base import Endpoint
from harness.provider import Provider

_TOOLS: Final = Capabilities(tools=True, tool_choice=frozenset({"auto", "any", "tool"}))


def _record(name: str, dialect: str, make: Callable[[Endpoint], Any], *requires: str, **more: Any) -> Provider:
    return Provider(
        name=f"langchain/{name}",
        dialect=dialect,
        build=build.bridged(make),
        requires=("langchain-core", *requires),
        exceptions={},
        **{"cannot_show": BRIDGED, "capabilities": _TOOLS, **more},
    )


PROVIDERS: Final[Mapping[str, Provider]] = {
    "openai": _record("openai", "openai_chat", build.openai, "langchain-openai", "openai"),
    "openai_responses": _record(
        "openai_responses", "openai_responses", build.openai_responses, "langchain-openai", "openai"
    ),
    "anthropic": _record("anthropic", "anthropic_messages", build.anthropic, "langchain-anthropic", "anthropic"),
    "bedrock": _record("bedrock", "bedrock_converse", build.bedrock, "langchain-aws", "boto3"),
    "google": _record("google", "gemini_generate", build.google, "langchain-google-genai", "google-genai"),
    "mistral": _record("mistral", "mistral_chat", build.mistral, "langchain-mistralai", "httpx"),
    "ollama": _record("ollama", "ollama_chat", build.ollama, "langchain-ollama", "ollama"),
}
