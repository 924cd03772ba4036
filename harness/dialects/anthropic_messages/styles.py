"""The choices that servers of this protocol make differently, each with its evidence.

Corpus paths are relative to the recorded corpus' folder; names with a ``#`` are public reports.
"""

from dataclasses import dataclass, fields
from functools import lru_cache

from harness.dialects.base import Axis, Option, Style

_CORPUS = "anthropic-messages/"
_TOOLS_STREAM = _CORPUS + "traceloop+openllmetry__test_messages_test_anthropic_tools_streaming_legacy.yaml"
_CURRENT_STREAM = _CORPUS + "crmne+ruby_llm__chat_citations_with_anthropic_claude-haiku-4-5_streams_citations.yml"
_REDACTED_STREAM = (
    _CORPUS + "pydantic+pydantic-ai__test_anthropic_test_anthropic_model_thinking_part_redacted_stream.yaml"
)
_OLD_STREAM = _CORPUS + "DataDog+dd-trace-py__contrib_anthropic_anthropic_completion_stream.yaml"
_COMPACTION = _CORPUS + "vercel+ai__anthropic_anthropic-compaction.1.chunks.txt"
_ADVISOR = _CORPUS + "pydantic+pydantic-ai__test_anthropic_test_anthropic_advisor_tool_stream.yaml"
_THINKING = _CORPUS + "simonw+llm-anthropic__test_anthropic_test_stream_events_thinking.yaml"
_VERTEX = "vertex-anthropic/charmbracelet+fantasy__TestGoogleCommon_vertex-claude-3-7-sonnet_tool_streaming.yaml"

AXES: tuple[Axis, ...] = (
    Axis(
        "text",
        (
            Option("pieces", _OLD_STREAM),
            Option("whole", _CURRENT_STREAM),
            Option("characters", "Streaming messages: a text_delta may hold any length of text"),
            Option("empty_tail", _THINKING),
        ),
        whole=False,
    ),
    Axis(
        "arguments",
        (
            Option("pieces", _TOOLS_STREAM),
            Option("whole", "Streaming messages: one complete key and value pair at a time"),
            Option("characters", "Fine-grained tool streaming: fragments start and end anywhere"),
            Option("unprefixed", "llama.cpp server: no empty fragment before the first"),
        ),
        whole=False,
    ),
    Axis(
        "no_arguments",
        (
            Option("empty_delta", _ADVISOR),
            Option("no_delta", _CORPUS + "vercel+ai__anthropic_anthropic-advisor-stop-reasons.chunks.txt"),
            Option("object", "Streaming messages: the fragments join to the JSON text of the input object"),
        ),
        whole=False,
    ),
    Axis(
        "citations",
        (
            Option("first", _CURRENT_STREAM),
            Option("last", "Citations: the streaming example sends the text before its citations_delta"),
            Option("between", "LibreChat-AI-agents#407"),
        ),
        whole=False,
    ),
    Axis(
        "block_stop",
        (
            Option("each", _OLD_STREAM),
            Option("at_end", "llama.cpp server: blocks stay open until the last one is told"),
        ),
        whole=False,
    ),
    Axis(
        "usage",
        (
            Option("cumulative", _CURRENT_STREAM),
            Option("output_only", _OLD_STREAM),
            Option("nulls", "pydantic-ai#1674"),
            Option("revised", _ADVISOR),
        ),
        whole=False,
    ),
    Axis(
        "cache",
        (
            Option("zeros", _CURRENT_STREAM),
            Option("absent", _OLD_STREAM),
            Option("nulls", "litellm#11920"),
        ),
    ),
    Axis(
        "message_delta",
        (
            Option("one", _OLD_STREAM),
            Option("growing", "griptape#2275"),
            Option("stop_first", "agent-os#1724"),
        ),
        whole=False,
    ),
    Axis(
        "ping",
        (
            Option("third", _OLD_STREAM),
            Option("none", _CORPUS + "anthropics+anthropic-sdk-python__fable-fallback_stream-a-toolrefusal.sse"),
            Option("second", _VERTEX),
            Option("between", _REDACTED_STREAM),
            Option("everywhere", "Streaming messages: event streams may include any number of ping events"),
        ),
        whole=False,
    ),
    Axis(
        "padding",
        (
            Option("spaces", _CURRENT_STREAM),
            Option("none", _CORPUS + "anthropics+anthropic-sdk-python__streaming_basic_response.txt"),
        ),
        whole=False,
    ),
    Axis(
        "framing",
        (
            Option("lf", _CURRENT_STREAM),
            Option("crlf", "hey-api#3054"),
            Option("no_space", "inference-perf#781"),
        ),
        whole=False,
    ),
    Axis(
        "comments",
        (
            Option("none", _CURRENT_STREAM),
            Option(
                "keep_alive", "mistral-vibe#762; HTML Living Standard 9.2: a line that starts with a colon is ignored"
            ),
        ),
        whole=False,
    ),
    Axis(
        "fields",
        (
            Option("current", _CURRENT_STREAM),
            Option("original", _OLD_STREAM),
            Option("beta", _COMPACTION),
            Option(
                "unknown",
                "pydantic-gateway-messages/pydantic+pydantic-ai__providers_test_gateway_test_gateway_provider_with_anthropic.yaml",
            ),
        ),
    ),
    Axis(
        "unknown",
        (
            Option("none", _CURRENT_STREAM),
            Option("event", "Streaming messages: new event types may be added, handle unknown ones gracefully"),
            Option("delta", "openllmetry#4050"),
            Option("block", _COMPACTION),
        ),
    ),
    Axis(
        "server_tool",
        (
            Option("none", _CURRENT_STREAM),
            Option("web_search", _CORPUS + "anthropics+anthropic-sdk-python__fable-fallback_stream-a-toolrefusal.sse"),
            Option(
                "code_execution",
                _CORPUS + "vercel+ai__anthropic_anthropic-code-execution-20260120-prompt-cache.1.chunks.txt",
            ),
            Option("advisor", _ADVISOR),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Choices:
    """A style with every axis decided; the fields are the axes' names."""

    text: str
    arguments: str
    no_arguments: str
    citations: str
    block_stop: str
    usage: str
    cache: str
    message_delta: str
    ping: str
    padding: str
    framing: str
    comments: str
    fields: str
    unknown: str
    server_tool: str


AXIS_NAMES = tuple(field.name for field in fields(Choices))


def choices(style: Style) -> Choices:
    """Decide every axis. Raises ValueError for an axis or an option that does not exist."""
    return _choices(tuple(style.items()))


@lru_cache(maxsize=4096)
def _choices(items: tuple[tuple[str, str], ...]) -> Choices:
    style = dict(items)
    decided = {axis.name: style.pop(axis.name, axis.names[0]) for axis in AXES}
    wrong = [f"{axis.name}={decided[axis.name]}" for axis in AXES if decided[axis.name] not in axis.names]
    if style or wrong:
        raise ValueError(f"no such axis or option: {', '.join([*style, *wrong])}")
    return Choices(**decided)
