"""Why the Llama API would refuse a request: what its schema says of messages, tools and the answer's form.

Nothing is known of what it says to unknown fields or to calls without results, so this check says nothing either.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from harness.dialects.base import DecodeError, RequestFault, RequestFaultKind, WireRequest
from harness.dialects.llama_api.messages import message_faults
from harness.dialects.openai_chat.judge.kinds import form, kind
from harness.dialects.openai_chat.requests import body_object

Object = Mapping[str, Any]

_SCHEMA: Final = "doc: Llama API reference, create chat completion: {}"
_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}\Z")

#: the request's fields and their JSON types; ``number`` takes an integer too
TYPES: Final[Mapping[str, str]] = {
    "messages": "array",
    "model": "string",
    "max_completion_tokens": "integer",
    "repetition_penalty": "number",
    "response_format": "object",
    "stream": "boolean",
    "temperature": "number",
    "tools": "array",
    "top_k": "integer",
    "top_p": "number",
    "user": "string",
}
REQUIRED: Final = ("messages", "model")
CHOICES: Final = frozenset({"none", "auto", "required"})


def check_request(request: WireRequest) -> list[RequestFault]:
    """Faults of a request; none when the service would accept it."""
    try:
        body = body_object(request.body)
    except DecodeError as fault:
        return [form("", str(fault), _SCHEMA.format("the body is JSON"))]
    return [*_fields(body), *_all_messages(body), *_tools(body), *_choice(body), *_response_format(body)]


def _fields(body: Object) -> Iterator[RequestFault]:
    for name in REQUIRED:
        if not body.get(name):
            yield form(name, repr(body.get(name)), _SCHEMA.format(f"{name} is required"))
    for name, wanted in TYPES.items():
        met = kind(body.get(name))
        if name in body and met != wanted and (met, wanted) != ("integer", "number"):
            yield form(name, f"{wanted} expected, {met} met", _SCHEMA.format(f"{name} is of type {wanted}"))


def _all_messages(body: Object) -> Iterator[RequestFault]:
    messages = body.get("messages")
    for at, message in enumerate(messages if isinstance(messages, list) else ()):
        yield from message_faults(message if isinstance(message, dict) else {}, f"messages[{at}]")


# --- tools --------------------------------------------------------------------------------------------------------


def _functions(body: Object) -> list[tuple[Object, Object]]:
    """Each tool with its function; what is no object is an empty one."""
    tools = body.get("tools")
    sound = [_object(tool) for tool in (tools if isinstance(tools, list) else ())]
    return [(tool, _object(tool.get("function"))) for tool in sound]


def _object(value: Any) -> Object:
    return value if isinstance(value, dict) else {}


def _tools(body: Object) -> Iterator[RequestFault]:
    for at, (tool, function) in enumerate(_functions(body)):
        path = f"tools[{at}]"
        if tool.get("type") != "function":
            yield form(f"{path}.type", repr(tool.get("type")), _SCHEMA.format("tools[].type is function"))
        if not _NAME.match(str(function.get("name", ""))):
            rule = _SCHEMA.format("tools[].function.name: a-z, A-Z, 0-9, underscores and dashes, 64 at most")
            name = f"{path}.function.name"
            yield RequestFault(RequestFaultKind.TOOL_NAME, name, repr(function.get("name")), rule)
        if "parameters" in function and not isinstance(function["parameters"], dict):
            rule = _SCHEMA.format("tools[].function.parameters is an object")
            met = kind(function["parameters"])
            yield RequestFault(RequestFaultKind.SCHEMA, f"{path}.function.parameters", met, rule)


def _choice(body: Object) -> Iterator[RequestFault]:
    choice = body.get("tool_choice")
    if isinstance(choice, dict):
        named = _object(choice.get("function")).get("name")
        if choice.get("type") != "function" or named not in [function.get("name") for _, function in _functions(body)]:
            yield _chosen("tool_choice.function.name", repr(named), "tool_choice names a function among tools")
    elif "tool_choice" in body and choice not in CHOICES:
        yield _chosen("tool_choice", repr(choice), "tool_choice is none, auto, required or a function")


def _chosen(path: str, what: str, rule: str) -> RequestFault:
    return RequestFault(RequestFaultKind.TOOL_CHOICE, path, what, _SCHEMA.format(rule))


def _response_format(body: Object) -> Iterator[RequestFault]:
    wanted = body.get("response_format")
    if not isinstance(wanted, dict) or wanted.get("type") == "text":
        return
    if wanted.get("type") != "json_schema":
        rule = _SCHEMA.format("response_format.type is text or json_schema")
        yield form("response_format.type", repr(wanted.get("type")), rule)
        return
    inner = wanted.get("json_schema")
    for name, wanted_type in (("name", str), ("schema", dict)):
        if not isinstance(inner, dict) or not isinstance(inner.get(name), wanted_type):
            rule = _SCHEMA.format(f"response_format.json_schema.{name} is required")
            yield RequestFault(RequestFaultKind.SCHEMA, f"response_format.json_schema.{name}", "absent", rule)
