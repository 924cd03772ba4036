"""Why Mistral would refuse a request: first its form, then what its messages say together.

As with the service, the second part is only reached by requests whose form is right.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from harness.dialects.base import DecodeError, RequestFault, WireRequest
from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.mistral_chat import shapes
from harness.dialects.mistral_chat.history import history_faults, name_faults
from harness.dialects.mistral_chat.media import document_faults, image_faults
from harness.dialects.mistral_chat.rules import Faults, check_object, form_fault
from harness.dialects.openai_chat.requests import body_object
from harness.dialects.schemas import TARGETS, schema_faults

Json = dict[str, Any]

_TAGS: Final = "Input tag {!r} found using {!r} does not match any of the expected tags: {}"


def check_request(request: WireRequest) -> list[RequestFault]:
    """Faults of a request; none when the service would accept it."""
    try:
        body = body_object(request.body)
    except DecodeError as error:
        return [RequestFault(Kind.FORM, "", str(error), "Mistral 422: JSON decode error")]
    return list(_form(dict(body))) or list(_sense(dict(body)))


def _form(body: Json) -> Faults:
    faults = check_object(body, shapes.BODY, "")
    yield from faults or _inside(body)


def _inside(body: Json) -> Faults:
    for at, message in enumerate(body["messages"]):
        yield from _message(message, f"messages[{at}]")
    for at, tool in enumerate(body.get("tools") or ()):
        yield from _tool(tool, f"tools[{at}]")
    if isinstance(body.get("tool_choice"), dict):
        yield from _nested(body["tool_choice"], shapes.CHOICE, "function", shapes.CHOICE_FUNCTION, "tool_choice")
    if isinstance(body.get("response_format"), dict):
        yield from _response_format(body["response_format"])


def _nested(value: Any, members: Any, inner: str, inner_members: Any, path: str) -> Faults:
    """An object, and the object that stands in it."""
    faults = check_object(value, members, path)
    yield from faults or check_object(value[inner], inner_members, f"{path}.{inner}")


# --- messages -----------------------------------------------------------------------------------------------------


def _message(message: Any, path: str) -> Faults:
    role = message.get("role") if isinstance(message, dict) else None
    members = shapes.MESSAGES.get(role) if isinstance(role, str) else None
    if members is None:
        yield form_fault(f"{path}.role", role, _TAGS.format(role, "role", ", ".join(shapes.MESSAGES)))
        return
    faults = check_object(message, members, path)
    yield from faults or _message_parts(message, path)


def _message_parts(message: Json, path: str) -> Faults:
    content = message.get("content")
    for at, chunk in enumerate(content if isinstance(content, list) else ()):
        yield from _chunk(chunk, f"{path}.content[{at}]")
    for at, call in enumerate(message.get("tool_calls") or ()):
        yield from _nested(call, shapes.CALL, "function", shapes.CALL_FUNCTION, f"{path}.tool_calls[{at}]")


def _chunk(chunk: Any, path: str) -> Faults:
    tag = chunk.get("type", "text") if isinstance(chunk, dict) else None
    members = shapes.CHUNKS.get(tag) if isinstance(tag, str) else None
    if members is None:
        yield form_fault(f"{path}.type", tag, _TAGS.format(tag, "type", ", ".join(shapes.CHUNKS)))
        return
    faults = check_object(chunk, members, path)
    yield from faults or _CHUNKS.get(str(tag), _nothing)(chunk, path)


def _image(chunk: Json, path: str) -> Faults:
    image = chunk["image_url"]
    faults = check_object(image, shapes.IMAGE_URL, f"{path}.image_url") if isinstance(image, dict) else []
    if faults:
        yield from faults
    elif isinstance(image, dict):
        yield from image_faults(image["url"], f"{path}.image_url.url")
    else:
        yield from image_faults(image, f"{path}.image_url")


def _thinking(chunk: Json, path: str) -> Faults:
    for at, inner in enumerate(chunk["thinking"]):
        yield from _chunk(inner, f"{path}.thinking[{at}]")


def _nothing(chunk: Json, path: str) -> Faults:
    return iter(())


_CHUNKS: Final[Mapping[str, Callable[[Json, str], Faults]]] = {
    "image_url": _image,
    "document_url": document_faults,
    "thinking": _thinking,
}


# --- tools --------------------------------------------------------------------------------------------------------


def _tool(tool: Any, path: str) -> Faults:
    if isinstance(tool, dict) and tool.get("type", "function") != "function":
        return  # one that the service runs itself
    yield from _nested(tool, shapes.TOOL, "function", shapes.FUNCTION, path)


def _response_format(wanted: Json) -> Faults:
    path = "response_format.json_schema"
    faults = check_object(wanted, shapes.RESPONSE_FORMAT, "response_format")
    yield from faults
    if not faults and wanted.get("type") == "json_schema":
        malformed = check_object(wanted.get("json_schema"), shapes.JSON_SCHEMA, path, Kind.SCHEMA)
        yield from malformed or schema_faults(TARGETS["mistral"], wanted["json_schema"]["schema"], f"{path}.schema")


# --- sense --------------------------------------------------------------------------------------------------------


def _sense(body: Json) -> Faults:
    yield from history_faults(body["messages"])
    for at, tool in enumerate(body.get("tools") or ()):
        if "function" in tool:
            yield from name_faults(tool["function"]["name"], f"tools[{at}].function.name")
