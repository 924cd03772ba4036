"""The legal ways in which Bedrock says a reply, each with its evidence."""

from collections.abc import Mapping
from functools import lru_cache

from harness.dialects.base import Axis, Option, Style

_MODEL = "Amazon Bedrock service model, bedrock-runtime"
_TEXT_EMPTY = "bedrock-converse-stream/traceloop+openllmetry__test_nova_test_nova_converse_stream.yaml"
_TOOL_CLAUDE = "bedrock-converse-stream/langchain-ai+langchain-aws__aws_test_agent_loop_streaming_v1.yaml.gz"
_TOOL_NOVA = (
    "bedrock-converse-stream/open-telemetry+opentelemetry-python-contrib__"
    "test_converse_stream_no_content_tool_call.yaml"
)
_EMPTY_BLOCK = (
    "bedrock-converse-stream/pydantic+pydantic-ai__test_bedrock_test_bedrock_model_stream_empty_text_delta.yaml"
)
_GUARDRAIL = "bedrock-converse-stream/agentjido+req_llm__amazon_bedrock_guardrail_converse_blocked_stream.json"
_NOVA_GUARDRAIL = "bedrock-converse/traceloop+openllmetry__test_nova_test_nova_converse.yaml"

AXES: tuple[Axis, ...] = (
    Axis(
        "text_fragments",
        (
            Option("few", "bedrock-converse-stream/langchain-ai+langchain-aws__aws_test_citations_document0.yaml.gz"),
            Option("whole", _GUARDRAIL),
            Option(
                "characters", "bedrock-converse-stream/traceloop+openllmetry__test_meta_test_meta_converse_stream.yaml"
            ),
            Option("with_empty", _TEXT_EMPTY),
        ),
        whole=False,
    ),
    Axis(
        "argument_fragments",
        (
            Option("empty_first", _TOOL_CLAUDE),
            Option("whole", _TOOL_NOVA),
            Option("characters", f"{_MODEL}: ToolUseBlockDelta.input is any part of the JSON text"),
        ),
        whole=False,
    ),
    Axis(
        "empty_arguments",
        (
            Option("object", _TOOL_NOVA),
            Option("blank", "litellm#5063: Claude sends the first, empty fragment and no more"),
            Option("absent", f"{_MODEL}: a block has any number of contentBlockDelta events"),
        ),
        whole=False,
    ),
    Axis(
        "tool_type",
        (
            Option("absent", _TOOL_NOVA),
            Option("present", _TOOL_CLAUDE),
        ),
    ),
    Axis(
        "citation_place",
        (
            Option(
                "before_text",
                "bedrock-converse-stream/crmne+ruby_llm__chat_citations_with_bedrock_claude-haiku-4-5_streams_citations.yml",
            ),
            Option("after_text", "strands#1341"),
        ),
        whole=False,
    ),
    Axis(
        "empty_block",
        (
            Option("none", _TOOL_NOVA),
            Option(
                "leading",
                f"{_EMPTY_BLOCK}; bedrock-converse/Arize-ai+openinference__should-handle-empty-minimal-response.json",
            ),
        ),
    ),
    Axis(
        "padding",
        (
            Option("present", _TOOL_NOVA),
            Option("absent", "Amazon Bedrock API reference, ConverseStream: the response syntax has no member p"),
        ),
        whole=False,
    ),
    Axis(
        "usage",
        (
            Option("plain", _TOOL_NOVA),
            Option("server_tools", _TOOL_CLAUDE),
            Option(
                "legacy_counts",
                "bedrock-converse-stream/DataDog+dd-trace-py__botocore_bedrock_cassettes_bedrock_converse_stream_prompt_caching.yaml",
            ),
            Option("cache_zeros", "bedrock-converse/crewAIInc+crewAI__bedrock_test_bedrock_async_with_max_tokens.yaml"),
        ),
    ),
    Axis(
        "extras",
        (
            Option("none", _TOOL_NOVA),
            Option(
                "documented",
                f"{_MODEL}: performanceConfig, serviceTier, additionalModelResponseFields, trace.promptRouter",
            ),
            Option(
                "unmodelled",
                "recordings hold members that the service model lacks, e.g. usage.serverToolUsage: "
                "bedrock-converse/tidyverse+ellmer__aws-bedrock-thinking.yml",
            ),
        ),
    ),
    Axis(
        "unknown_events",
        (
            Option("none", _TOOL_NOVA),
            Option("between", f"{_MODEL}: ConverseStreamOutput grew members (toolResult, image) after its release"),
        ),
        whole=False,
    ),
    Axis(
        "guardrail_trace",
        (
            Option("enabled", _GUARDRAIL),
            Option("disabled", f"strands:bedrock-guard-notrace; {_MODEL}: guardrailConfig.trace"),
        ),
    ),
    Axis(
        "guardrail_policy",
        (
            Option("topic", _GUARDRAIL),
            Option("content", f"{_MODEL}: GuardrailContentPolicyAssessment"),
            Option("word", f"{_MODEL}: GuardrailWordPolicyAssessment"),
            Option("sensitive", _NOVA_GUARDRAIL),
            Option("grounding", _NOVA_GUARDRAIL),
        ),
    ),
    Axis(
        "guardrail_findings",
        (
            Option("detected", _GUARDRAIL),
            Option("undetected", "strands#3617"),
            Option("observed_too", f"{_MODEL}: an action NONE beside detected true (detect mode) blocks nothing"),
        ),
    ),
)

_USUAL = {axis.name: axis.names[0] for axis in AXES}
_NAMES = {axis.name: frozenset(axis.names) for axis in AXES}


def choose(style: Style) -> Mapping[str, str]:
    """The option of every axis. Raises ValueError for an axis or option that there is not."""
    return _choose(frozenset(style.items()))


@lru_cache(maxsize=4096)
def _choose(style: frozenset[tuple[str, str]]) -> Mapping[str, str]:
    for axis, option in style:
        if option not in _NAMES.get(axis, ()):
            raise ValueError(f"no option {option!r} of axis {axis!r}")
    return _USUAL | dict(style)
