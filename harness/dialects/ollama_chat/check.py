"""Why Ollama would refuse a request.

It refuses little: fields that it does not know are passed over, roles and the order of messages are the template's
affair, and calls need no results. What it does refuse is what its structs cannot hold (api/types.go).
"""

import binascii
import re
from base64 import b64decode
from collections.abc import Mapping
from typing import Any, Final

from harness.dialects.base import DecodeError, RequestFault, RequestFaultKind, WireRequest
from harness.dialects.ollama_chat.gotypes import (
    Check,
    Faults,
    anything,
    fault,
    list_of,
    map_of,
    mistyped,
    scalar,
    struct,
)
from harness.dialects.ollama_chat.images import image_format
from harness.dialects.openai_chat.requests import body_object
from harness.dialects.schemas import TARGETS, schema_faults

Kind = RequestFaultKind


def check_request(request: WireRequest) -> list[RequestFault]:
    """Faults of a request; none when the server would accept it."""
    try:
        body = body_object(request.body)
    except DecodeError as error:
        return [RequestFault(Kind.FORM, "", str(error), "Ollama 400: invalid character, or missing request body")]
    faults = list(_BODY(body, ""))
    if not body.get("model"):
        faults.append(fault(Kind.FORM, "model", body.get("model"), "model is required"))
    return faults


# --- values with rules of their own -------------------------------------------------------------------------------

_DURATION: Final = re.compile(r"[-+]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)").fullmatch
_LEVELS: Final = ("high", "medium", "low", "max")


def _keep_alive(value: Any, path: str) -> Faults:
    if isinstance(value, str):
        if not _DURATION(value):
            yield fault(Kind.FORM, path, value, "time: invalid duration, or missing unit in duration")
    elif type(value) not in (int, float):
        yield fault(Kind.FORM, path, value, "unsupported type of a duration")


def _think(value: Any, path: str) -> Faults:
    if isinstance(value, str):
        if value not in _LEVELS:
            words = 'invalid think value (must be "high", "medium", "low", "max", true, or false)'
            yield fault(Kind.REASONING, path, value, words)
    elif not isinstance(value, bool):
        yield fault(Kind.REASONING, path, value, "think must be a boolean or string")


def _format(value: Any, path: str) -> Faults:
    if not isinstance(value, dict) and value not in ("", "json"):
        yield fault(Kind.SCHEMA, path, value, 'invalid format; expected "json" or a valid JSON Schema object')
    yield from schema_faults(TARGETS["any_grammar"], value, path)


def _image(value: Any, path: str) -> Faults:
    if not isinstance(value, str):
        yield mistyped(Kind.MEDIA, path, value, "[]uint8")
        return
    try:
        data = b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        yield fault(Kind.MEDIA, path, value, "illegal base64 data")
        return
    if image_format(data) is None:
        yield fault(Kind.MEDIA, path, data[:20], "image: unknown format")


def _top_logprobs(value: Any, path: str) -> Faults:
    if type(value) is not int:
        yield mistyped(Kind.FORM, path, value, "int")
    elif not 0 <= value <= 20:
        yield fault(Kind.FORM, path, value, "top_logprobs must be between 0 and 20")


def _property_type(value: Any, path: str) -> Faults:
    if not isinstance(value, str):
        yield from _SCHEMA_TEXTS(value, path)


# --- options ------------------------------------------------------------------------------------------------------


def _option(go_type: str, *accepted: type) -> Check:
    def check(value: Any, path: str) -> Faults:
        if type(value) not in accepted:
            name = path.removeprefix("options.")
            yield fault(Kind.FORM, path, value, f'option "{name}" must be of type {go_type}')

    return check


def _stop(value: Any, path: str) -> Faults:
    if not isinstance(value, list):
        yield fault(Kind.FORM, path, value, 'option "stop" must be of type array')
    elif not all(isinstance(item, str) for item in value):
        yield fault(Kind.FORM, path, value, 'option "stop" must be of an array of strings')


_WHOLE: Final = _option("integer", int, float)
_REAL: Final = _option("float32", int, float)

_WHOLE_OPTIONS: Final = (
    "num_ctx",
    "num_batch",
    "num_gpu",
    "main_gpu",
    "num_thread",
    "num_keep",
    "seed",
    "num_predict",
    "top_k",
    "repeat_last_n",
)
_REAL_OPTIONS: Final = (
    "top_p",
    "min_p",
    "typical_p",
    "temperature",
    "repeat_penalty",
    "presence_penalty",
    "frequency_penalty",
)

#: every option by its type; those that are not listed draw a warning in the server's log
OPTIONS: Final[Mapping[str, Check]] = {
    **dict.fromkeys(_WHOLE_OPTIONS, _WHOLE),
    **dict.fromkeys(_REAL_OPTIONS, _REAL),
    "use_mmap": _option("boolean", bool),
    "stop": _stop,
}

# --- structs ------------------------------------------------------------------------------------------------------

_TEXT: Final = scalar("string", str)
_FLAG: Final = scalar("bool", bool)
_INT: Final = scalar("int", int)
_SCHEMA_TEXT: Final = scalar("string", str, kind=Kind.SCHEMA)
_SCHEMA_TEXTS: Final = list_of(_SCHEMA_TEXT, Kind.SCHEMA)
_OBJECT: Final = map_of(anything)

_CALL_FUNCTION: Final = struct(lambda: {"name": _TEXT, "arguments": _OBJECT, "index": _INT})
_CALL: Final = struct(lambda: {"id": _TEXT, "function": _CALL_FUNCTION})

_PROPERTY: Final[Check] = struct(lambda: _PROPERTY_FIELDS, Kind.SCHEMA)
_PROPERTIES: Final = map_of(_PROPERTY, Kind.SCHEMA)
_PROPERTY_FIELDS: Final[Mapping[str, Check]] = {
    "anyOf": list_of(_PROPERTY, Kind.SCHEMA),
    "type": _property_type,
    "description": _SCHEMA_TEXT,
    "enum": list_of(anything, Kind.SCHEMA),
    "properties": _PROPERTIES,
}
_PARAMETERS: Final = struct(
    lambda: {"type": _SCHEMA_TEXT, "required": _SCHEMA_TEXTS, "properties": _PROPERTIES}, Kind.SCHEMA
)
_FUNCTION: Final = struct(lambda: {"name": _TEXT, "description": _TEXT, "parameters": _PARAMETERS})

MESSAGE_FIELDS: Final[Mapping[str, Check]] = {
    "role": _TEXT,
    "content": _TEXT,
    "thinking": _TEXT,
    "images": list_of(_image, Kind.MEDIA),
    "tool_calls": list_of(_CALL),
    "tool_name": _TEXT,
    "tool_call_id": _TEXT,
}
BODY_FIELDS: Final[Mapping[str, Check]] = {
    "model": _TEXT,
    "messages": list_of(struct(lambda: MESSAGE_FIELDS)),
    "stream": _FLAG,
    "format": _format,
    "keep_alive": _keep_alive,
    "tools": list_of(struct(lambda: {"type": _TEXT, "function": _FUNCTION})),
    "options": struct(lambda: OPTIONS),
    "think": _think,
    "truncate": _FLAG,
    "shift": _FLAG,
    "logprobs": _FLAG,
    "top_logprobs": _top_logprobs,
}
_BODY: Final = struct(lambda: BODY_FIELDS)
