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

Wire = Mapping[str, Any]

_VERTEX: Final = re.compile(r"/publishers/anthropic/models/(?P<model>[^/:]+):(?P<verb>rawPredict|streamRawPredict)$")
_COUNT: Final = "/messages/count_tokens"
_CREATE: Final = "/messages"


def vertex(request: WireRequest) -> re.Match[str] | None:
    """The match of a path of Vertex AI, with its ``model`` and ``verb``."""
    return _VERTEX.search(path_of(request))


def path_of(request: WireRequest) -> str:
    """The path without its query."""
    return request.path.partition("?")[0]


def counts_tokens(request: WireRequest) -> bool:
    """Whether the request only asks for the number of its tokens."""
    return path_of(request).endswith(_COUNT)


def read_body(request: WireRequest) -> dict[str, Any]:
    """The body's object. Raises DecodeError when this is no request of the protocol."""
    path = path_of(request)
    if request.method != "POST" or not (path.endswith((_CREATE, _COUNT)) or vertex(request)):
        raise DecodeError(f"{request.method} {path} is no endpoint of the Messages API")
    try:
        body = json.loads(request.body)
    except ValueError as error:
        raise DecodeError(f"the request's body is not JSON: {error}") from error
    if not isinstance(body, dict):
        raise DecodeError(f"the request's body is not an object: {request.body[:80]!r}")
    return body


def is_stream(request: WireRequest) -> bool:
    """Whether the request asks for server-sent events."""
    if match := vertex(request):
        return match["verb"] == "streamRawPredict"
    return read_body(request).get("stream") is True


def read_request(request: WireRequest) -> RequestView:
    """What the request says. Raises DecodeError when it is malformed."""
    body = read_body(request)
    match = vertex(request)
    try:
        return RequestView(
            model=match["model"] if match else body.get("model"),
            stream=is_stream(request),
            system=tuple(block["text"] for block in _blocks(body.get("system") or ())),
            turns=tuple(Turn(turn["role"], tuple(_parts(turn["content"]))) for turn in body["messages"]),
            tools=tuple(map(_tool, body.get("tools") or ())),
            tool_choice=_choice(body.get("tool_choice")),
            cache_points=tuple(cache_points(body)),
            response_schema=_schema(body),
            params={key: value for key, value in body.items() if key not in _TOLD},
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise DecodeError(f"a malformed request: {error!r}") from error


#: fields that the other members of a RequestView tell
_TOLD: Final = frozenset({"model", "stream", "system", "messages", "tools", "tool_choice"})


def _blocks(content: str | Iterable[Wire]) -> Iterable[Wire]:
    """Blocks of content, which may be given as bare text."""
    return ({"type": "text", "text": content},) if isinstance(content, str) else content


# --- parts ----------------------------------------------------------------------------------------------------


def _parts(content: str | Iterable[Wire]) -> Iterator[Part]:
    for block in _blocks(content):
        if read := _PARTS.get(block["type"]):
            yield read(block)


def _result(block: Wire) -> ResultPart:
    inner = tuple(_parts(block.get("content") or ()))
    return ResultPart(
        block["tool_use_id"],
        tuple(part.text for part in inner if isinstance(part, TextPart)),
        tuple(part for part in inner if isinstance(part, MediaPart)),
        block.get("is_error"),
    )


def _search_result(block: Wire) -> TextPart:
    return TextPart("\n".join(piece["text"] for piece in block["content"]))


def _media(block: Wire) -> MediaPart:
    source = block["source"]
    form, data = _SOURCES.get(source["type"], _elsewhere)(source)
    return MediaPart(block["type"], form, data, block.get("title"), source.get("url") or source.get("file_id"))


Source = tuple[str | None, bytes | None]


def _from_base64(source: Wire) -> Source:
    try:
        data = b64decode(source["data"], validate=True)
    except binascii.Error:
        data = None
    return _FORMATS.get(source["media_type"], source["media_type"]), data


def _from_text(source: Wire) -> Source:
    return _FORMATS.get(source["media_type"], source["media_type"]), source["data"].encode()


def _from_blocks(source: Wire) -> Source:
    return "txt", "\n".join(block["text"] for block in _blocks(source["content"]) if "text" in block).encode()


def _elsewhere(_: Wire) -> Source:
    return None, None


_SOURCES: Final[dict[str, Callable[[Wire], Source]]] = {
    "base64": _from_base64,
    "text": _from_text,
    "content": _from_blocks,
}
_FORMATS: Final = {
    "image/png": "png",
    "image/jpeg": "jpeg",
    "image/gif": "gif",
    "image/webp": "webp",
    "application/pdf": "pdf",
    "text/plain": "txt",
}

_PARTS: Final[dict[str, Callable[[Wire], Part]]] = {
    "text": lambda block: TextPart(block["text"]),
    "image": _media,
    "document": _media,
    "search_result": _search_result,
    "tool_use": lambda block: CallPart(block["id"], block["name"], block["input"]),
    "tool_result": _result,
    "thinking": lambda block: ReasoningPart(block["thinking"], block.get("signature")),
    "redacted_thinking": lambda block: ReasoningPart(None, redacted=_redacted(block["data"])),
}


def _redacted(data: str) -> bytes:
    return b64decode(data, validate=True)


# --- the rest -------------------------------------------------------------------------------------------------


def _tool(tool: Wire) -> ToolView:
    return ToolView(
        tool.get("name") or tool["type"], tool.get("description"), tool.get("input_schema"), tool.get("strict")
    )


def _choice(choice: Wire | None) -> str | None:
    if choice is None:
        return None
    kind: str = choice["type"]
    return f"tool:{choice['name']}" if kind == "tool" else kind


def _schema(body: Wire) -> Any:
    wanted = (body.get("output_config") or {}).get("format") or body.get("output_format") or {}
    return wanted.get("schema")


def cache_points(value: Any, path: str = "") -> Iterator[str]:
    """JSON paths of the objects that carry a cache marker, in the order in which the service reads them."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from cache_points(item, f"{path}[{index}]")
    elif isinstance(value, dict):
        if value.get("cache_control"):
            yield f"{path}.cache_control".removeprefix(".")
        for key in sorted(value.keys() & set(_MARKED), key=_MARKED.index):
            yield from cache_points(value[key], f"{path}.{key}".removeprefix("."))


#: members that can hold cache markers; arguments and schemas, which may hold anything, are not among them
_MARKED: Final = ("tools", "system", "messages", "content", "source")
