"""The choices that Google's servers make differently, each with its evidence.

Corpus paths are relative to the recorded corpus' folder; names with a ``#`` are public reports.
"""

from dataclasses import dataclass, fields
from functools import lru_cache

from harness.dialects.base import Axis, Option, Style

_DEVELOPER = "gemini/"
_VERTEX = "vertex-gemini/"
_STREAM = _DEVELOPER + "charmbracelet+fantasy__TestGoogleCommon_gemini-2.5-pro_simple_streaming.yaml"
_SIGNED_STREAM = _DEVELOPER + "charmbracelet+fantasy__TestGoogleCommon_gemini-3-pro-preview_simple_streaming.yaml"
_CALL_STREAM = (
    _DEVELOPER + "Arize-ai+openinference__test_instrumentation_test_streaming_reasoning_with_multiple_tool_calls.yaml"
)
_CALLS_TOGETHER = (
    _DEVELOPER + "Arize-ai+openinference__test_instrumentation_test_response_with_multiple_tool_calls_True.yaml"
)
_REVISED = _DEVELOPER + "braintrustdata+braintrust-sdk-python__test_tool_use_async_async_stream.yaml"
_CUT_THOUGHTS = _DEVELOPER + "social-growth-studio+req_llm__google_gemini_2_5_pro_preview_06_05_object_streaming.json"
_NO_PARTS = (
    _DEVELOPER + "pydantic+pydantic-ai__test_google_test_google_model_max_tokens_thinking_model_empty_response.yaml"
)
_SAFETY = _DEVELOPER + "pydantic+pydantic-ai__test_google_test_google_model_safety_settings.yaml"
_ARMOR = _VERTEX + "pydantic+pydantic-ai__test_google_test_google_model_armor_response_template_real_block.yaml"
_BLOCKED = _VERTEX + "pydantic+pydantic-ai__test_google_test_google_model_armor_prompt_template_text_gets_blocked.yaml"
_VERTEX_STREAM = _VERTEX + "charmbracelet+fantasy__TestGoogleCommon_vertex-gemini-2-5-pro_simple_streaming.yaml"
_VERTEX_CALLS = _VERTEX + "charmbracelet+fantasy__TestGoogleCommon_vertex-gemini-2-5-pro_multi_tool_streaming.yaml"
_CODE_STREAM = _DEVELOPER + "pydantic+pydantic-ai__google_test_code_execution_test_code_execution_stream.yaml"
_EMPTY_ARGUMENTS = (
    _VERTEX + "pydantic+pydantic-ai__test_google_test_google_vertex_tool_combination_omits_"
    "include_server_side_tool_invocations.yaml"
)
_WEB_SEARCH = (
    _DEVELOPER + "pydantic+pydantic-ai__test_tool_choice_matrix_test_google_native_tool_only_web_search_completes.yaml"
)
_NO_ARGUMENTS = _DEVELOPER + "vercel+ai__google_google-stream-no-args-tool-call.chunks.txt"
_PARTIAL_ARGUMENTS = _DEVELOPER + "vercel+ai__google_google-stream-tool-call-arguments.chunks.txt"
_NUMBERS = _DEVELOPER + "tmc+langchaingo__googleai_TestGoogleAIGenerateContentWithMultipleMessages.httprr"

AXES: tuple[Axis, ...] = (
    Axis(
        "text",
        (
            Option("pieces", _STREAM),
            Option("whole", _CALLS_TOGETHER),
            Option("characters", "generateContent reference: a chunk holds any length of text"),
            Option("empty_parts", _CODE_STREAM),
        ),
        whole=False,
    ),
    Axis(
        "packing",
        (
            Option("single", _CALL_STREAM),
            Option("calls_together", _CALLS_TOGETHER),
            Option("everything", _VERTEX_CALLS),
        ),
        whole=False,
    ),
    Axis(
        "finish",
        (
            Option("with_content", _STREAM),
            Option("empty_text", _CALL_STREAM),
            Option("no_parts", _CUT_THOUGHTS),
        ),
        whole=False,
    ),
    Axis(
        "no_parts",
        (
            Option("role_only", _NO_PARTS),
            Option("empty_object", "pydantic-ai#631; " + _SAFETY),
            Option("no_content", "langchainjs#10741; " + _ARMOR),
            Option("empty_list", "langchain-google#70"),
        ),
    ),
    Axis(
        "hollow_chunk",
        (
            Option("none", _STREAM),
            Option("second", "litellm#29167: chunks of metadata alone come in the middle of a stream"),
            Option(
                "behind", "litellm#29167; strands-1.62:gemini-usage-only-last: metadata alone after the last candidate"
            ),
        ),
        whole=False,
    ),
    Axis("blocked", (Option("candidate", _SAFETY), Option("prompt", "langchainjs#8557; " + _BLOCKED))),
    Axis(
        "call_id",
        (
            Option("present", _CALL_STREAM),
            Option("absent", _CALLS_TOGETHER),
        ),
    ),
    Axis(
        "no_arguments",
        (
            Option("empty_object", _EMPTY_ARGUMENTS),
            Option("absent", _NO_ARGUMENTS),
        ),
    ),
    Axis(
        "text_signature",
        (
            Option("none", _STREAM),
            Option("on_text", _VERTEX_CALLS),
            Option("empty_text", _SIGNED_STREAM),
        ),
    ),
    Axis(
        "usage",
        (
            Option("every", "langchainjs#10159; " + _STREAM),
            Option("last", _VERTEX_STREAM),
            Option("revised", _REVISED),
        ),
        whole=False,
    ),
    Axis(
        "thoughts",
        (
            Option("some", _STREAM),
            Option("none", _CALLS_TOGETHER),
            Option("all", _NO_PARTS),
        ),
    ),
    Axis(
        "service",
        (
            Option("developer", _CALL_STREAM),
            Option("vertex", _VERTEX_STREAM),
            Option("rated", _SAFETY),
            Option("unknown", "Protocol Buffers, ProtoJSON format: parsers ignore fields that they do not know"),
        ),
    ),
    Axis(
        "server_tool",
        (
            Option("none", _STREAM),
            Option("code_execution", _CODE_STREAM),
            Option("web_search", _WEB_SEARCH),
            Option(
                "url_context",
                _DEVELOPER + "pydantic+pydantic-ai__test_google_test_google_model_web_fetch_tool_stream.yaml",
            ),
        ),
    ),
    Axis("layout", (Option("compact", _VERTEX_STREAM), Option("google", _STREAM))),
    Axis(
        "newline",
        (
            Option("crlf", _STREAM),
            Option("lf", "HTML Living Standard 9.2: a lone LF ends a line too, as proxies send it"),
        ),
        whole=False,
    ),
    Axis(
        "error",
        (
            Option("event", "OmniRoute#4177"),
            Option("bare_json", "python-genai, streams: an error message comes line by line, without data fields"),
        ),
        whole=False,
    ),
)

#: choices that a client makes itself, by its query or its toolConfig: nobody gets the other options unasked
ASKED_AXES: tuple[Axis, ...] = (
    Axis("framing", (Option("sse", _STREAM), Option("array", _NUMBERS)), whole=False),
    Axis("enums", (Option("names", _STREAM), Option("numbers", _NUMBERS))),
    Axis("arguments", (Option("whole", _CALL_STREAM), Option("partial", _PARTIAL_ARGUMENTS)), whole=False),
)


@dataclass(frozen=True, slots=True)
class Choices:
    """A style with every axis decided; the fields are the axes' names."""

    text: str
    packing: str
    finish: str
    no_parts: str
    hollow_chunk: str
    blocked: str
    call_id: str
    no_arguments: str
    text_signature: str
    usage: str
    thoughts: str
    service: str
    server_tool: str
    layout: str
    newline: str
    error: str
    framing: str
    enums: str
    arguments: str


AXIS_NAMES = tuple(field.name for field in fields(Choices))


def choices(style: Style) -> Choices:
    """Decide every axis. Raises ValueError for an axis or an option that does not exist."""
    return _choices(tuple(style.items()))


@lru_cache(maxsize=4096)
def _choices(items: tuple[tuple[str, str], ...]) -> Choices:
    style = dict(items)
    axes = (*AXES, *ASKED_AXES)
    decided = {axis.name: style.pop(axis.name, axis.names[0]) for axis in axes}
    wrong = [f"{axis.name}={decided[axis.name]}" for axis in axes if decided[axis.name] not in axis.names]
    if style or wrong:
        raise ValueError(f"no such axis or option: {', '.join([*style, *wrong])}")
    return Choices(**decided)
