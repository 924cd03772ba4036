"""What stands inside ``content``: texts, images, files, audio; and which role may hold which."""

import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from harness.dialects.base import RequestFault, RequestFaultKind
from harness.dialects.openai_chat.judge.kinds import empty_array, invalid_type, kind, missing, unknown_keys
from harness.dialects.openai_chat.requests import FORMATS

_USER_ONLY = (
    "OpenAI 400: Image URLs are only allowed for messages with role 'user', but this message with role '{role}' "
    "contains an image URL."
)
_TOOL_PARTS = "openai, ChatCompletionToolMessageParam.content: a string, or an array of text parts"
_SUPPORTED = (
    "OpenAI 400: Invalid value: '{kind}'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', "
    "'audio', and 'file'."
)
_NO_EMPTY_TEXT = (
    "litellm#22977: strict servers refuse empty text parts; Anthropic behind a proxy: text content blocks must be "
    "non-empty, or must contain non-whitespace text"
)
_IMAGES = (
    "OpenAI 400: You uploaded an unsupported image. Please make sure your image has of one the following formats: "
    "['png', 'jpeg', 'gif', 'webp']."
)
_IMAGE_URL = "OpenAI 400: Expected a base64-encoded data URL with an image MIME type, or an http(s) URL"
_FILE_DATA = "OpenAI 400: Expected a base64-encoded data URL with an application/pdf MIME type"

#: The part types a role may hold. A user's also are those that some compatible server documents.
_ALLOWED: Mapping[str, frozenset[str]] = {
    "system": frozenset({"text"}),
    "developer": frozenset({"text"}),
    "user": frozenset({"text", "image_url", "input_audio", "file", "video_url", "audio_url", "file_url", "video"}),
    "assistant": frozenset({"text", "refusal", "thinking"}),
    "tool": frozenset({"text"}),
    "function": frozenset({"text"}),
}

#: First bytes by which an image gives its format away.
_SIGNATURES: tuple[tuple[re.Pattern[bytes], str], ...] = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "png"),
    (re.compile(rb"\xff\xd8\xff"), "jpeg"),
    (re.compile(rb"GIF8[79]a"), "gif"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "webp"),
)
_IMAGE_FORMATS = frozenset({"png", "jpeg", "gif", "webp"})


def content_faults(role: str, content: Any, path: str) -> Iterator[RequestFault]:
    """Faults of a message's ``content``, which is a string or an array of parts here."""
    if isinstance(content, str):
        return
    if not isinstance(content, list):
        yield invalid_type(path, "one of a string or array of objects", content)
    elif not content:
        yield empty_array(path)
    else:
        for at, part in enumerate(content):
            yield from _part_faults(role, part, f"{path}[{at}]")


def _part_faults(role: str, part: Any, path: str) -> Iterator[RequestFault]:
    if not isinstance(part, dict):
        yield invalid_type(path, "an object", part)
        return
    name = part.get("type")
    if not isinstance(name, str):
        yield missing(f"{path}.type")
    elif name not in _ALLOWED[role]:
        yield _misplaced(role, name, path)
    elif name in _PARTS:
        yield from _PARTS[name](role, part, path)


def _misplaced(role: str, name: str, path: str) -> RequestFault:
    if name == "image_url":
        return RequestFault(RequestFaultKind.MEDIA, path, f"image in a {role} message", _USER_ONLY.format(role=role))
    evidence = _TOOL_PARTS if role == "tool" else _SUPPORTED.format(kind=name)
    found = RequestFaultKind.MEDIA if name in _ALLOWED["user"] else RequestFaultKind.FORM
    return RequestFault(found, path, f"{name} part in a {role} message", evidence)


# --- one a type ---------------------------------------------------------------------------------------------------


def _text(role: str, part: dict[str, Any], path: str) -> Iterator[RequestFault]:
    text = part.get("text")
    if not isinstance(text, str):
        yield invalid_type(f"{path}.text", "a string", text)
    elif role != "tool" and not text.strip():
        # A tool may have said nothing, and nothing else can say so.
        yield RequestFault(RequestFaultKind.EMPTY_TEXT, f"{path}.text", repr(text), _NO_EMPTY_TEXT)
    yield from unknown_keys(path, part, _TEXT_KEYS)


def _image(role: str, part: dict[str, Any], path: str) -> Iterator[RequestFault]:
    image = part.get("image_url")
    if not isinstance(image, dict):
        yield invalid_type(f"{path}.image_url", "an object", image)
    elif not isinstance(image.get("url"), str):
        yield missing(f"{path}.image_url.url")
    else:
        yield from _image_url(image["url"], f"{path}.image_url.url")


def _image_url(url: str, path: str) -> Iterator[RequestFault]:
    if url.startswith(("http://", "https://")):
        return
    media_type, data, fault = _data_url(url)
    if fault:
        yield _media(path, fault, _IMAGE_URL)
    elif FORMATS.get(media_type) not in _IMAGE_FORMATS:
        yield _media(path, f"declared as {media_type}", _IMAGES)
    else:
        found = next((name for pattern, name in _SIGNATURES if pattern.match(data)), FORMATS[media_type])
        if found != FORMATS[media_type]:
            yield _media(path, f"declared as {media_type}, but its bytes are {found}", _IMAGES)


def _file(role: str, part: dict[str, Any], path: str) -> Iterator[RequestFault]:
    file = part.get("file")
    if not isinstance(file, dict):
        yield invalid_type(f"{path}.file", "an object", file)
        return
    yield from unknown_keys(f"{path}.file", file, _FILE_KEYS)
    if "file_data" in file:
        yield from _file_data(file["file_data"], f"{path}.file.file_data")
    elif not file.get("file_id"):
        yield missing(f"{path}.file.file_id")


def _file_data(url: Any, path: str) -> Iterator[RequestFault]:
    if not isinstance(url, str):
        yield invalid_type(path, "a string", url)
    elif not url.startswith(("http://", "https://")):  # OpenRouter takes those
        fault = _data_url(url)[2]
        if fault:
            yield _media(path, fault, _FILE_DATA)


def _audio(role: str, part: dict[str, Any], path: str) -> Iterator[RequestFault]:
    audio = part.get("input_audio")
    if not isinstance(audio, dict):
        yield invalid_type(f"{path}.input_audio", "an object", audio)
        return
    for name in ("data", "format"):
        if kind(audio.get(name)) != "string":
            yield missing(f"{path}.input_audio.{name}")


_TEXT_KEYS = frozenset({"type", "text", "cache_control", "annotations", "prompt_cache_breakpoint"})
_FILE_KEYS = frozenset({"file_data", "file_id", "filename", "format"})

_PARTS: Mapping[str, Callable[[str, dict[str, Any], str], Iterator[RequestFault]]] = {
    "text": _text,
    "image_url": _image,
    "file": _file,
    "input_audio": _audio,
}


def _media(path: str, what: str, evidence: str) -> RequestFault:
    return RequestFault(RequestFaultKind.MEDIA, path, what, evidence)


def _data_url(url: str) -> tuple[str, bytes, str | None]:
    """Media type and bytes of a data URL, and what is wrong with it."""
    head, comma, payload = url.partition(",")
    if not (head.startswith("data:") and comma and head.endswith(";base64")):
        return "", b"", f"no data URL: {url[:40]!r}"
    try:
        data = b64decode(payload, validate=True)
    except Base64Error:
        return "", b"", f"invalid base64 after {head!r}"
    media_type = head[len("data:") :].partition(";")[0].lower()
    return media_type, data, None if data and media_type else f"nothing declared or nothing there: {url[:40]!r}"
