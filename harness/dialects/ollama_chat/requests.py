"""Read a request: what it says, in no vendor's words."""

import binascii
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
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
from harness.dialects.ollama_chat.images import image_format
from harness.dialects.openai_chat.requests import body_object

Object = Mapping[str, Any]

#: fields of the request that the view has a place of its own for; the others are its ``params``
_PLACED: Final = frozenset({"model", "messages", "stream", "tools"})


def read_request(request: WireRequest) -> RequestView:
    """The view of a request. Raises DecodeError when it is not one of this protocol."""
    path = request.path.partition("?")[0]
    if request.method != "POST" or not path.endswith("/api/chat"):
        raise DecodeError(f"not the path of Ollama's chat: {request.method} {path}")
    body = body_object(request.body)
    messages = body.get("messages")
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise DecodeError("a request without a list of messages")
    pairs = _Pairs()
    schema = body["format"] if isinstance(body.get("format"), dict) else None
    placed = _PLACED | ({"format"} if schema is not None else set())
    return RequestView(
        model=body.get("model"),
        stream=body.get("stream") is not False,
        system=tuple(text for message in messages if _role(message) == "system" for text in _texts(message)),
        turns=tuple(_turn(message, pairs) for message in messages if _role(message) != "system"),
        tools=tuple(_tool(tool) for tool in body.get("tools") or ()),
        response_schema=schema,
        params={name: value for name, value in body.items() if name not in placed},
    )


def _role(message: Object) -> str:
    return str(message.get("role")).lower()  # as the server does


def _texts(message: Object) -> tuple[str, ...]:
    content = message.get("content")
    return (content,) if isinstance(content, str) and content else ()


@dataclass(slots=True)
class _Pairs:
    """Calls beside their results. Ids are optional, and go lost in Ollama's own clients: then name and order tell."""

    waiting: list[CallPart] = field(default_factory=list)
    without_id: int = 0

    def call(self, call: Object) -> CallPart:
        """A call, with an id made up where it has none."""
        function = call.get("function") or {}
        if not call.get("id"):
            self.without_id += 1
        made = CallPart(
            str(call.get("id") or f"#{self.without_id}"), str(function.get("name") or ""), function.get("arguments")
        )
        self.waiting.append(made)
        return made

    def result_id(self, message: Object) -> str:
        """The id of the call that a result is for: by id, else the first of its name, else the first of all."""
        given, name = message.get("tool_call_id"), message.get("tool_name")
        fits = (call for call in self.waiting if (call.id == given if given else name in (None, "", call.name)))
        found = next(fits, None)
        if found is None:
            return str(given or name or "")
        self.waiting.remove(found)
        return found.id


def _turn(message: Object, pairs: _Pairs) -> Turn:
    role = _role(message)
    images = tuple(_image(image) for image in message.get("images") or ())
    if role == "tool":
        return Turn(role, (ResultPart(pairs.result_id(message), _texts(message), images),))
    texts = (TextPart(text) for text in _texts(message))
    calls = (pairs.call(call) for call in message.get("tool_calls") or ())
    return Turn(role, (*_thinking(message), *texts, *images, *calls))


def _thinking(message: Object) -> Iterator[Part]:
    if isinstance(message.get("thinking"), str) and message["thinking"]:
        yield ReasoningPart(message["thinking"])


def _image(image: Any) -> MediaPart:
    try:
        data = b64decode(image, validate=True)
    except (TypeError, binascii.Error, ValueError):
        return MediaPart("image", None, None, uri=str(image)[:80])
    return MediaPart("image", image_format(data), data)


def _tool(tool: Object) -> ToolView:
    function = tool.get("function") or {}
    return ToolView(str(function.get("name") or ""), function.get("description"), function.get("parameters"))
