"""The request's own fields: which there are, and the JSON types and values that they take."""

from collections.abc import Iterator, Mapping
from typing import Any

from harness.dialects.base import RequestFault
from harness.dialects.openai_chat.judge.kinds import form, invalid_type, kind, missing

_NUMBER_OR_NULL = frozenset({"number", "integer", "null"})
_INTEGER_OR_NULL = frozenset({"integer", "null"})
_BOOLEAN_OR_NULL = frozenset({"boolean", "null"})
_STRING = frozenset({"string"})
_STRING_OR_NULL = frozenset({"string", "null"})
_OBJECT = frozenset({"object"})
_OBJECT_OR_NULL = frozenset({"object", "null"})
_ARRAY_OR_NULL = frozenset({"array", "null"})

#: OpenAI's parameters and their JSON types (API reference, create a model response). null is as good as absent
#: wherever the SDK's types say so, and for ``model``, ``tools`` and ``tool_choice``, which servers take so.
OPENAI: Mapping[str, frozenset[str]] = {
    "access_programs": _OBJECT,
    "background": _BOOLEAN_OR_NULL,
    "background_options": _OBJECT,
    "context_management": _ARRAY_OR_NULL,
    "conversation": frozenset({"string", "object", "null"}),
    "image": _OBJECT,
    "include": _ARRAY_OR_NULL,
    "input": frozenset({"string", "array", "null"}),
    "instructions": _STRING_OR_NULL,
    "max_output_tokens": _INTEGER_OR_NULL,
    "max_tool_calls": _INTEGER_OR_NULL,
    "metadata": _OBJECT_OR_NULL,
    "model": _STRING_OR_NULL,
    "moderation": _OBJECT_OR_NULL,
    "parallel_tool_calls": _BOOLEAN_OR_NULL,
    "previous_response_id": _STRING_OR_NULL,
    "prompt": _OBJECT_OR_NULL,
    "prompt_cache_key": _STRING_OR_NULL,
    "prompt_cache_options": _OBJECT,
    "prompt_cache_retention": _STRING_OR_NULL,
    "reasoning": _OBJECT_OR_NULL,
    "safety_identifier": _STRING_OR_NULL,
    "service_tier": _STRING_OR_NULL,
    "store": _BOOLEAN_OR_NULL,
    "stream": _BOOLEAN_OR_NULL,
    "stream_options": _OBJECT_OR_NULL,
    "temperature": _NUMBER_OR_NULL,
    "text": _OBJECT_OR_NULL,
    "tool_choice": frozenset({"string", "object", "null"}),
    "tools": _ARRAY_OR_NULL,
    "top_logprobs": _INTEGER_OR_NULL,
    "top_p": _NUMBER_OR_NULL,
    "truncation": _STRING_OR_NULL,
    "user": _STRING,
}

#: What vendors of the family document beyond that: OpenRouter, xAI, LM Studio, vLLM, LiteLLM.
OTHERS = frozenset(
    {
        "frequency_penalty",
        "image_config",
        "min_p",
        "modalities",
        "models",
        "plugins",
        "presence_penalty",
        "provider",
        "repetition_penalty",
        "route",
        "search_parameters",
        "session_id",
        "stop_server_side_tools",
        "top_a",
        "top_k",
        "trace",
        "ttl",
    }
)

#: fields of Chat Completions, and what the service says has become of them
_MOVED: Mapping[str, str] = {
    "messages": "input",
    "max_tokens": "max_output_tokens",
    "max_completion_tokens": "max_output_tokens",
    "response_format": "text.format",
    "reasoning_effort": "reasoning.effort",
    "verbosity": "text.verbosity",
}
_MOVED_WORDS = (
    "OpenAI 400: Unsupported parameter: '{old}'. In the Responses API, this parameter has moved to '{new}'. Try again "
    "with the new parameter."
)

#: parameter, least and greatest value
_RANGES: tuple[tuple[str, float, float], ...] = (
    ("temperature", 0, 2),
    ("top_p", 0, 1),
    ("max_output_tokens", 16, float("inf")),
    ("top_logprobs", 0, 20),
)
_BELOW = "OpenAI 400: Invalid '{name}': below minimum value. Expected a value >= {least}, but got {met} instead."
_ABOVE = "OpenAI 400: Invalid '{name}': above maximum value. Expected a value <= {most}, but got {met} instead."

_VALUES: Mapping[str, frozenset[str]] = {"truncation": frozenset({"auto", "disabled"})}
#: for ``include``; after ``reasoning.encrypted_content``: what xAI documents
INCLUDABLE = frozenset(
    {
        "code_interpreter_call.outputs",
        "computer_call_output.output.image_url",
        "file_search_call.results",
        "message.input_image.image_url",
        "message.output_text.logprobs",
        "web_search_call.action.sources",
        "web_search_call.results",
        "reasoning.encrypted_content",
        "no_inline_citations",
        "verbose_streaming",
        "collections_search_call.results",
    }
)
_SUPPORTED = "OpenAI 400: Invalid value: '{met}'. Supported values are: {known}."
_STREAM_OPTIONS = "OpenAI 400: The 'stream_options' parameter is only allowed when 'stream' is enabled."
_NO_INPUT = (
    "OpenAI 400: One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation_id' must be provided."
)
_BOTH = "doc: OpenAI API reference: previous_response_id cannot be used in conjunction with conversation"


def parameter_faults(body: Mapping[str, Any], *, needs_model: bool = True) -> Iterator[RequestFault]:
    """Faults of the request's own fields, apart from what is inside input and tools."""
    for name, value in body.items():
        yield from _parameter(name, value)
    if needs_model and not body.get("model") and not body.get("prompt"):  # a stored prompt may name the model
        yield missing("model")
    if not any(body.get(name) for name in ("input", "previous_response_id", "prompt", "conversation")):
        yield form("input", "nothing to respond to", _NO_INPUT)
    if body.get("previous_response_id") and body.get("conversation"):
        yield form("previous_response_id", "beside conversation", _BOTH)
    yield from _ranges(body)
    yield from _include(body.get("include"))
    yield from _stream_options(body)


def _parameter(name: str, value: Any) -> Iterator[RequestFault]:
    kinds = OPENAI.get(name)
    if kinds is not None:
        if kind(value) not in kinds:
            yield invalid_type(name, f"one of {', '.join(sorted(kinds))}", value)
        elif isinstance(value, str) and name in _VALUES and value not in _VALUES[name]:
            yield form(name, repr(value), _SUPPORTED.format(met=value, known=sorted(_VALUES[name])))
    elif name not in OTHERS and value is not None:
        moved = _MOVED.get(name)
        words = _MOVED_WORDS.format(old=name, new=moved) if moved else f"OpenAI 400: Unknown parameter: '{name}'."
        yield form(name, "unknown parameter", words)


def _ranges(body: Mapping[str, Any]) -> Iterator[RequestFault]:
    for name, least, most in _RANGES:
        value = body.get(name)
        if isinstance(value, int | float) and value < least:
            yield form(name, repr(value), _BELOW.format(name=name, least=least, met=value))
        elif isinstance(value, int | float) and value > most:
            yield form(name, repr(value), _ABOVE.format(name=name, most=most, met=value))


def _include(wanted: Any) -> Iterator[RequestFault]:
    for at, name in enumerate(wanted if isinstance(wanted, list) else ()):
        if name not in INCLUDABLE:
            yield form(f"include[{at}]", repr(name), _SUPPORTED.format(met=name, known=sorted(INCLUDABLE)))


def _stream_options(body: Mapping[str, Any]) -> Iterator[RequestFault]:
    options = body.get("stream_options")
    if not isinstance(options, dict):
        return
    if body.get("stream") is not True:
        yield form("stream_options", "without stream", _STREAM_OPTIONS)
    for name in options.keys() - {"include_obfuscation"}:
        yield form(
            f"stream_options.{name}", "unknown field", f"OpenAI 400: Unknown parameter: 'stream_options.{name}'."
        )
