"""How a stream that has begun tells of an error."""

import json
from collections.abc import Callable, Mapping

from harness.dialects.openai_chat.manner import CREATED, ID, MODEL, Manner
from harness.dialects.openai_chat.stream import frame_data

Frames = tuple[bytes, ...]


def error_frames(error: bytes, manner: Manner) -> Frames:
    """The frames that say ``error``, a JSON object, in the form that the style's ``error`` axis chooses."""
    return _FORMS[manner.options["error"]](error.decode(), manner)


def _chunk(error: str, manner: Manner) -> Frames:
    return (frame_data(error, manner),)


def _event(error: str, manner: Manner) -> Frames:
    return (frame_data(error, manner, "error"),)


def _chunk_with_choice(error: str, manner: Manner) -> Frames:
    choice = {"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": "error"}
    around = {"id": ID, "object": "chat.completion.chunk", "created": CREATED, "model": MODEL, "choices": [choice]}
    return (frame_data(manner.dumps(around | json.loads(error)), manner), frame_data("[DONE]", manner))


def _field(error: str, manner: Manner) -> Frames:
    """llama.cpp until 2025: a field named ``error``, which no parser of events knows."""
    return (f"error: {manner.dumps(json.loads(error)['error'])}\n\n".encode(),)


_FORMS: Mapping[str, Callable[[str, Manner], Frames]] = {
    "chunk": _chunk,
    "event": _event,
    "chunk_with_choice": _chunk_with_choice,
    "field": _field,
}
