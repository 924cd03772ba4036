"""The records: what LiteLLM can show through its function for completions."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from harness.bridges.limits import BRIDGED, OF_OPENAI, told_by_others
from harness.bridges.litellm import build
from harness.contract.capabilities import Capabilities
from harness.endpoint.base import Endpoint
from harness.provider import Provider

_TOOLS: Final = Capabilities(tools=True, tool_choice=frozenset({"auto", "any", "tool"}))
_FORM: Final = {
    "REQUEST-RESULT-STATUS": "LiteLLM takes results in the form of Chat Completions, which has no mark for failed ones",
    "CONTENT-BLOCKS": "LiteLLM keeps calls beside the text, and all texts in one",
    "USAGE-INVENTED": "stream_chunk_builder is documented to count tokens itself where the service told none",
}


def _record(
    name: str, dialect: str, make: Callable[[Endpoint], Mapping[str, Any]], *requires: str, **more: Any
) -> Provider:
    return Provider(
        name=f"litellm/{name}",
        dialect=dialect,
        build=build.bridged(make),
        capabilities=_TOOLS,
        requires=("litellm", *requires),
        extra="litellm",
        exceptions={},
        cannot_show={**BRIDGED, **_FORM},
        **more,
    )


PROVIDERS: Final[Mapping[str, Provider]] = {
    # LiteLLM has providers of their own for other services that speak the protocol
    "openai": _record(
        "openai", "openai_chat", build.openai, "openai", unclaimed_styles=told_by_others("openai_chat", *OF_OPENAI)
    ),
}
