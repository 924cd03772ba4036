"""What a Converse request says."""

import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import unquote

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
from harness.dialects.reply import json_text

_PATH: Final = re.compile(r"(?:^|/)model/([^/?]+)/(converse|converse-stream)(?:\?.*)?$")


def read_path(request: WireRequest) -> tuple[str, bool]:
    """The model's id and whether a stream is asked for. Raises DecodeError for any other path."""
    match = _PATH.search(request.path)
    if match is None or request.method != "POST":
        raise DecodeError(f"{request.method} {request.path} is not a request of Converse or ConverseStream")
    return unquote(match[1]), match[2] == "converse-stream"


def asks_for_stream(request: WireRequest) -> bool:
    """Whether the path is that of ConverseStream."""
    return request.path.partition("?")[0].endswith("/converse-stream")


def read_body(request: WireRequest) -> dict[str, Any]:
    """The JSON body. Raises DecodeError for anything but an object."""
    try:
        body = json.loads(request.body or b"{}")
    except ValueError as cause:
        raise DecodeError(f"the body is not JSON: {cause}") from cause
    if not isinstance(body, dict):
        raise DecodeError(f"the body is no object: {request.body[:80]!r}")
    return body


def read(request: WireRequest) -> RequestView:
    """What the request says. Raises DecodeError for a request of another form."""
    model, stream = read_path(request)
    body = read_body(request)
    try:
        return _view(model, stream, body)
    except (LookupError, ValueError, TypeError, AttributeError) as cause:
        raise DecodeError(f"not a request of Converse: {cause!r}") from cause


def _view(model: str, stream: bool, body: Mapping[str, Any]) -> RequestView:
    tools = body.get("toolConfig", {})
    return RequestView(
        model=model,
        stream=stream,
        system=tuple(part.text for part in _parts(body.get("system", ())) if isinstance(part, TextPart)),
        turns=tuple(Turn(turn["role"], tuple(_parts(turn["content"]))) for turn in body.get("messages", ())),
        tools=tuple(_tool(tool["toolSpec"]) for tool in tools.get("tools", ()) if "toolSpec" in tool),
        tool_choice=_tool_choice(tools.get("toolChoice")),
        cache_points=tuple(cache_points(body)),
        response_schema=_response_schema(body),
        params=_params(body),
    )


_SAID: Final = frozenset({"messages", "system", "toolConfig", "inferenceConfig"})


def _params(body: Mapping[str, Any]) -> dict[str, Any]:
    rest = {name: value for name, value in body.items() if name not in _SAID}
    return {**body.get("inferenceConfig", {}), **rest}


def _tool(spec: Mapping[str, Any]) -> ToolView:
    return ToolView(spec["name"], spec.get("description"), spec["inputSchema"]["json"], spec.get("strict"))


def _tool_choice(choice: Mapping[str, Any] | None) -> str | None:
    if not choice:
        return None
    ((kind, value),) = choice.items()
    return f"tool:{value['name']}" if kind == "tool" else kind


def _response_schema(body: Mapping[str, Any]) -> Any:
    form = body.get("outputConfig", {}).get("textFormat")
    return json.loads(form["structure"]["jsonSchema"]["schema"]) if form else None


def cache_points(body: Mapping[str, Any]) -> Iterator[str]:
    """The JSON paths of the cache markers, in the order in which the vendor reads them: tools, system, messages."""
    yield from _marked("toolConfig.tools", body.get("toolConfig", {}).get("tools", ()))
    yield from _marked("system", body.get("system", ()))
    for at, turn in enumerate(body.get("messages", ())):
        yield from _marked(f"messages[{at}].content", turn["content"])


def _marked(path: str, blocks: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    return (f"{path}[{at}].cachePoint" for at, block in enumerate(blocks) if "cachePoint" in block)


# --- parts --------------------------------------------------------------------------------------------------


def _parts(blocks: Iterable[Mapping[str, Any]]) -> Iterator[Part]:
    for block in blocks:
        ((kind, value),) = block.items()
        if kind in _PARTS:
            yield _PARTS[kind](value)


def _media(kind: str) -> Callable[[Mapping[str, Any]], MediaPart]:
    def read_media(value: Mapping[str, Any]) -> MediaPart:
        source = value["source"]
        uri = source.get("s3Location", {}).get("uri")
        return MediaPart(kind, value.get("format"), _data(source), value.get("name"), uri)

    return read_media


def _data(source: Mapping[str, Any]) -> bytes | None:
    if "bytes" in source:
        return b64decode(source["bytes"], validate=True)
    if "content" in source:
        return "".join(piece["text"] for piece in source["content"]).encode()
    return source["text"].encode() if "text" in source else None


def _result(value: Mapping[str, Any]) -> ResultPart:
    parts = tuple(_parts(value["content"]))
    texts = tuple(part.text for part in parts if isinstance(part, TextPart))
    media = tuple(part for part in parts if isinstance(part, MediaPart))
    return ResultPart(value["toolUseId"], texts, media, value["status"] == "error" if "status" in value else None)


def _reasoning(value: Mapping[str, Any]) -> ReasoningPart:
    if "redactedContent" in value:
        return ReasoningPart(None, redacted=b64decode(value["redactedContent"], validate=True))
    return ReasoningPart(value["reasoningText"]["text"], value["reasoningText"].get("signature"))


def _guarded(value: Mapping[str, Any]) -> Part:
    return TextPart(value["text"]["text"]) if "text" in value else _media("image")(value["image"])


def _joined(value: Mapping[str, Any]) -> TextPart:
    return TextPart("".join(piece["text"] for piece in value.get("content", ())))


_PARTS: Final[Mapping[str, Callable[[Any], Part]]] = {
    "text": TextPart,
    "json": lambda value: TextPart(json_text(value)),
    "guardContent": _guarded,
    "image": _media("image"),
    "document": _media("document"),
    "video": _media("video"),
    "audio": _media("audio"),
    "searchResult": _joined,
    "citationsContent": _joined,
    "reasoningContent": _reasoning,
    "toolUse": lambda value: CallPart(value["toolUseId"], value["name"], value["input"]),
    "toolResult": _result,
}
