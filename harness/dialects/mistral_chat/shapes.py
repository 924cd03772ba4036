"""The objects of a request, by their members (Mistral API reference, chat completion)."""

from collections.abc import Mapping
from typing import Final

from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.mistral_chat.rules import (
    Member,
    Members,
    anything,
    array,
    boolean,
    either,
    integer,
    mapping,
    number,
    one_of,
    text,
)

_CONTENT: Final = either(text, array)
_CHOICES: Final = either(one_of("auto", "none", "any", "required"), mapping)
_TYPE: Final = Member(text)

BODY: Final[Members] = {
    "model": Member(text, required=True),
    "messages": Member(array, required=True),
    "temperature": Member(number(0, 1.5), nullable=True),
    "top_p": Member(number(0, 1), nullable=True),
    "max_tokens": Member(integer(0), nullable=True),
    "min_tokens": Member(integer(0), nullable=True),
    "stream": Member(boolean),
    "stop": Member(either(text, array), nullable=True),
    "random_seed": Member(integer(0), nullable=True),
    "metadata": Member(mapping, nullable=True),
    "response_format": Member(mapping, nullable=True),
    "tools": Member(array, nullable=True),
    "tool_choice": Member(_CHOICES, nullable=True, kind=Kind.TOOL_CHOICE),
    "presence_penalty": Member(number(-2, 2), nullable=True),
    "frequency_penalty": Member(number(-2, 2), nullable=True),
    "repetition_penalty": Member(anything),
    "top_k": Member(anything),
    "logprobs": Member(anything),
    "top_logprobs": Member(anything),
    "prompt_logprobs": Member(anything),
    "top_prompt_logprobs": Member(anything),
    "n": Member(integer(1), nullable=True),
    "prediction": Member(mapping, nullable=True),
    "parallel_tool_calls": Member(boolean),
    "reasoning_effort": Member(anything),
    "prompt_mode": Member(one_of("reasoning"), nullable=True),
    "guardrails": Member(array, nullable=True),
    "prompt_cache_key": Member(text, nullable=True),
    "service_tier": Member(anything),
    "safe_prompt": Member(boolean),
}

_ROLE: Final = {"role": Member(text, required=True)}
MESSAGES: Final[Mapping[str, Members]] = {
    "system": _ROLE | {"content": Member(_CONTENT, required=True)},
    "user": _ROLE | {"content": Member(_CONTENT, required=True, nullable=True)},
    "assistant": _ROLE
    | {
        "content": Member(_CONTENT, nullable=True),
        "tool_calls": Member(array, nullable=True),
        "prefix": Member(boolean),
    },
    "tool": _ROLE
    | {
        "content": Member(_CONTENT, required=True, nullable=True),
        "tool_call_id": Member(text, nullable=True, kind=Kind.TOOL_ID),
        "name": Member(text, nullable=True),
    },
}

CHUNKS: Final[Mapping[str, Members]] = {
    "text": {"type": _TYPE, "text": Member(text, required=True)},
    "image_url": {"type": _TYPE, "image_url": Member(either(text, mapping), required=True, kind=Kind.MEDIA)},
    "document_url": {
        "type": _TYPE,
        "document_url": Member(text, required=True, kind=Kind.MEDIA),
        "document_name": Member(text, nullable=True),
    },
    "reference": {"type": _TYPE, "reference_ids": Member(array, required=True)},
    "file": {"type": _TYPE, "file_id": Member(text, required=True, kind=Kind.MEDIA)},
    "input_audio": {"type": _TYPE, "input_audio": Member(either(text, mapping), required=True, kind=Kind.MEDIA)},
    "thinking": {
        "type": _TYPE,
        "thinking": Member(array, required=True, kind=Kind.REASONING),
        "signature": Member(text, nullable=True, kind=Kind.REASONING),
        "closed": Member(boolean, kind=Kind.REASONING),
    },
    "resource": {"type": _TYPE, "resource": Member(anything)},
    "resource_link": {"type": _TYPE, "uri": Member(anything), "name": Member(anything)},
}
IMAGE_URL: Final[Members] = {
    "url": Member(text, required=True, kind=Kind.MEDIA),
    "detail": Member(text, nullable=True, kind=Kind.MEDIA),
}

CALL: Final[Members] = {
    "id": Member(text, kind=Kind.TOOL_ID),
    "type": Member(text),
    "function": Member(mapping, required=True),
    "index": Member(integer(0)),
}
CALL_FUNCTION: Final[Members] = {
    "name": Member(text, required=True, kind=Kind.TOOL_NAME),
    "arguments": Member(either(text, mapping), required=True),
}
TOOL: Final[Members] = {"type": Member(text), "function": Member(mapping, required=True)}
FUNCTION: Final[Members] = {
    "name": Member(text, required=True, kind=Kind.TOOL_NAME),
    "description": Member(text),
    "parameters": Member(mapping, required=True, kind=Kind.SCHEMA),
    "strict": Member(boolean),
}
CHOICE: Final[Members] = {"type": Member(text), "function": Member(mapping, required=True, kind=Kind.TOOL_CHOICE)}
CHOICE_FUNCTION: Final[Members] = {"name": Member(text, required=True, kind=Kind.TOOL_CHOICE)}
RESPONSE_FORMAT: Final[Members] = {
    "type": Member(one_of("text", "json_object", "json_schema")),
    "json_schema": Member(mapping, nullable=True, kind=Kind.SCHEMA),
}
JSON_SCHEMA: Final[Members] = {
    "name": Member(text, required=True, kind=Kind.SCHEMA),
    "schema": Member(mapping, required=True, kind=Kind.SCHEMA),
    "description": Member(text, nullable=True, kind=Kind.SCHEMA),
    "strict": Member(boolean, kind=Kind.SCHEMA),
}
