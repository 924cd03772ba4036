"""Read a request: what it says, in no vendor's words."""

import binascii
import json
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from harness.contract.content import Json
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

Object = Mapping[str, Any]

SYSTEM_ROLES = frozenset({"system", "developer"})

#: fields of the request that the view has a place of its own for; the others are its ``params``
_PLACED = frozenset({"model", "messages", "stream", "tools", "tool_choice"})

#: the contract's format by media type
FORMATS: Mapping[str, str] = {
    "image/png": "png",
    "image/jpeg": "jpeg",
    "image/jpg": "jpeg",
    "image/gif": "gif",
    "image/webp": "webp",
    "application/pdf": "pdf",
    "text/csv": "csv",
    "text/plain": "txt",
    "text/html": "html",
    "text/markdown": "md",
    "application/msword": "doc",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.ms-excel": "xls",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "video/x-flv": "flv",
    "video/x-matroska": "mkv",
    "video/quicktime": "mov",
    "video/mpeg": "mpeg",
    "video/mp4": "mp4",
    "video/3gpp": "three_gp",
    "video/webm": "webm",
    "video/x-ms-wmv": "wmv",
}


def body_object(body: bytes) -> Object:
    """The body's JSON object. Raises DecodeError when it is none."""
    try:
        parsed = json.loads(body)
    except ValueError as cause:
        raise DecodeError(f"the request's body is not JSON: {body[:200]!r}") from cause
    if not isinstance(parsed, dict):
        raise DecodeError("the request's body is not a JSON object")
    return parsed


def read_request(request: WireRequest) -> RequestView:
    """The view of a request. Raises DecodeError when it is not one of this protocol."""
    path = request.path.partition("?")[0]
    if request.method != "POST" or not path.endswith("/chat/completions"):
        raise DecodeError(f"not a Chat Completions path: {request.method} {path}")
    return read_body(body_object(request.body))


def read_body(body: Object) -> RequestView:
    """The view of a request's body, for servers that have another path."""
    messages = body.get("messages")
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise DecodeError("a request without a list of messages")
    choice, schema = body.get("tool_choice"), _response_schema(body)
    placed = _PLACED | ({"response_format"} if schema is not None else set())
    return RequestView(
        model=body.get("model"),
        stream=body.get("stream") is True,
        system=tuple(text for message in messages if message.get("role") in SYSTEM_ROLES for text in _texts(message)),
        turns=tuple(_turn(message) for message in messages if message.get("role") not in SYSTEM_ROLES),
        tools=tuple(_tool(tool) for tool in body.get("tools") or ()),
        tool_choice=_tool_choice(choice),
        cache_points=tuple(_cache_points(messages, "messages")) + tuple(_cache_points(body.get("tools"), "tools")),
        response_schema=schema,
        params={name: value for name, value in body.items() if name not in placed},
    )


def parts_of(content: Any) -> list[Object]:
    """Content as parts, whichever form it has; what is no part is passed over."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


def data_url(url: str) -> tuple[str, bytes] | None:
    """Media type and bytes of a ``data:`` URL; None for any other URL, or one whose base64 is broken."""
    head, _, payload = url.partition(",")
    if not head.startswith("data:") or not head.endswith(";base64"):
        return None
    try:
        return head[len("data:") :].partition(";")[0].lower(), b64decode(payload, validate=True)
    except (binascii.Error, ValueError):
        return None


def _texts(message: Object) -> Iterator[str]:
    return (part["text"] for part in parts_of(message.get("content")) if isinstance(part.get("text"), str))


def _turn(message: Object) -> Turn:
    role = str(message.get("role"))
    if role == "tool":
        return Turn(role, (_result(message),))
    return Turn(role, (*_reasoning(message), *_content(message), *_calls(message)))


def _content(message: Object) -> Iterator[Part]:
    for part in parts_of(message.get("content")):
        read = _PARTS.get(str(part.get("type")))
        if read:
            yield read(part)
    if isinstance(message.get("refusal"), str):
        yield TextPart(message["refusal"])


def _reasoning(message: Object) -> Iterator[Part]:
    text = message.get("reasoning_content") or message.get("reasoning")
    if isinstance(text, str) and text:
        yield ReasoningPart(text)


def _calls(message: Object) -> Iterator[Part]:
    for call in message.get("tool_calls") or ():
        function = call.get("function") or {}
        yield CallPart(str(call.get("id") or ""), str(function.get("name") or ""), _input(function.get("arguments")))


def _input(arguments: Any) -> Json:
    try:
        value: Json = json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        return str(arguments)
    return value


def _result(message: Object) -> ResultPart:
    media = tuple(part for part in _content(message) if isinstance(part, MediaPart))
    return ResultPart(str(message.get("tool_call_id") or ""), tuple(_texts(message)), media)


# --- parts --------------------------------------------------------------------------------------------------------


def _media(kind: str, url: str, name: str | None = None) -> MediaPart:
    read = data_url(url)
    if read is None:
        return MediaPart(kind, None, None, name, url)
    return MediaPart(kind, FORMATS.get(read[0]), read[1], name)


def _url_of(kind: str, key: str) -> Callable[[Object], Part]:
    def read(part: Object) -> Part:
        holder = part.get(key)
        return _media(kind, str(holder.get("url", "") if isinstance(holder, dict) else holder))

    return read


def _file(part: Object) -> Part:
    file = part.get("file") or {}
    name = file.get("filename")
    if "file_data" not in file:
        return MediaPart("document", None, None, name, str(file.get("file_id")))
    return _media("document", str(file["file_data"]), name)


def _audio(part: Object) -> Part:
    audio = part.get("input_audio") or {}
    read = data_url(f"data:audio/x;base64,{audio.get('data', '')}")
    return MediaPart("audio", audio.get("format"), read[1] if read else None)


_PARTS: Mapping[str, Callable[[Object], Part]] = {
    "text": lambda part: TextPart(str(part.get("text", ""))),
    "refusal": lambda part: TextPart(str(part.get("refusal", ""))),
    "image_url": _url_of("image", "image_url"),
    "video_url": _url_of("video", "video_url"),
    "file_url": _url_of("document", "file_url"),
    "file": _file,
    "input_audio": _audio,
}


# --- tools, choice, schema ----------------------------------------------------------------------------------------


def _tool(tool: Object) -> ToolView:
    function = tool.get("function") or {}
    name = str(function.get("name", ""))
    return ToolView(name, function.get("description"), function.get("parameters"), function.get("strict"))


_CHOICES: Mapping[str, str] = {"auto": "auto", "required": "any", "none": "none"}


def _tool_choice(choice: Any) -> str | None:
    if isinstance(choice, dict):
        return f"tool:{(choice.get('function') or {}).get('name')}"
    return _CHOICES.get(choice, choice) if isinstance(choice, str) else None


def _response_schema(body: Object) -> Json:
    wanted = body.get("response_format")
    if not isinstance(wanted, dict) or wanted.get("type") != "json_schema":
        return None
    schema: Json = (wanted.get("json_schema") or {}).get("schema")
    return schema


def _cache_points(value: Any, path: str) -> Iterator[str]:
    """Paths of ``cache_control`` markers, which OpenRouter and others pass on to Anthropic."""
    if isinstance(value, dict):
        if "cache_control" in value:
            yield f"{path}.cache_control"
        yield from _inside((f"{path}.{key}", value.get(key)) for key in ("content", "tool_calls", "function"))
    elif isinstance(value, list):
        yield from _inside((f"{path}[{at}]", item) for at, item in enumerate(value))


def _inside(places: Iterable[tuple[str, Any]]) -> Iterator[str]:
    for path, item in places:
        yield from _cache_points(item, path)
