"""The records: what each model class says it can do, in its own documentation and type hints."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from harness.bridges.strands import build
from harness.bridges.strands.early import blocking, by_later_methods
from harness.bridges.strands.reading import EXCEPTIONS, assemble
from harness.contract.capabilities import Capabilities, ToolChoiceKind
from harness.provider import Build, Provider, Setting

_ANY_TOOL: Final[frozenset[ToolChoiceKind]] = frozenset({"auto", "any", "tool"})

#: what Strands sees to outside of its model classes, so that they cannot show it
ELSEWHERE: Final = {
    "STOP-TOOLS": "Strands' loop goes by the calls themselves: event_loop.streaming.handle_message_stop",
    "RETRY-COUNT": "Strands' loop tries a call again by a strategy of its own, whatever was yielded before",
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


#: settings that go into the request's body by the vendor's names
_PARAMS: Final[tuple[Setting, ...]] = (({"params": {"temperature": 0.0}}, {"temperature": 0.0}), ({"params": None}, {}))
#: the same, where each has a name of its own
_PLAIN: Final = (({"temperature": 0.0}, {"temperature": 0.0}),)


def _record(name: str, dialect: str, make: Build, requires: str, capabilities: Capabilities, **more: Any) -> Provider:
    return Provider(
        name=f"strands/{name}",
        dialect=dialect,
        build=by_later_methods(make),
        capabilities=capabilities,
        requires=("strands-agents", requires),
        exceptions=EXCEPTIONS,
        assemble=assemble,
        **{"cannot_show": ELSEWHERE, "loopback": blocking(), **more},
    )


_CHAT_ID: Final = "gpt-4o"

PROVIDERS: Final[Mapping[str, Provider]] = {
    "bedrock": _record(
        "bedrock",
        "bedrock_converse",
        build.bedrock,
        "boto3",
        _BEDROCK,
        whole_config={"streaming": False},
        settings=(
            (
                {"temperature": 0.0, "max_tokens": 7},
                {"inferenceConfig.temperature": 0.0, "inferenceConfig.maxTokens": 7},
            ),
            ({"additional_request_fields": {"top_k": 5}}, {"additionalModelRequestFields.top_k": 5}),
            ({"additional_args": {"requestMetadata": {"team": "a"}}}, {"requestMetadata.team": "a"}),
        ),
        config_for={
            **{kind: {"model_id": "us.amazon.nova-pro-v1:0"} for kind in ("video", "location")},
            "strict": {"strict_tools": True},
            "thinking": {"additional_request_fields": {"thinking": {"type": "enabled", "budget_tokens": 1024}}},
            "signed-reasoning": {"model_id": "us.anthropic.claude-sonnet-4-5-20250929-v1:0"},
            "no-reasoning": {"model_id": "us.deepseek.r1-v1:0"},
        },
    ),
    "anthropic": _record(
        "anthropic",
        "anthropic_messages",
        build.over_stainless("anthropic:AnthropicModel", "anthropic", model_id="claude-sonnet-4-0", max_tokens=1024),
        "anthropic",
        _CLAUDE,
        settings=_PARAMS,
        config_for={
            "thinking": {"max_tokens": 4096, "params": {"thinking": {"type": "enabled", "budget_tokens": 1024}}}
        },
        # only llama.cpp's server leaves blocks open until the end, and Strands claims Anthropic's own service
        unclaimed_styles=frozenset({"block_stop=at_end"}),
    ),
    "openai": _record(
        "openai",
        "openai_chat",
        build.over_stainless("openai:OpenAIModel", "openai", "/v1", model_id=_CHAT_ID),
        "openai",
        replace(_CHAT, streaming_key="stream"),
        whole_config={"stream": False},
        settings=_PARAMS,
    ),
    "openai_responses": _record(
        "openai_responses",
        "openai_responses",
        build.over_stainless("openai_responses:OpenAIResponsesModel", "openai", "/v1", model_id="gpt-5-mini"),
        "openai",
        replace(_CHAT, citations=True),
        settings=(
            ({"params": {"max_output_tokens": 70, "temperature": 0.0}}, {"max_output_tokens": 70, "temperature": 0.0}),
            ({"params": None}, {}),
        ),
    ),
    "litellm": _record(
        "litellm",
        "openai_chat",
        build.litellm,
        "litellm",
        _CHAT,
        whole_config={"stream": False},
        settings=(*_PARAMS, ({"params": {"stream": False}}, {"stream": False})),
        config_for={"forced_tool": {"model_id": "openai/gpt-3.5-turbo"}},
    ),
    "gemini": _record(
        "gemini",
        "gemini_generate",
        build.gemini,
        "google-genai",
        replace(_CHAT, signatures=True, reasoning_replay=True, tool_result_media=frozenset()),
        settings=(
            ({"params": {"temperature": 0.0}}, {"generationConfig.temperature": 0.0}),
            ({"params": None}, {}),
        ),
    ),
    "sagemaker": _record(
        "sagemaker",
        "sagemaker_chat",
        build.sagemaker,
        "boto3",
        _IMAGES,
        stream_config={"stream": True},
        whole_config={"stream": False},
        settings=(*_PLAIN, ({"additional_args": {"seed": 5}}, {"seed": 5})),
    ),
    "ollama": _record(
        "ollama",
        "ollama_chat",
        build.ollama,
        "ollama",
        _IMAGES,
        settings=(
            ({"temperature": 0.0}, {"options.temperature": 0.0}),
            ({"options": {"seed": 5}}, {"options.seed": 5}),
            ({"keep_alive": 0}, {"keep_alive": 0}),
        ),
        cannot_show={
            **ELSEWHERE,
            "TOOL-ID": "ollama's SDK has no place for a call's id, nor has Ollama's for a result's",
        },
    ),
    "mistral": _record(
        "mistral",
        "mistral_chat",
        build.mistral,
        "mistralai",
        replace(_IMAGES, structured="forced_tool"),
        whole_config={"stream": False},
        settings=_PLAIN,
    ),
    "writer": _record(
        "writer",
        "writer_chat",
        build.over_stainless("writer:WriterModel", "writer-sdk", model_id="palmyra-x5"),
        "writer-sdk",
        replace(_IMAGES, reasoning=False),
        settings=_PLAIN,
    ),
    "llamaapi": _record(
        "llamaapi",
        "llama_api",
        build.llamaapi,
        "llama-api-client",
        replace(_IMAGES, structured=None, reasoning=False),
        loopback=True,
        settings=_PLAIN,
    ),
    "llamacpp": _record(
        "llamacpp",
        "llamacpp_chat",
        build.llamacpp,
        "httpx",
        _IMAGES,
        loopback=True,
        settings=(
            (
                {"params": {"temperature": 0.0, "top_k": 5, "min_p": 0.1}},
                {"temperature": 0.0, "top_k": 5, "min_p": 0.1},
            ),
            ({"params": None}, {}),
        ),
    ),
}
