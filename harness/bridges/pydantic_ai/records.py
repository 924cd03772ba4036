"""The records: what each model can show through pydantic-ai's interface."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from harness.bridges.limits import BRIDGED, OF_OPENAI, told_by_others
from harness.bridges.pydantic_ai import build
from harness.contract.capabilities import Capabilities
from harness.endpoint.base import Endpoint
from harness.provider import Provider

_TOOLS: Final = Capabilities(tools=True, tool_choice=frozenset({"auto", "any", "tool"}))


def _record(name: str, dialect: str, make: Callable[[Endpoint], Any], *requires: str, **more: Any) -> Provider:
    return Provider(
        name=f"pydantic_ai/{name}",
        dialect=dialect,
        build=build.bridged(make),
        requires=("pydantic-ai-slim", *requires),
        exceptions={},
        **{"cannot_show": BRIDGED, "capabilities": _TOOLS, **more},
    )


#: servers that use the protocol's fields for calls in another sense: others that speak it are claimed
_ODD_CALLS: Final = frozenset({"tool_index=same", "tool_name=repeated"})

PROVIDERS: Final[Mapping[str, Provider]] = {
    "openai": _record("openai", "openai_chat", build.openai, "openai", unclaimed_styles=_ODD_CALLS),
    "openai_responses": _record(
        "openai_responses",
        "openai_responses",
        build.openai_responses,
        "openai",
        unclaimed_styles=told_by_others("openai_responses", *OF_OPENAI),
    ),
    "anthropic": _record("anthropic", "anthropic_messages", build.anthropic, "anthropic"),
    "bedrock": _record("bedrock", "bedrock_converse", build.bedrock, "boto3"),
    "google": _record("google", "gemini_generate", build.google, "google-genai"),
    "mistral": _record("mistral", "mistral_chat", build.mistral, "mistralai"),
}
