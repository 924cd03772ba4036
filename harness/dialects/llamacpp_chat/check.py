"""Why llama.cpp's server would refuse a request.

It refuses little: unknown fields, names, ids and the pairing of calls and results are all the same to it, so they are
to this check. Each rule was met in the server itself (:data:`.styles.RUN`), and cites its words.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from harness.dialects.base import DecodeError, RequestFault, RequestFaultKind, WireRequest
from harness.dialects.llamacpp_chat.content import content_faults
from harness.dialects.openai_chat.judge.kinds import form, kind
from harness.dialects.openai_chat.requests import body_object
from harness.dialects.schemas import TARGETS, schema_faults

Object = Mapping[str, Any]

_NOT_JSON: Final = "llama.cpp 400: [json.exception.parse_error.101] parse error"
_WRONG_TYPE: Final = "llama.cpp 400: Field '{}': [json.exception.type_error.302] type must be {}, but is {}"
_NO_MESSAGES: Final = "llama.cpp 400: 'messages' is required"
_NO_ARRAY: Final = "llama.cpp 400: Expected 'messages' to be an array"
_NO_ROLE: Final = "llama.cpp 500: Failed to parse messages: Missing 'role' in message"
_CALL: Final = "llama.cpp 500: Failed to parse messages: Missing tool call {}"
_CALL_TYPE: Final = "llama.cpp 500: Failed to parse messages: Unsupported tool call type"
_ARGUMENTS: Final = "llama.cpp 500: Failed to parse tool call arguments as JSON"
_GOES_ON: Final = "llama.cpp 400: Cannot continue an assistant message that contains tool calls."
_TWO_LAST: Final = "llama.cpp 400: Cannot have 2 or more assistant messages at the end of the list."
_SYSTEM_FIRST: Final = "llama.cpp 500: Jinja Exception: System message must be at the beginning (e150)"
_TOOL: Final = "llama.cpp 500: Failed to parse tools: Missing tool {}"
_TOOL_TYPE: Final = "llama.cpp 500: Failed to parse tools: Unsupported tool type"
_TOOLS: Final = "llama.cpp 500: Failed to parse tools: Expected 'tools' to be an array"
_SCHEMA: Final = "llama.cpp 400: JSON schema error at #: schema must be an object"
_CHOICE: Final = "llama.cpp 400: Invalid tool_choice: {}"
_FORMAT: Final = 'llama.cpp 400: response_format type must be one of "text" or "json_object"'
_BOTH: Final = "llama.cpp 500: Cannot use both json_schema and grammar"
_GRAMMAR_AND_TOOLS: Final = "llama.cpp 400: Cannot use custom grammar constraints with tools."

#: Fields that the server reads with a fixed JSON type; null is as good as absent.
TYPES: Final[Mapping[str, str]] = {
    "stream": "boolean",
    **dict.fromkeys(("max_tokens", "temperature", "top_p", "seed"), "number"),
}
_NUMBERS: Final = frozenset({"number", "integer", "boolean"})
_CHOICES: Final = frozenset({"auto", "none", "required"})
_FORMATS: Final = frozenset({"text", "json_object", "json_schema"})


def check_request(request: WireRequest) -> list[RequestFault]:
    """Faults of a request; none when the server would accept it."""
    try:
        body = body_object(request.body)
    except DecodeError as fault:
        return [form("", str(fault), _NOT_JSON)]
    return [*_parameters(body), *_messages(body), *_tools(body), *_constraints(body)]


def _parameters(body: Object) -> Iterator[RequestFault]:
    for name, wanted in TYPES.items():
        met = kind(body.get(name))
        if met != "null" and met != wanted and not (wanted == "number" and met in _NUMBERS):
            yield form(name, f"{wanted} expected, {met} met", _WRONG_TYPE.format(name, wanted, met))


# --- messages -----------------------------------------------------------------------------------------------------


def _messages(body: Object) -> Iterator[RequestFault]:
    messages = body.get("messages")
    if not isinstance(messages, list):
        yield form("messages", kind(messages), _NO_ARRAY if "messages" in body else _NO_MESSAGES)
        return
    sound = [message if isinstance(message, dict) else {} for message in messages]
    for at, message in enumerate(sound):
        yield from _message(message, f"messages[{at}]")
    yield from _order(sound)


def _message(message: Object, path: str) -> Iterator[RequestFault]:
    if not isinstance(message.get("role"), str):
        yield form(f"{path}.role", repr(message.get("role")), _NO_ROLE)
    yield from content_faults(message, path)
    for at, call in enumerate(message.get("tool_calls") or ()):
        yield from _call(call if isinstance(call, dict) else {}, f"{path}.tool_calls[{at}]")


def _call(call: Object, path: str) -> Iterator[RequestFault]:
    function = call.get("function")
    if call.get("type") != "function":
        evidence = _CALL_TYPE if "type" in call else _CALL.format("type")
        yield form(f"{path}.type", repr(call.get("type")), evidence)
    if not isinstance(function, dict):
        yield form(f"{path}.function", repr(function), _CALL.format("function"))
        return
    if not isinstance(function.get("name"), str):
        yield form(f"{path}.function.name", repr(function.get("name")), _CALL.format("name"))
    if not _parses(function.get("arguments")):
        yield form(f"{path}.function.arguments", repr(function.get("arguments")), _ARGUMENTS)


def _parses(arguments: Any) -> bool:
    """Whether arguments are the text of JSON, which an empty text is not, or an object as it is."""
    try:
        return isinstance(arguments, dict) or json.loads(arguments) is not None
    except (ValueError, TypeError):
        return False


def _order(messages: list[dict[str, Any]]) -> Iterator[RequestFault]:
    at, last = len(messages) - 1, messages[-1] if messages else {}
    if last.get("role") == "assistant" and last.get("tool_calls"):
        path = f"messages[{at}].tool_calls[0]"
        yield RequestFault(RequestFaultKind.PAIRING, path, "no result for any call", _GOES_ON)
    if [message.get("role") for message in messages[-2:]] == ["assistant", "assistant"]:
        yield RequestFault(RequestFaultKind.ROLES, f"messages[{at}].role", "assistant twice", _TWO_LAST)
    spoken = False
    for place, message in enumerate(messages):
        if message.get("role") == "system" and spoken:
            path = f"messages[{place}].role"
            yield RequestFault(RequestFaultKind.ROLES, path, "system after others", _SYSTEM_FIRST)
        spoken = spoken or message.get("role") != "system"


# --- tools and what constrains the answer -------------------------------------------------------------------------


def _tools(body: Object) -> Iterator[RequestFault]:
    tools = body.get("tools")
    if tools is not None and not isinstance(tools, list):
        yield form("tools", kind(tools), _TOOLS)
    for at, tool in enumerate(tools if isinstance(tools, list) else ()):
        yield from _tool(tool if isinstance(tool, dict) else {}, f"tools[{at}]")
    choice = body.get("tool_choice")
    if isinstance(choice, str) and choice not in _CHOICES:
        yield RequestFault(RequestFaultKind.TOOL_CHOICE, "tool_choice", repr(choice), _CHOICE.format(choice))


def _tool(tool: Object, path: str) -> Iterator[RequestFault]:
    function = tool.get("function")
    if tool.get("type") != "function":
        yield form(f"{path}.type", repr(tool.get("type")), _TOOL_TYPE if "type" in tool else _TOOL.format("type"))
    elif not isinstance(function, dict):
        yield form(f"{path}.function", repr(function), _TOOL.format("function"))
    else:
        yield from _function(function, f"{path}.function")


def _function(function: Object, path: str) -> Iterator[RequestFault]:
    if not isinstance(function.get("name"), str):
        name = repr(function.get("name"))
        yield RequestFault(RequestFaultKind.TOOL_NAME, f"{path}.name", name, _TOOL.format("name"))
    schema = function.get("parameters")
    if schema is not None and not isinstance(schema, dict):
        yield RequestFault(RequestFaultKind.SCHEMA, f"{path}.parameters", kind(schema), _SCHEMA)
    yield from schema_faults(TARGETS["any_grammar"], schema, f"{path}.parameters")


def _constraints(body: Object) -> Iterator[RequestFault]:
    wanted = body.get("response_format")
    named = wanted.get("type") if isinstance(wanted, dict) else None
    if named is not None and named not in _FORMATS:
        yield form("response_format.type", repr(named), _FORMAT)
    yield from schema_faults(TARGETS["any_grammar"], body.get("json_schema"), "json_schema")
    inner = wanted.get("json_schema") if isinstance(wanted, dict) else None
    asked = inner.get("schema") if isinstance(inner, dict) else None
    yield from schema_faults(TARGETS["any_grammar"], asked, "response_format.json_schema.schema")
    if body.get("grammar"):
        if body.get("json_schema"):
            yield form("grammar", "beside json_schema", _BOTH)
        if body.get("tools"):
            yield form("grammar", "beside tools", _GRAMMAR_AND_TOOLS)
