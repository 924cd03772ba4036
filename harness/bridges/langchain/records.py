"""The records: what each chat model can show through LangChain's interface."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from harness.bridges.langchain import build
from harness.bridges.limits import BRIDGED, OF_OPENAI, told_by_others
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
        extra="langchain",
        exceptions={},
        **{"cannot_show": BRIDGED, "capabilities": _TOOLS, **more},
    )


_NO_MARK: Final = {
    "REQUEST-RESULT-STATUS": "the protocol has no mark for the result of a tool that failed; its text says so"
}
_NO_DETAILS: Final = {"USAGE-CACHE": "details of usage are optional in LangChain, and the package gives none"}
_CALLS_APART: Final = {"CONTENT-BLOCKS": "LangChain keeps calls beside the content, not among it"}
_OLLAMA: Final = {
    "REQUEST-CHOICE": "ChatOllama documents that it ignores the choice, as Ollama's service has none",
    "FAULT-SILENCE": "ollama's SDK has no time-out unless its caller sets one",
    "TOOL-ID": "ollama's SDK has no place for a call's id, nor has Ollama's service for a result's",
}
_WAITING: Final = {
    "LIFE-CANCEL": "asyncio.wait_for, under which ChatOpenAI awaits chunks, loses some cancellations before Python 3.12"
}

PROVIDERS: Final[Mapping[str, Provider]] = {
    # ChatOpenAI documents that it is for OpenAI's own service
    "openai": _record(
        "openai",
        "openai_chat",
        build.openai,
        "langchain-openai",
        "openai",
        cannot_show={**BRIDGED, **_NO_MARK, **_WAITING},
        unclaimed_styles=told_by_others("openai_chat", *OF_OPENAI),
    ),
    "openai_responses": _record(
        "openai_responses",
        "openai_responses",
        build.openai_responses,
        "langchain-openai",
        "openai",
        cannot_show={**BRIDGED, **_NO_MARK, **_WAITING},
        unclaimed_styles=told_by_others("openai_responses", *OF_OPENAI),
    ),
    "anthropic": _record(
        "anthropic",
        "anthropic_messages",
        build.anthropic,
        "langchain-anthropic",
        "anthropic",
        # these fields come to calls that ask for beta features, which ChatAnthropic makes through another client
        unclaimed_styles=frozenset({"fields=beta"}),
    ),
    "bedrock": _record("bedrock", "bedrock_converse", build.bedrock, "langchain-aws", "boto3"),
    "google": _record(
        "google",
        "gemini_generate",
        build.google,
        "langchain-google-genai",
        "google-genai",
        cannot_show={**BRIDGED, **_NO_MARK, **_CALLS_APART},
    ),
    "mistral": _record(
        "mistral",
        "mistral_chat",
        build.mistral,
        "langchain-mistralai",
        "httpx",
        cannot_show={**BRIDGED, **_NO_MARK, **_NO_DETAILS},
    ),
    "ollama": _record(
        "ollama",
        "ollama_chat",
        build.ollama,
        "langchain-ollama",
        "ollama",
        cannot_show={**BRIDGED, **_NO_MARK, **_OLLAMA},
    ),
}
