"""The axes along which servers of ``/api/chat`` differ.

Evidence names a recording of the corpus (a path under ``corpus/``), a public report (an id of ``adapter_bugs.jsonl``),
or, after ``doc:``, a document or the server's published types. Blank lines are read, but not sent: no such server sends
them, and Ollama's own clients stop at one.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from harness.dialects.base import Axis, Option

#: options chosen, as pairs of axis and option: a style that can be hashed
Choices = tuple[tuple[str, str], ...]

_STREAM: Final = "ollama-chat/tmc+langchaingo__ollama_TestGenerateContent.httprr"
_WHOLE: Final = "ollama-chat/traceloop+openllmetry__test_chat_test_ollama_chat_legacy.yaml"
_CACHED: Final = "ollama-chat/traceloop+openllmetry__test_chat_test_ollama_async_chat_legacy.yaml"
_TOOLS: Final = "ollama-chat/Arize-ai+openinference__ollama_test_instrumentor_test_chat_with_tool_call.yaml"
_TYPES: Final = "doc: Ollama, api/types.go"
_GO: Final = "doc: Go, encoding/json"


def _axis(name: str, options: Mapping[str, str], *, streamed: bool = True, whole: bool = True) -> Axis:
    return Axis(name, tuple(Option(*row) for row in options.items()), streamed, whole)


_FRAMING: Final = (
    _axis("newline", {"lf": _STREAM, "crlf": "doc: NDJSON 1.0, 3.1: parsers must accept CR LF"}, whole=False),
    _axis("content_type", {"charset": _WHOLE, "plain": _TOOLS}, streamed=False),
    # Go writes <, > and & and the separators U+2028 and U+2029 as escapes, and all other letters as themselves.
    _axis("escapes", {"go": f"{_GO}: HTMLEscape", "ascii": "doc: RFC 8259, 7: any character may be escaped"}),
    _axis(
        "created_at",
        {
            "utc": _STREAM,
            "offset": "doc: Ollama API, examples: 2023-08-04T08:52:19.385406455-07:00",
            "seconds": "doc: Go, time.RFC3339Nano: trailing zeros are left out",
        },
    ),
    _axis("key_order", {"done_first": _TOOLS, "reason_first": _WHOLE}),
    _axis(
        "vendor",
        {
            "none": _STREAM,
            "cloud": f"{_TYPES}: ChatResponse.remote_model and remote_host",
            "logprobs": f"{_TYPES}: ChatResponse.logprobs",
            "unheard_of": f"{_TYPES}: each release adds fields",
        },
    ),
)

_PIECES: Final = (
    _axis(
        "text_pieces",
        {"few": _STREAM, "whole": "doc: Ollama, tool calling: text held back by a parser", "characters": _STREAM},
        whole=False,
    ),
    _axis(
        "blanks", {"none": _STREAM, "between": "doc: Ollama, streaming: content is empty while thinking"}, whole=False
    ),
    _axis(
        "thinking_ends",
        {
            "own_object": _TOOLS,
            "with_text": "doc: Ollama, thinking.Parser: a piece may close thinking and open content",
        },
        whole=False,
    ),
    _axis("finish", {"own_object": _STREAM, "with_last": "ai-sdk-ollama#344"}, whole=False),
)

_CALLS: Final = (
    _axis("calls", {"one_by_one": "autogen#6193", "in_one_object": _TOOLS}, whole=False),
    _axis("tool_id", {"present": _TOOLS, "absent": f"{_TYPES}: ToolCall has no id in earlier releases"}),
    _axis(
        "tool_index",
        {
            "present": _TOOLS,
            "same": "litellm#37792",
            "zero_left_out": f"{_TYPES}: index,omitempty in earlier releases",
            "absent": "ollama#7881",
        },
    ),
)

_END: Final = (
    _axis(
        "done_reason",
        {"present": _STREAM, "absent": f"{_TYPES}: done_reason,omitempty, and none in the first releases"},
    ),
    _axis(
        "usage",
        {"both": _STREAM, "no_prompt_count": _CACHED, "absent": f"{_TYPES}: Metrics: all omitempty"},
    ),
    _axis("durations", {"all": _STREAM, "total": f"{_TYPES}: Metrics: all omitempty", "absent": f"{_TYPES}: Metrics"}),
)

AXES: Final[tuple[Axis, ...]] = (*_FRAMING, *_PIECES, *_CALLS, *_END)

_NAMES: Final = {axis.name: frozenset(axis.names) for axis in AXES}
_USUAL: Final = {axis.name: axis.names[0] for axis in AXES}


@lru_cache(maxsize=4096)
def resolve(chosen: Choices) -> Mapping[str, str]:
    """Every axis's option. Raises ValueError for an axis or an option that Ollama does not have."""
    for name, option in chosen:
        if option not in _NAMES.get(name, ()):
            raise ValueError(f"no style of Ollama: {name}={option}")
    return _USUAL | dict(chosen)
