"""Read a request: what it says, in no vendor's words. Only the parts of content differ from OpenAI's."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from harness.dialects.base import (
    DecodeError,
    MediaPart,
    Part,
    ReasoningPart,
    RequestView,
    ResultPart,
    TextPart,
    Turn,
    WireRequest,
)
from harness.dialects.openai_chat import requests as openai

Object = Mapping[str, Any]


def read_request(request: WireRequest) -> RequestView:
    """The view of a request. Raises DecodeError when it is not one of this protocol."""
    path = request.path.partition("?")[0]
    if request.method != "POST" or not path.endswith("/chat/completions"):
        raise DecodeError(f"not a path of chat completions: {request.method} {path}")
    body = openai.body_object(request.body)
    messages = body.get("messages")
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise DecodeError("a request without a list of messages")
    said = [message for message in messages if message.get("role") not in openai.SYSTEM_ROLES]
    view = openai.read_body({**body, "messages": [_without_parts(message) for message in messages]})
    turns = (_turn(turn, message) for turn, message in zip(view.turns, said, strict=True))
    return replace(view, turns=tuple(turns))


def _without_parts(message: Object) -> Object:
    """What is left to OpenAI's reading: system messages, and all but the content of the others."""
    return message if message.get("role") in openai.SYSTEM_ROLES else {**message, "content": None}


def _turn(turn: Turn, message: Object) -> Turn:
    """The calls of a turn, behind the parts of its message."""
    parts = tuple(_parts(message.get("content")))
    if turn.role == "tool":
        texts = tuple(part.text for part in parts if isinstance(part, TextPart))
        media = tuple(part for part in parts if isinstance(part, MediaPart))
        return Turn("tool", (ResultPart(str(message.get("tool_call_id") or ""), texts, media),))
    return Turn(turn.role, (*parts, *turn.parts))


def _parts(content: Any) -> Iterator[Part]:
    for part in openai.parts_of(content):
        read = _PARTS.get(str(part.get("type")))
        if read is not None:
            yield read(part)


def _thinking(part: Object) -> Part:
    texts = (inner.get("text", "") for inner in part.get("thinking") or ())
    return ReasoningPart("".join(texts), part.get("signature"))


def _image(part: Object) -> Part:
    image = part.get("image_url")
    return _media("image", str(image.get("url", "") if isinstance(image, dict) else image))


def _document(part: Object) -> Part:
    return _media("document", str(part.get("document_url")), part.get("document_name"))


def _audio(part: Object) -> Part:
    found = openai.data_url(f"data:audio/x;base64,{part.get('input_audio')}")
    return MediaPart("audio", None, found[1] if found else None)


def _media(kind: str, url: str, name: str | None = None) -> MediaPart:
    found = openai.data_url(url)
    if found is None:
        return MediaPart(kind, None, None, name, url)
    return MediaPart(kind, openai.FORMATS.get(found[0]), found[1], name)


_PARTS: Final[Mapping[str, Callable[[Object], Part]]] = {
    "text": lambda part: TextPart(str(part.get("text", ""))),
    "thinking": _thinking,
    "image_url": _image,
    "document_url": _document,
    "file": lambda part: MediaPart("document", None, None, uri=str(part.get("file_id"))),
    "input_audio": _audio,
}
