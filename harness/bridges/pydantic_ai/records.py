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
        extra="pydantic-ai",
        exceptions={},
        **{"cannot_show": BRIDGED, "capabilities": _TOOLS, **more},
    )


#: of servers that break the protocol's own types, or use its fields in another sense; others that speak it are claimed
_BROKEN: Final = frozenset({"finish=no_delta", "tool_index=same", "tool_name=repeated"})
_EMPTY: Final = {
    "REQUEST-EMPTY-TEXT": "an empty result goes as its tool gave it; no recording shows how the service takes it"
}

PROVIDERS: Final[Mapping[str, Provider]] = {
    "openai": _record("openai", "openai_chat", build.openai, "openai", unclaimed_styles=_BROKEN),
    "openai_responses": _record(
        "openai_responses",
        "openai_responses",
        build.openai_responses,
        "openai",
        unclaimed_styles=told_by_others("openai_responses", *OF_OPENAI),
    ),
    "anthropic": _record(
        "anthropic", "anthropic_messages", build.anthropic, "anthropic", cannot_show={**BRIDGED, **_EMPTY}
    ),
    "bedrock": _record("bedrock", "bedrock_converse", build.bedrock, "boto3"),
    "google": _record("google", "gemini_generate", build.google, "google-genai"),
    "mistral": _record(
        "mistral",
        "mistral_chat",
        build.mistral,
        "mistralai",
        # no recording leaves the index of several calls out, or has this count, which no document names, above zero
        unclaimed_styles=frozenset({"tool_index=missing", "usage_details=num_cached"}),
    ),
}
