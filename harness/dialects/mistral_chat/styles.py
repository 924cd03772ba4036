"""The axes along which replies of Mistral's chat completions differ.

Evidence names a recording of the corpus (a path under ``corpus/``), a public report (an id of ``adapter_bugs.jsonl``),
or, after ``doc:``, a document.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from harness.dialects.base import Axis, Option

#: options chosen, as pairs of axis and option: a style that can be hashed
Choices = tuple[tuple[str, str], ...]

_OLD_TEXT: Final = (
    "mistral-chat/Arize-ai+openinference__mistralai_test_instrumentor_"
    "test_synchronous_streaming_chat_completions_emits_expected_span_False.yaml"
)
_OLD_CALL: Final = "mistral-chat/vercel+ai__mistral_mistral-tool-call.chunks.txt"
_CALL: Final = "mistral-chat/DataDog+dd-trace-py__mistral_mistral_v1_chat_completions_post_1798d156.json"
_LONG: Final = "mistral-chat/DataDog+dd-trace-py__mistral_mistral_v1_chat_completions_post_7dbf2fa3.json"
_WHOLE: Final = "mistral-chat/DataDog+dd-trace-py__mistral_mistral_v1_chat_completions_post_c3afa786.json"
_WHOLE_CALL: Final = "mistral-chat/DataDog+dd-trace-py__mistral_mistral_v1_chat_completions_post_8fbc71a4.json"
_WHOLE_THOUGHT: Final = "mistral-chat/DataDog+dd-trace-py__mistral_mistral_v1_chat_completions_post_20aaaaf3.json"
_PLAIN_USAGE: Final = "mistral-chat/traceloop+openllmetry__test_chat_test_mistralai_chat_legacy.yaml"
_NUM_CACHED: Final = (
    "mistral-chat/pydantic+pydantic-ai__test_multimodal_tool_returns_"
    "test_multimodal_tool_return_matrix_direct-url-image-mistral.yaml"
)
_TIER: Final = (
    "mistral-chat/crmne+ruby_llm__chat_with_params_mistral_mistral-small-latest_supports_response_format_param.yml"
)
_THOUGHTS: Final = "mistral-chat/pydantic+pydantic-ai__test_mistral_test_mistral_model_thinking_part_iter.yaml"
_PARTS: Final = "mistral-chat/vercel+ai__mistral_mistral-reasoning.chunks.txt"
_API: Final = "doc: Mistral API, chat completion: {}"
_SSE: Final = "doc: HTML, server-sent events: {}"


def _axis(name: str, options: Mapping[str, str], *, streamed: bool = True, whole: bool = True) -> Axis:
    return Axis(name, tuple(Option(*row) for row in options.items()), streamed, whole)


_FRAMING: Final = (
    _axis("newline", {"lf": _LONG, "crlf": _SSE.format("lines end in CRLF, LF or CR")}, whole=False),
    _axis("comments", {"none": _LONG, "between": _SSE.format("a comment keeps a connection open")}, whole=False),
    _axis("escapes", {"raw": _LONG, "ascii": "doc: RFC 8259, 7: any character may be escaped"}),
    _axis("padding", {"none": _OLD_TEXT, "p": _LONG}, whole=False),
    _axis("logprobs", {"missing": _LONG, "null": _OLD_TEXT}, whole=False),
    _axis(
        "vendor",
        {"none": _LONG, "service_tier": _TIER, "unheard_of": "doc: Mistral API: new fields are added without notice"},
    ),
)

_PIECES: Final = (
    _axis("role", {"own_chunk": _LONG, "with_first": _PARTS}, whole=False),
    _axis("text_pieces", {"few": _LONG, "whole": _PARTS, "characters": _OLD_TEXT}, whole=False),
    _axis("blanks", {"none": _LONG, "between": _THOUGHTS}, whole=False),
    _axis("finish", {"with_calls": _CALL, "with_last": _LONG, "own_chunk": _OLD_TEXT}, whole=False),
    _axis(
        "usage",
        {"finish_chunk": _LONG, "chunk_after": "haystack#9046", "absent": _API.format("CompletionChunk.usage")},
    ),
    _axis("usage_details", {"details": _WHOLE, "plain": _PLAIN_USAGE, "num_cached": _NUM_CACHED}),
)

_CONTENT: Final = (
    _axis("content", {"string": _WHOLE, "parts": _PARTS}),
    _axis("thinking_texts", {"one": _WHOLE_THOUGHT, "several": "req_llm#742"}),
    _axis("thinking_ends", {"own_chunk": _PARTS, "with_text": "openlit#1597"}, whole=False),
    _axis("closed", {"present": _WHOLE_THOUGHT, "missing": _API.format("ThinkChunk.closed")}, streamed=False),
    _axis("no_text", {"empty": _WHOLE_CALL, "null": _OLD_CALL, "missing": _CALL}),
    _axis("no_calls", {"null": _WHOLE, "missing": _API.format("AssistantMessage.tool_calls")}, streamed=False),
)

_CALLS: Final = (
    _axis(
        "calls", {"in_one_chunk": _WHOLE_CALL, "one_by_one": "doc: Mistral, function calling: streaming"}, whole=False
    ),
    _axis("tool_index", {"present": _CALL, "missing": _OLD_CALL}),
    _axis("tool_type", {"present": _CALL, "missing": _OLD_CALL}),
    _axis(
        "arguments",
        {"whole": _CALL, "pieces": "langchainjs#11373", "pieces_null_id": "langchainjs#11373"},
        whole=False,
    ),
    _axis("arguments_form", {"string": _CALL, "object": _API.format("FunctionCall.arguments")}),
)

AXES: Final[tuple[Axis, ...]] = (*_FRAMING, *_PIECES, *_CONTENT, *_CALLS)

_NAMES: Final = {axis.name: frozenset(axis.names) for axis in AXES}
_USUAL: Final = {axis.name: axis.names[0] for axis in AXES}


@lru_cache(maxsize=4096)
def resolve(chosen: Choices) -> Mapping[str, str]:
    """Every axis's option. Raises ValueError for an axis or an option that Mistral does not have."""
    for name, option in chosen:
        if option not in _NAMES.get(name, ()):
            raise ValueError(f"no style of Mistral: {name}={option}")
    return _USUAL | dict(chosen)
