"""The records: what each model class says it can do, in its own documentation and type hints."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from harness.bridges.strands import build
from harness.bridges.strands.early import blocking, by_later_methods
from harness.bridges.strands.reading import EXCEPTIONS, assemble
from harness.contract.capabilities import Capabilities, ToolChoiceKind
from harness.provider import Build, Provider

_ANY_TOOL: Final[frozenset[ToolChoiceKind]] = frozenset({"auto", "any", "tool"})

#: what Strands sees to outside of its model classes
ELSEWHERE: Final = {
    "STOP-TOOLS": "Strands' loop goes by the calls themselves: event_loop.streaming.handle_message_stop",
    "REQUEST-TOOL-NAME": "Strands refuses such tools when they are registered, and renames such calls in its loop",
}

_CLAUDE: Final = Capabilities(
    tools=True,
    tool_choice=_ANY_TOOL,
    structured="forced_tool",
    reasoning=True,
    reasoning_replay=True,
    signatures=True,
    citations=True,
    media=frozenset({"image", "document"}),
    tool_result_media=frozenset({"image", "document"}),
    caching=True,
)
_BEDROCK: Final = replace(
    _CLAUDE,
    streaming_key="streaming",
    redacted=True,
    media=frozenset({"image", "document", "video", "location"}),
    tool_result_media=frozenset({"image", "document", "video", "location"}),
    guardrails=True,
)
_CHAT: Final = Capabilities(
    tools=True,
    tool_choice=_ANY_TOOL,
    structured="native",
    reasoning=True,
    media=frozenset({"image", "document"}),
    tool_result_media=frozenset({"image"}),
)
_IMAGES: Final = replace(_CHAT, tool_choice=frozenset(), media=frozenset({"image"}), tool_result_media=frozenset())


def _record(name: str, dialect: str, make: Build, requires: str, capabilities: Capabilities, **more: Any) -> Provider:
    return Provider(
        name=f"strands/{name}",
        dialect=dialect,
        build=by_later_methods(make),
        capabilities=capabilities,
        requires=("strands-agents", requires),
        exceptions=EXCEPTIONS,
        assemble=assemble,
        **{"expected": ELSEWHERE, "loopback": blocking(), **more},
    )


_CHAT_ID: Final = "gpt-4o"

PROVIDERS: Final[Mapping[str, Provider]] = {
    "bedrock": _record(
        "bedrock", "bedrock_converse", build.bedrock, "boto3", _BEDROCK, whole_config={"streaming": False}
    ),
    "anthropic": _record(
        "anthropic",
        "anthropic_messages",
        build.over_stainless("anthropic:AnthropicModel", "anthropic", model_id="claude-sonnet-4-0", max_tokens=1024),
        "anthropic",
        _CLAUDE,
        expected={
            "REQUEST-TOOL-NAME": ELSEWHERE["REQUEST-TOOL-NAME"],
            "STREAM-BLOCK-OVERLAP": "only llama.cpp's server leaves blocks open, and Strands claims Anthropic's own",
        },
    ),
    "openai": _record(
        "openai",
        "openai_chat",
        build.over_stainless("openai:OpenAIModel", "openai", "/v1", model_id=_CHAT_ID),
        "openai",
        replace(_CHAT, streaming_key="stream"),
        whole_config={"stream": False},
    ),
    "openai_responses": _record(
        "openai_responses",
        "openai_responses",
        build.over_stainless("openai_responses:OpenAIResponsesModel", "openai", "/v1", model_id="gpt-5-mini"),
        "openai",
        replace(_CHAT, citations=True),
    ),
    "litellm": _record("litellm", "openai_chat", build.litellm, "litellm", _CHAT, whole_config={"stream": False}),
    "gemini": _record(
        "gemini",
        "gemini_generate",
        build.gemini,
        "google-genai",
        replace(_CHAT, signatures=True, reasoning_replay=True, tool_result_media=frozenset()),
    ),
    "sagemaker": _record(
        "sagemaker",
        "sagemaker_chat",
        build.sagemaker,
        "boto3",
        _IMAGES,
        stream_config={"stream": True},
        whole_config={"stream": False},
    ),
    "ollama": _record("ollama", "ollama_chat", build.ollama, "ollama", _IMAGES),
    "mistral": _record("mistral", "mistral_chat", build.mistral, "mistralai", _IMAGES, whole_config={"stream": False}),
    "writer": _record(
        "writer",
        "writer_chat",
        build.over_stainless("writer:WriterModel", "writer-sdk", model_id="palmyra-x5"),
        "writer-sdk",
        replace(_IMAGES, reasoning=False),
    ),
    "llamaapi": _record(
        "llamaapi",
        "llama_api",
        build.llamaapi,
        "llama-api-client",
        replace(_IMAGES, structured=None, reasoning=False),
        loopback=True,
    ),
    "llamacpp": _record("llamacpp", "llamacpp_chat", build.llamacpp, "httpx", _IMAGES, loopback=True),
}
