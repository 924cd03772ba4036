"""How a stream that has begun tells of an error."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from harness.dialects.openai_responses.manner import Manner, added
from harness.dialects.openai_responses.stream import frame

Frames = tuple[bytes, ...]
Error = Mapping[str, Any]


def error_frames(error: bytes, number: int, manner: Manner) -> Frames:
    """The frames that say ``error``, a JSON object, in the form of the style's ``error`` axis.

    ``number`` is the sequence number of the first.
    """
    return _FORMS[manner.options["error"]](json.loads(error), number, manner)


def _error(error: Error, number: int, manner: Manner) -> Frames:
    return (frame("error", added({"error": error}, manner.dumps), number, manner),)


def _flat_error(error: Error, number: int, manner: Manner) -> Frames:
    told = {name: error.get(name) for name in ("code", "message", "param")}
    return (frame("error", added(told, manner.dumps), number, manner),)


def _failed(error: Error, number: int, manner: Manner) -> Frames:
    told = {"code": error.get("code"), "message": error.get("message")}
    response = manner.response("failed", error=told)
    return (frame("response.failed", f',"response":{response}', number, manner),)


def _error_and_failed(error: Error, number: int, manner: Manner) -> Frames:
    return (*_error(error, number, manner), *_failed(error, number + 1, manner))


_FORMS: Mapping[str, Callable[[Error, int, Manner], Frames]] = {
    "error_and_failed": _error_and_failed,
    "failed": _failed,
    "error": _error,
    "flat_error": _flat_error,
}
