"""Why the Llama API would refuse a message."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from harness.dialects.base import RequestFault, RequestFaultKind
from harness.dialects.openai_chat.judge.kinds import form, kind

Object = Mapping[str, Any]

_SCHEMA: Final = "doc: Llama API reference, message: {}"

#: the roles, and the items that the content of each may hold
ITEMS: Final[Mapping[str, frozenset[str]]] = {
    "user": frozenset({"text", "image_url"}),
    "system": frozenset({"text"}),
    "tool": frozenset({"text"}),
    "assistant": frozenset({"text"}),
}
#: kinds of media in other protocols, for which there is no item here
_MEDIA: Final = frozenset({"image_url", "file", "input_audio", "video_url", "document", "image"})


def message_faults(message: Object, path: str) -> Iterator[RequestFault]:
    """Faults of one message."""
    role = str(message.get("role"))
    if role not in ITEMS:
        yield form(f"{path}.role", role, _SCHEMA.format("role is user, system, tool or assistant"))
        return
    yield from _content(role, message.get("content"), f"{path}.content")
    if role == "tool" and not isinstance(message.get("tool_call_id"), str):
        yield form(f"{path}.tool_call_id", "absent", _SCHEMA.format("tool_call_id is required"))
    for at, call in enumerate(message.get("tool_calls") or ()):
        yield from _call(call if isinstance(call, dict) else {}, f"{path}.tool_calls[{at}]")


def _content(role: str, content: Any, path: str) -> Iterator[RequestFault]:
    if isinstance(content, str) or (content is None and role == "assistant"):
        return
    if role == "assistant" and isinstance(content, dict):
        yield from _item(role, content, path)
    elif role != "assistant" and isinstance(content, list):
        for at, item in enumerate(content):
            yield from _item(role, item if isinstance(item, dict) else {}, f"{path}[{at}]")
    else:
        yield form(path, kind(content), _SCHEMA.format(_WANTED.get(role, "content is a string or a list of items")))


_WANTED: Final = {"assistant": "an assistant's content is a string or one text item, without a list"}


def _item(role: str, item: Object, path: str) -> Iterator[RequestFault]:
    name = item.get("type")
    if name not in ITEMS[role]:
        found = RequestFaultKind.MEDIA if name in _MEDIA else RequestFaultKind.FORM
        what = f"an item of type {name!r}"
        yield RequestFault(found, f"{path}.type", what, _SCHEMA.format(f"{role}: {sorted(ITEMS[role])}"))
    else:
        yield from _ITEMS[name](item, path)


def _text(item: Object, path: str) -> Iterator[RequestFault]:
    if not isinstance(item.get("text"), str):
        yield form(f"{path}.text", kind(item.get("text")), _SCHEMA.format("text is a string"))


def _image(item: Object, path: str) -> Iterator[RequestFault]:
    image = item.get("image_url")
    url = image.get("url") if isinstance(image, dict) else None
    if not isinstance(url, str):
        yield form(f"{path}.image_url.url", repr(image), _SCHEMA.format("image_url.url is a string"))
    elif not url.startswith(("http://", "https://", "data:image/")):
        rule = _SCHEMA.format("image_url.url is a URL of the image, or a data URL")
        yield RequestFault(RequestFaultKind.MEDIA, f"{path}.image_url.url", repr(url[:40]), rule)


_ITEMS: Final[Mapping[str, Callable[[Object, str], Iterator[RequestFault]]]] = {"text": _text, "image_url": _image}


def _call(call: Object, path: str) -> Iterator[RequestFault]:
    function = call.get("function")
    if not isinstance(call.get("id"), str) or not call["id"]:
        rule = _SCHEMA.format("tool_calls[].id is required")
        yield RequestFault(RequestFaultKind.TOOL_ID, f"{path}.id", repr(call.get("id")), rule)
    for name in ("name", "arguments"):
        value = function.get(name) if isinstance(function, dict) else None
        if not isinstance(value, str):
            rule = _SCHEMA.format(f"tool_calls[].function.{name} is a string")
            yield form(f"{path}.function.{name}", kind(value), rule)
