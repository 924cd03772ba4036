"""Requests as the server reads them."""

import binascii
import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from harness.dialects.base import (
    CallPart,
    DecodeError,
    MediaPart,
    Part,
    ReasoningPart,
    RequestView,
    ResultPart,
    TextPart,
    ToolView,
    Turn,
    WireRequest,
)
from harness.dialects.gemini_generate.messages import Reader, items
from harness.dialects.reply import json_text

Wire = Mapping[str, Any]

_PATH: Final = re.compile(
    r"/(?:models|tunedModels|endpoints)/(?P<model>[^/:?]+):(?P<verb>generateContent|streamGenerateContent)(?:\?|$)"
)
_VERTEX: Final = re.compile(r"/publishers/|/endpoints/|/projects/")


def endpoint(request: WireRequest) -> re.Match[str]:
    """The match of the path, with its ``model`` and ``verb``. Raises DecodeError for another path."""
    match = _PATH.search(request.path)
    if request.method != "POST" or match is None:
        raise DecodeError(f"{request.method} {request.path} is no endpoint of generateContent")
    return match


def is_stream(request: WireRequest) -> bool:
    """Whether the request asks for a stream."""
    match = _PATH.search(request.path)
    return match is not None and match["verb"] == "streamGenerateContent"


def read_body(request: WireRequest) -> tuple[Any, Reader]:
    """The body in camel case, and the reader that met what does not belong. Raises DecodeError when it is no object."""
    try:
        body = json.loads(request.body)
    except ValueError as error:
        raise DecodeError(f"the request's body is not JSON: {error}") from error
    if not isinstance(body, dict):
        raise DecodeError(f"the request's body is not an object: {request.body[:80]!r}")
    reader = Reader(vertex=_VERTEX.search(request.path) is not None)
    return reader.read(body, "Request", ""), reader


def read_request(request: WireRequest) -> RequestView:
    """What the request says. Raises DecodeError when it is malformed."""
    match = endpoint(request)
    body, _ = read_body(request)
    try:
        config = body.get("generationConfig") or {}
        told = {key: value for key, value in config.items() if key not in _SCHEMAS}
        return RequestView(
            model=match["model"],
            stream=is_stream(request),
            system=tuple(part["text"] for part in _parts_of(body.get("systemInstruction")) if "text" in part),
            turns=tuple(_turns(items(body.get("contents")))),
            tools=tuple(map(_tool, declarations(body))),
            tool_choice=_choice((body.get("toolConfig") or {}).get("functionCallingConfig")),
            response_schema=next((config[name] for name in _SCHEMAS if config.get(name) is not None), None),
            params=told | {key: value for key, value in body.items() if key not in _TOLD},
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise DecodeError(f"a malformed request: {error!r}") from error


_SCHEMAS: Final = ("responseJsonSchema", "responseSchema")
#: fields that the other members of a RequestView tell
_TOLD: Final = frozenset({"model", "systemInstruction", "contents", "tools", "toolConfig", "generationConfig"})


def declarations(body: Wire) -> Iterator[dict[str, Any]]:
    """The functions that all tools declare."""
    for tool in items(body.get("tools")):
        yield from items(tool.get("functionDeclarations"))


def _parts_of(content: Any) -> list[Any]:
    return items((content or {}).get("parts"))


# --- turns ----------------------------------------------------------------------------------------------------------


def _turns(contents: Iterable[Wire]) -> Iterator[Turn]:
    """The turns. Calls without an id get a number; results without one the id of the first open call of their name."""
    open_calls: list[CallPart] = []
    for place, content in enumerate(contents):
        parts = tuple(_part(part, f"{place}.{at}", open_calls) for at, part in enumerate(_parts_of(content)))
        yield Turn(_ROLES.get(content.get("role"), "user"), tuple(part for part in parts if part is not None))


_ROLES: Final[Mapping[Any, str]] = {"model": "assistant"}


def _part(part: Wire, place: str, open_calls: list[CallPart]) -> Part | None:
    if "functionCall" in part:
        call = part["functionCall"]
        call_id = call.get("id") or f"call-{place}"
        read = CallPart(call_id, call["name"], call.get("args") or {}, _signature(part))
        open_calls.append(read)
        return read
    if "functionResponse" in part:
        return _result(part["functionResponse"], open_calls)
    return next((read(part) for name, read in _PARTS.items() if name in part), None)


def _text(part: Wire) -> Part:
    return ReasoningPart(part["text"], _signature(part)) if part.get("thought") else TextPart(part["text"])


def _signature(part: Wire) -> str | None:
    signature = part.get("thoughtSignature")
    return _standard(signature) if signature else None


def _standard(signature: str) -> str:
    """Base64 as replies write it: ProtoJSON takes the alphabet of URLs too, without padding."""
    standard = signature.translate(_ALPHABET).rstrip("=")
    return standard + "=" * (-len(standard) % 4)


_ALPHABET: Final = str.maketrans("-_", "+/")


def _media(blob: Wire) -> MediaPart:
    mime = blob.get("mimeType") or ""
    kind, _, form = mime.partition("/")
    data = blob.get("data")
    return MediaPart(
        kind if kind in ("image", "video", "audio") else "document",
        _FORMATS.get(mime, form) or None,
        decoded(data) if isinstance(data, str) else None,
        blob.get("displayName"),
        blob.get("fileUri"),
    )


def decoded(data: str) -> bytes | None:
    """The bytes of a base64 field; None when it is not base64."""
    try:
        return b64decode(_standard(data), validate=True)
    except (binascii.Error, ValueError):
        return None


_FORMATS: Final = {
    "text/plain": "txt",
    "text/markdown": "md",
    "application/msword": "doc",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.ms-excel": "xls",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "video/x-matroska": "mkv",
    "video/quicktime": "mov",
}

_PARTS: Final[Mapping[str, Callable[[Wire], Part]]] = {
    "text": _text,
    "inlineData": lambda part: _media(part["inlineData"]),
    "fileData": lambda part: _media(part["fileData"]),
}


# --- results --------------------------------------------------------------------------------------------------------


def _result(told: Wire, open_calls: list[CallPart]) -> ResultPart:
    response = told.get("response") or {}
    call_id = told.get("id") or _answered(told["name"], open_calls)
    return ResultPart(
        call_id,
        tuple(_texts(response)),
        tuple(_media(part.get("inlineData") or part["fileData"]) for part in items(told.get("parts"))),
        True if "error" in response else None,
    )


def _answered(name: str, open_calls: list[CallPart]) -> str:
    call = next((call for call in open_calls if call.name == name), None)
    if call is None:
        return ""
    open_calls.remove(call)
    return call.id


def _texts(value: Any) -> Iterator[str]:
    """Every text in a result as it is, and every other value as its JSON text."""
    yield value if isinstance(value, str) else json_text(value)
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


# --- the rest -------------------------------------------------------------------------------------------------------


def _tool(declared: Wire) -> ToolView:
    schema = declared.get("parametersJsonSchema")
    return ToolView(
        declared["name"], declared.get("description"), declared.get("parameters") if schema is None else schema
    )


def _choice(config: Wire | None) -> str | None:
    if not config or not config.get("mode"):
        return None
    names = items(config.get("allowedFunctionNames"))
    mode = str(config["mode"]).upper()
    return f"tool:{names[0]}" if mode == "ANY" and len(names) == 1 else _CHOICES.get(mode, mode.lower())


_CHOICES: Final = {
    "ANY": "any",
    "AUTO": "auto",
    "NONE": "none",
    "VALIDATED": "auto",
    "1": "auto",
    "2": "any",
    "3": "none",
}
