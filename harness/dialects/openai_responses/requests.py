"""Read a request: what it says, in no vendor's words."""

import json
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
from harness.dialects.openai_chat.requests import FORMATS, SYSTEM_ROLES, body_object, data_url

Object = Mapping[str, Any]

#: fields of the request that the view has a place of its own for; the others are its ``params``
_PLACED = frozenset({"model", "input", "instructions", "stream", "tools", "tool_choice"})


def read_request(request: WireRequest) -> RequestView:
    """The view of a request. Raises DecodeError when it is not one of this protocol."""
    path = request.path.partition("?")[0]
    if request.method != "POST" or not path.endswith("/responses"):
        raise DecodeError(f"not a Responses path: {request.method} {path}")
    return read_body(body_object(request.body))


def read_body(body: Object) -> RequestView:
    """The view of a request's body, for servers that have another path.

    Turns have the roles ``user``, ``assistant`` and ``tool``: every item is a turn of its own. A conversation that
    the service holds is not in them; ``params`` has its ``previous_response_id`` or ``conversation``.
    """
    items = input_items(body.get("input"))
    schema = _response_schema(body)
    placed = _PLACED | ({"text"} if schema is not None else set())
    return RequestView(
        model=body.get("model"),
        stream=body.get("stream") is True,
        system=(*_instructions(body), *(text for item in items if _is_system(item) for text in _texts(item))),
        turns=tuple(_turn(item) for item in items if not _is_system(item)),
        tools=tuple(_tool(tool) for tool in body.get("tools") or () if tool.get("type") == "function"),
        tool_choice=_tool_choice(body.get("tool_choice")),
        cache_points=tuple(_cache_points(items)),
        response_schema=schema,
        params={name: value for name, value in body.items() if name not in placed} | _beside_format(body, placed),
    )


def input_items(told: Any) -> list[Object]:
    """The items of ``input``; a string is a user's message."""
    if told is None:
        return []
    if isinstance(told, str):
        return [{"role": "user", "content": told}]
    if not isinstance(told, list) or not all(isinstance(item, dict) for item in told):
        raise DecodeError("an input that is neither text nor a list of items")
    return told


def parts_of(content: Any) -> list[Object]:
    """Content as parts, whichever form it has; what is no part is passed over."""
    if isinstance(content, str):
        return [{"type": "input_text", "text": content}] if content else []
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


def _instructions(body: Object) -> tuple[str, ...]:
    told = body.get("instructions")
    return (told,) if isinstance(told, str) and told else ()


def _beside_format(body: Object, placed: Iterable[str]) -> dict[str, Any]:
    """What ``text`` says beside the schema, which the view has a place for."""
    rest = {name: value for name, value in (body.get("text") or {}).items() if name != "format"}
    return {"text": rest} if rest and "text" in placed else {}


def _is_system(item: Object) -> bool:
    return item.get("type", "message") == "message" and item.get("role") in SYSTEM_ROLES


def _texts(item: Object) -> Iterator[str]:
    return (part["text"] for part in parts_of(item.get("content")) if isinstance(part.get("text"), str))


# --- items --------------------------------------------------------------------------------------------------------


def _turn(item: Object) -> Turn:
    read = _ITEMS.get(str(item.get("type") or "message"))
    return read(item) if read else Turn("assistant", ())


def _message(item: Object) -> Turn:
    return Turn(str(item.get("role")), tuple(_content(item.get("content"))))


def _content(content: Any) -> Iterator[Part]:
    for part in parts_of(content):
        read = _PARTS.get(str(part.get("type")))
        if read:
            yield read(part)


def _call(item: Object) -> Turn:
    call = CallPart(str(item.get("call_id") or ""), str(item.get("name") or ""), _input(item.get("arguments")))
    return Turn("assistant", (call,))


def _input(arguments: Any) -> Json:
    try:
        value: Json = json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        return str(arguments)
    return value


def _result(item: Object) -> Turn:
    parts = tuple(_content(item.get("output")))
    texts = tuple(part.text for part in parts if isinstance(part, TextPart))
    media = tuple(part for part in parts if isinstance(part, MediaPart))
    return Turn("tool", (ResultPart(str(item.get("call_id") or ""), texts, media),))


def _reasoning(item: Object) -> Turn:
    told = [*(item.get("summary") or ()), *(item.get("content") or ())]
    texts = [str(part.get("text", "")) for part in told if isinstance(part, dict)]
    return Turn("assistant", (ReasoningPart("".join(texts) or None, item.get("encrypted_content")),))


_ITEMS: Mapping[str, Callable[[Object], Turn]] = {
    "message": _message,
    "function_call": _call,
    "function_call_output": _result,
    "reasoning": _reasoning,
}


# --- parts --------------------------------------------------------------------------------------------------------


def _media(kind: str, url: str, name: str | None = None) -> MediaPart:
    read = data_url(url)
    if read is None:
        return MediaPart(kind, None, None, name, url)
    return MediaPart(kind, FORMATS.get(read[0]), read[1], name)


def _image(part: Object) -> Part:
    url = part.get("image_url")
    return _media("image", str(url if url is not None else part.get("file_id")))


def _file(part: Object) -> Part:
    data = part.get("file_data")
    url = data if data is not None else part.get("file_url") or part.get("file_id")
    return _media("document", str(url), part.get("filename"))


def _audio(part: Object) -> Part:
    audio = part.get("input_audio") or {}
    read = data_url(f"data:audio/x;base64,{audio.get('data', '')}")
    return MediaPart("audio", audio.get("format"), read[1] if read else None)


_PARTS: Mapping[str, Callable[[Object], Part]] = {
    "input_text": lambda part: TextPart(str(part.get("text", ""))),
    "output_text": lambda part: TextPart(str(part.get("text", ""))),
    "refusal": lambda part: TextPart(str(part.get("refusal", ""))),
    "input_image": _image,
    "input_file": _file,
    "input_audio": _audio,
}


# --- tools, choice, schema ----------------------------------------------------------------------------------------


def _tool(tool: Object) -> ToolView:
    return ToolView(str(tool.get("name", "")), tool.get("description"), tool.get("parameters"), tool.get("strict"))


_CHOICES: Mapping[str, str] = {"auto": "auto", "required": "any", "none": "none"}


def _tool_choice(choice: Any) -> str | None:
    if isinstance(choice, dict):
        return f"tool:{choice.get('name') or choice.get('type')}"
    return _CHOICES.get(choice, choice) if isinstance(choice, str) else None


def _response_schema(body: Object) -> Json:
    wanted = (body.get("text") or {}).get("format")
    if not isinstance(wanted, dict) or wanted.get("type") != "json_schema":
        return None
    schema: Json = wanted.get("schema")
    return schema


def _cache_points(items: Iterable[Object]) -> Iterator[str]:
    """Paths of markers in content parts: OpenAI's own, and the one that OpenRouter passes on to Anthropic."""
    for at, item in enumerate(items):
        for number, part in enumerate(parts_of(item.get("content"))):
            yield from (f"input[{at}].content[{number}].{name}" for name in _MARKERS if name in part)


_MARKERS = ("prompt_cache_breakpoint", "cache_control")
