"""Why llama.cpp's server would refuse the content of a message."""

import binascii
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from harness.dialects.base import RequestFault, RequestFaultKind
from harness.dialects.openai_chat.judge.kinds import form, kind

Object = Mapping[str, Any]

_NEITHER: Final = "llama.cpp 400: Assistant message must contain either 'content' or 'tool_calls'!"
_ABSENT: Final = "llama.cpp 400: All non-assistant messages must contain 'content'"
_FORM: Final = "llama.cpp 400: Expected 'content' to be a string or an array"
_PART: Final = "llama.cpp 400: unsupported content[].type"
_TEXT: Final = "llama.cpp 500: Failed to parse messages: a text part has a string 'text'"
_URL: Final = "llama.cpp 400: Invalid uri format: an http(s) or file URL, or data:image/…;base64,…"
_BASE64: Final = "llama.cpp 400: Invalid base64 value"
_NO_URL: Final = "llama.cpp 400: 'image_url' is required"


def content_faults(message: Object, path: str) -> Iterator[RequestFault]:
    """Faults of a message's ``content``; null is as good as an empty text."""
    content = message.get("content")
    if "content" not in message:
        if message.get("role") != "assistant" or not message.get("tool_calls"):
            yield form(f"{path}.content", "absent", _NEITHER if message.get("role") == "assistant" else _ABSENT)
    elif isinstance(content, list):
        for at, part in enumerate(content):
            yield from _part(part if isinstance(part, dict) else {}, f"{path}.content[{at}]")
    elif not isinstance(content, str | None):
        yield form(f"{path}.content", kind(content), _FORM)


def _part(part: Object, path: str) -> Iterator[RequestFault]:
    name = str(part.get("type"))
    check = _PARTS.get(name)
    if check is not None:
        yield from check(part, path)
    elif name in _MEDIA_ELSEWHERE:
        yield RequestFault(RequestFaultKind.MEDIA, path, f"a part of type {name}", _PART)
    else:
        yield form(f"{path}.type", repr(part.get("type")), _PART)


def _text(part: Object, path: str) -> Iterator[RequestFault]:
    if not isinstance(part.get("text"), str):
        yield form(f"{path}.text", kind(part.get("text")), _TEXT)


def _image(part: Object, path: str) -> Iterator[RequestFault]:
    image = part.get("image_url")
    url = image.get("url") if isinstance(image, dict) else None
    if not isinstance(url, str):
        yield form(f"{path}.image_url", repr(image), _NO_URL)
    elif not url.startswith(("http://", "https://", "file://")):
        yield from _data(url, f"{path}.image_url.url")


def _data(url: str, path: str) -> Iterator[RequestFault]:
    head, comma, payload = url.partition(",")
    if not (head.startswith("data:image/") and head.endswith(";base64") and comma):
        yield RequestFault(RequestFaultKind.MEDIA, path, f"{url[:40]!r}", _URL)
    elif not _is_base64(payload):
        yield RequestFault(RequestFaultKind.MEDIA, path, f"after {head!r}", _BASE64)


def _is_base64(payload: str) -> bool:
    try:
        return bool(b64decode(payload, validate=True))
    except (binascii.Error, ValueError):
        return False


def _anything(part: Object, path: str) -> Iterator[RequestFault]:
    return iter(())


_PARTS: Mapping[str, Callable[[Object, str], Iterator[RequestFault]]] = {
    "text": _text,
    "image_url": _image,
    **dict.fromkeys(("input_audio", "input_video", "video_url"), _anything),
}
#: media of the other servers of Chat Completions
_MEDIA_ELSEWHERE: Final = frozenset({"file", "file_url", "document", "image", "audio_url"})
