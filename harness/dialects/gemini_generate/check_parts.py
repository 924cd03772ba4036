"""Faults of the contents' parts, each looked at alone."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from harness.dialects.base import RequestFault, RequestFaultKind
from harness.dialects.gemini_generate.messages import items
from harness.dialects.gemini_generate.requests import decoded

Part = Mapping[str, Any]

_NO_CONTENTS: Final = "Google 400: * GenerateContentRequest.contents: contents is not specified"
_NO_PARTS: Final = (
    "Google 400: Unable to submit request because it must include at least one parts field, which describes the prompt "
    "input."
)
_NO_DATA: Final = "Google 400: {path}.data: required oneof field 'data' must have one initialized field"
_TWO_DATA: Final = (
    "Google 400: Invalid value at '{path}' (oneof), oneof field 'data' is already set. Cannot set '{name}'"
)
_EMPTY: Final = "Google 400: Unable to submit request because it has an empty text parameter."
_ROLE: Final = "Google 400: Please use a valid role: user, model."
_NAME: Final = "Google 400: {path}: Name cannot be empty."
_STRUCT: Final = "Google 400: Invalid value at '{path}' (type.googleapis.com/google.protobuf.Struct)"
_BASE64: Final = "Google 400: Invalid value at '{path}' (TYPE_BYTES), Base64 decoding failed"
_MIME: Final = "Google 400: Unsupported MIME type: {mime}"
_URI: Final = "generateContent reference, FileData: fileUri is required"

#: members of the one-of that is a part's data
_DATA: Final = (
    "text",
    "inlineData",
    "functionCall",
    "functionResponse",
    "fileData",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
)
#: ``function`` is what the first guides called the role of results, which the service still takes
_ROLES: Final = frozenset({"user", "model", "function", "", None})

#: media types that the guides of image, document, audio and video understanding list; all of ``text/`` is taken too
_MIME_TYPES: Final = frozenset(
    {
        *(f"image/{form}" for form in ("png", "jpeg", "jpg", "webp", "heic", "heif", "avif", "gif")),
        *(
            f"audio/{form}"
            for form in ("wav", "x-wav", "mp3", "mpeg", "mpga", "aiff", "aac", "ogg", "flac", "mp4", "m4a")
        ),
        *(f"audio/{form}" for form in ("webm", "pcm", "opus", "l16", "x-aac", "x-flac", "x-m4a")),
        *(f"video/{form}" for form in ("mp4", "mpeg", "mov", "quicktime", "avi", "x-flv", "mpg", "mpegs", "mpegps")),
        *(f"video/{form}" for form in ("webm", "wmv", "3gpp", "x-msvideo", "x-matroska", "x-ms-wmv")),
        *(f"application/{form}" for form in ("pdf", "json", "x-javascript", "x-python", "rtf", "xml", "x-typescript")),
    }
)


def part_faults(body: Part) -> Iterator[RequestFault]:
    """Faults of every part, and of contents that have none."""
    contents = items(body.get("contents"))
    if not contents:
        yield _form("contents", "no contents", _NO_CONTENTS)
    for place, content in enumerate(contents):
        path = f"contents[{place}]"
        if content.get("role") not in _ROLES:
            yield RequestFault(RequestFaultKind.ROLES, f"{path}.role", repr(content["role"]), _ROLE)
        yield from _content(content, path)
    if body.get("systemInstruction") is not None:
        yield from _content(body["systemInstruction"], "systemInstruction")


def _form(path: str, what: str, evidence: str) -> RequestFault:
    return RequestFault(RequestFaultKind.FORM, path, what, evidence)


def _content(content: Part, path: str) -> Iterator[RequestFault]:
    parts = items(content.get("parts"))
    if not parts:
        yield _form(f"{path}.parts", "no parts", _NO_PARTS)
    for place, part in enumerate(parts):
        yield from _part(part, f"{path}.parts[{place}]")


def _part(part: Part, path: str) -> Iterator[RequestFault]:
    met = [name for name in _DATA if part.get(name) is not None]
    if not met:
        yield _form(path, f"no data among {sorted(part)}", _NO_DATA.format(path=path))
    if len(met) > 1:
        yield _form(path, " and ".join(met), _TWO_DATA.format(path=path, name=met[1]))
    if met and met[0] in _CHECKS:
        yield from _CHECKS[met[0]](part, f"{path}.{met[0]}")
    signature = part.get("thoughtSignature")
    if signature is not None and (not isinstance(signature, str) or decoded(signature) is None):
        place = f"{path}.thoughtSignature"
        yield RequestFault(RequestFaultKind.REASONING, place, repr(signature), _BASE64.format(path=place))


def _text(part: Part, path: str) -> Iterator[RequestFault]:
    """An empty text is refused unless it carries a signature, which the service itself sends so, or is a system's."""
    if not isinstance(part["text"], str):
        yield _form(path, f"{part['text']!r} is no text", f"Google 400: Invalid value at '{path}' (TYPE_STRING)")
    elif not part["text"] and not part.get("thoughtSignature") and path.startswith("contents"):
        yield RequestFault(RequestFaultKind.EMPTY_TEXT, path, "an empty text", _EMPTY)


def _blob(part: Part, path: str) -> Iterator[RequestFault]:
    return blob_faults(part["inlineData"], path)


def blob_faults(blob: Part, path: str) -> Iterator[RequestFault]:
    """Faults of media inside the request."""
    mime, data = blob.get("mimeType"), blob.get("data")
    if not isinstance(mime, str) or not (mime.startswith("text/") or mime.partition(";")[0].lower() in _MIME_TYPES):
        yield RequestFault(RequestFaultKind.MEDIA, f"{path}.mimeType", repr(mime), _MIME.format(mime=mime))
    if not isinstance(data, str) or not data or decoded(data) is None:
        evidence = _BASE64.format(path=f"{path}.data")
        yield RequestFault(RequestFaultKind.MEDIA, f"{path}.data", f"no base64: {str(data)[:40]!r}", evidence)


def _file(part: Part, path: str) -> Iterator[RequestFault]:
    if not part["fileData"].get("fileUri"):
        yield RequestFault(RequestFaultKind.MEDIA, f"{path}.fileUri", "no address", _URI)


def _call(part: Part, path: str) -> Iterator[RequestFault]:
    return _named(part["functionCall"], path, "args")


def _result(part: Part, path: str) -> Iterator[RequestFault]:
    result = part["functionResponse"]
    yield from _named(result, path, "response")
    for place, inner in enumerate(items(result.get("parts"))):
        if isinstance(inner.get("inlineData"), dict):
            yield from blob_faults(inner["inlineData"], f"{path}.parts[{place}].inlineData")


def _named(told: Part, path: str, member: str) -> Iterator[RequestFault]:
    """A call or a result: both have a name, and a member that is an object."""
    if not told.get("name"):
        yield RequestFault(RequestFaultKind.TOOL_NAME, f"{path}.name", "no name", _NAME.format(path=f"{path}.name"))
    if not isinstance(told.get(member, {}), dict):
        place = f"{path}.{member}"
        yield _form(place, f"{told[member]!r} is no object", _STRUCT.format(path=place))


_CHECKS: Final[Mapping[str, Callable[[Part, str], Iterator[RequestFault]]]] = {
    "text": _text,
    "inlineData": _blob,
    "fileData": _file,
    "functionCall": _call,
    "functionResponse": _result,
}
