"""What stands inside ``content`` and ``output``: texts, images, files; and which role may hold which."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from harness.dialects.base import RequestFault, RequestFaultKind
from harness.dialects.openai_chat.judge.kinds import invalid_type, missing, unknown_keys
from harness.dialects.openai_chat.requests import FORMATS, data_url

_ANSWER = "OpenAI 400: Invalid value: '{kind}'. Supported values are: 'output_text' and 'refusal'."
_ASKED = (
    "OpenAI 400: Invalid value: '{kind}'. Supported values are: 'input_text', 'input_image', 'output_text', 'refusal', "
    "'input_file', 'computer_screenshot', and 'summary_text'."
)
_NO_EMPTY_TEXT = (
    "litellm#22977: strict servers refuse empty text parts; Anthropic behind a proxy: text content blocks must be "
    "non-empty, or must contain non-whitespace text"
)
_IMAGES = (
    "OpenAI 400: The image data you provided does not represent a valid image. Please check your input and try again "
    "with one of the following image formats: ['image/jpeg', 'image/png', 'image/gif', 'image/webp']."
)
_IMAGE_URL = (
    "OpenAI 400: Invalid '{path}'. Expected a base64-encoded data URL with an image MIME type (e.g. "
    "'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got a value without the 'data:' prefix."
)
_FILE_DATA = (
    "OpenAI 400: Invalid '{path}'. Expected a base64-encoded data URL with an application/pdf MIME type (e.g. "
    "'data:application/pdf;base64,aW1nIGJ5dGVzIGhlcmU='), but got a value without the 'data:' prefix."
)

#: The part types that a message of a role may hold.
_ALLOWED: Mapping[str, frozenset[str]] = {
    "assistant": frozenset({"output_text", "refusal"}),
    "user": frozenset({"input_text", "input_image", "input_file", "input_audio", "input_video"}),
    "system": frozenset({"input_text", "input_image", "input_file"}),
    "developer": frozenset({"input_text", "input_image", "input_file"}),
    "output": frozenset({"input_text", "input_image", "input_file"}),
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
    """Faults of a message's ``content``."""
    if content is None:
        yield missing(path)
    elif not isinstance(content, str):
        yield from _parts(role, content, path)


def output_faults(output: Any, path: str) -> Iterator[RequestFault]:
    """Faults of the ``output`` of a call; an empty one says that the tool had nothing to say."""
    if output is None:
        yield missing(path)
    elif not isinstance(output, str):
        yield from _parts("output", output, path)


def _parts(role: str, content: Any, path: str) -> Iterator[RequestFault]:
    if not isinstance(content, list):
        yield invalid_type(path, "one of an array of objects or string", content)
        return
    for at, part in enumerate(content):
        yield from _part(role, part, f"{path}[{at}]")


def _part(role: str, part: Any, path: str) -> Iterator[RequestFault]:
    if not isinstance(part, dict):
        yield invalid_type(path, "an object", part)
        return
    name = part.get("type")
    if not isinstance(name, str):
        yield missing(f"{path}.type")
    elif name not in _ALLOWED[role]:
        words = (_ANSWER if role == "assistant" else _ASKED).format(kind=name)
        found = RequestFaultKind.MEDIA if name in _MEDIA else RequestFaultKind.FORM
        yield RequestFault(found, f"{path}.type", f"{name} in {role}", words)
    elif name in _RULES:
        yield from _RULES[name](role, part, path)


_MEDIA = frozenset({"input_image", "input_file", "input_audio"})


# --- one a type -------------------------------------------------------------------------------------------------------


def _text(role: str, part: dict[str, Any], path: str) -> Iterator[RequestFault]:
    text = part.get("text")
    if not isinstance(text, str):
        yield invalid_type(f"{path}.text", "a string", text)
    elif role != "output" and not text.strip():
        # A tool may have said nothing, and nothing else can say so.
        yield RequestFault(RequestFaultKind.EMPTY_TEXT, f"{path}.text", repr(text), _NO_EMPTY_TEXT)
    yield from unknown_keys(path, part, _TEXT_KEYS)


def _refusal(role: str, part: dict[str, Any], path: str) -> Iterator[RequestFault]:
    if not isinstance(part.get("refusal"), str):
        yield missing(f"{path}.refusal")


def _image(role: str, part: dict[str, Any], path: str) -> Iterator[RequestFault]:
    yield from unknown_keys(path, part, _IMAGE_KEYS)
    url, place = part.get("image_url"), f"{path}.image_url"
    if url is None and not part.get("file_id"):
        yield missing(place)
    elif url is not None and not isinstance(url, str):
        yield invalid_type(place, "a string", url)
    elif url is not None and not url.startswith(("http://", "https://")):
        yield from _image_url(url, place)


def _image_url(url: str, path: str) -> Iterator[RequestFault]:
    read = data_url(url)
    if read is None or not read[1]:
        yield _media(path, f"no data URL: {url[:40]!r}", _IMAGE_URL.format(path=path))
    elif FORMATS.get(read[0]) not in _IMAGE_FORMATS:
        yield _media(path, f"declared as {read[0]}", _IMAGES)
    else:
        declared = FORMATS[read[0]]
        found = next((name for pattern, name in _SIGNATURES if pattern.match(read[1])), declared)
        if found != declared:
            yield _media(path, f"declared as {declared}, but its bytes are {found}", _IMAGES)


def _file(role: str, part: dict[str, Any], path: str) -> Iterator[RequestFault]:
    yield from unknown_keys(path, part, _FILE_KEYS)
    data = part.get("file_data")
    if data is None and not part.get("file_id") and not part.get("file_url"):
        yield missing(f"{path}.file_id")
    elif data is not None:
        yield from _file_data(data, part, path)


def _file_data(data: Any, part: dict[str, Any], path: str) -> Iterator[RequestFault]:
    place = f"{path}.file_data"
    if not isinstance(data, str):
        yield invalid_type(place, "a string", data)
        return
    read = data_url(data)
    if read is None or not read[0] or not read[1]:
        yield _media(place, f"no data URL: {data[:40]!r}", _FILE_DATA.format(path=place))
    if not part.get("filename"):
        yield missing(f"{path}.filename")


_TEXT_KEYS = frozenset({"type", "text", "annotations", "logprobs", "prompt_cache_breakpoint", "cache_control"})
_IMAGE_KEYS = frozenset({"type", "image_url", "file_id", "detail", "prompt_cache_breakpoint", "cache_control"})
_FILE_KEYS = frozenset(
    {"type", "file_data", "file_id", "file_url", "filename", "detail", "prompt_cache_breakpoint", "cache_control"}
)

_RULES: Mapping[str, Callable[[str, dict[str, Any], str], Iterator[RequestFault]]] = {
    "input_text": _text,
    "output_text": _text,
    "refusal": _refusal,
    "input_image": _image,
    "input_file": _file,
}


def _media(path: str, what: str, evidence: str) -> RequestFault:
    return RequestFault(RequestFaultKind.MEDIA, path, what, evidence)
