"""Tools, the choice among them, and the schema asked of the answer."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from harness.dialects.base import RequestFault, RequestFaultKind
from harness.dialects.openai_chat.judge.kinds import form, invalid_type, missing, unknown_keys
from harness.dialects.openai_chat.judge.messages import NAME_PATTERN
from harness.dialects.schemas import TARGETS, schema_faults

_NAME = "OpenAI 400: string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
_NAME_TWICE = "agent-framework#1876: 400, tool names must be unique"
_ROOT = (
    "OpenAI 400: Invalid schema for function '{name}': schema must be a JSON Schema of 'type: \"object\"', got 'type: "
    '"{met}"\'.'
)
#: OpenAI itself has let it pass since 2025
_NO_TOOLS = "vllm#39780, earendil-works-pi#3650: vLLM and DashScope answer 400 to tools: []"
_CHOICE_ALONE = "OpenAI 400: Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified."
_CHOICE_UNKNOWN = "OpenAI 400: Tool choice '{name}' not found in 'tools' parameter."
_CHOICE_VALUES = "OpenAI 400: Invalid value: '{value}'. Supported values are: 'none', 'auto', and 'required'."
_PARALLEL_ALONE = (
    "OpenAI 400: Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are "
    "specified."
)
_FORMATS = "OpenAI 400: Invalid value: '{value}'. Supported values are: 'json_object', 'json_schema', and 'text'."
_JSON_WORD = (
    "OpenAI 400: 'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
)

_TOOL_KEYS = frozenset({"type", "function", "cache_control"})
_FUNCTION_KEYS = frozenset({"name", "description", "parameters", "strict", "cache_control"})
_SCHEMA_KEYS = frozenset({"name", "description", "schema", "strict"})
_CHOICES = frozenset({"none", "auto", "required"})


def tool_faults(body: Mapping[str, Any]) -> Iterator[RequestFault]:
    """Faults of tools, tool_choice, parallel_tool_calls and response_format."""
    tools = body.get("tools")
    if tools == []:
        yield RequestFault(RequestFaultKind.NO_TOOLS, "tools", "an empty array", _NO_TOOLS)
    names: list[str] = []
    for at, tool in enumerate(tools if isinstance(tools, list) else ()):
        yield from _tool(tool, f"tools[{at}]", names)
    yield from _choice(body.get("tool_choice"), names, bool(tools))
    if body.get("parallel_tool_calls") is not None and not tools:
        yield form("parallel_tool_calls", "without tools", _PARALLEL_ALONE)
    if isinstance(body.get("response_format"), dict):
        yield from _response_format(body["response_format"], body)


def _tool(tool: Any, path: str, names: list[str]) -> Iterator[RequestFault]:
    if not isinstance(tool, dict):
        yield invalid_type(path, "an object", tool)
        return
    if "type" not in tool:
        yield missing(f"{path}.type")
    if tool.get("type") != "function":
        return  # custom tools, and those that a vendor runs itself
    yield from unknown_keys(path, tool, _TOOL_KEYS)
    function = tool.get("function")
    if not isinstance(function, dict):
        yield missing(f"{path}.function")
    else:
        yield from unknown_keys(f"{path}.function", function, _FUNCTION_KEYS)
        yield from _function(function, f"{path}.function", names)


def _function(function: dict[str, Any], path: str, names: list[str]) -> Iterator[RequestFault]:
    name = function.get("name")
    if not isinstance(name, str) or not NAME_PATTERN.match(name):
        yield RequestFault(RequestFaultKind.TOOL_NAME, f"{path}.name", repr(name), _NAME)
    elif name in names:
        yield RequestFault(RequestFaultKind.TOOL_NAME, f"{path}.name", f"{name!r} again", _NAME_TWICE)
    names.append(str(name))
    if function.get("description") is not None and not isinstance(function["description"], str):
        yield invalid_type(f"{path}.description", "a string", function["description"])
    if function.get("parameters") is not None:
        yield from _parameters(function, f"{path}.parameters")


def _parameters(function: dict[str, Any], path: str) -> Iterator[RequestFault]:
    schema, name = function["parameters"], function.get("name")
    if not isinstance(schema, dict):
        yield invalid_type(path, "an object", schema)
    elif schema and schema.get("type") != "object":
        evidence = _ROOT.format(name=name, met=schema.get("type"))
        yield RequestFault(RequestFaultKind.SCHEMA, f"{path}.type", repr(schema.get("type")), evidence)
    elif function.get("strict") is True:
        yield from schema_faults(TARGETS["openai"], schema, path, f"function '{name}'")


# --- tool_choice --------------------------------------------------------------------------------------------------


def _choice(choice: Any, names: list[str], has_tools: bool) -> Iterator[RequestFault]:
    if choice is None:
        return
    if not has_tools:
        yield _chosen("tool_choice", f"{choice!r} without tools", _CHOICE_ALONE)
    elif isinstance(choice, str) and choice not in _CHOICES:
        yield _chosen("tool_choice", repr(choice), _CHOICE_VALUES.format(value=choice))
    elif isinstance(choice, dict) and choice.get("type", "function") == "function":
        yield from _named(choice, names)


def _named(choice: dict[str, Any], names: list[str]) -> Iterator[RequestFault]:
    function = choice.get("function")
    name = function.get("name") if isinstance(function, dict) else None
    if "type" not in choice:
        yield missing("tool_choice.type")
    if name is None:
        yield _chosen("tool_choice.function", "names no tool", missing("tool_choice.function.name").evidence)
    elif name not in names:
        yield _chosen("tool_choice.function.name", repr(name), _CHOICE_UNKNOWN.format(name=name))


def _chosen(path: str, what: str, evidence: str) -> RequestFault:
    return RequestFault(RequestFaultKind.TOOL_CHOICE, path, what, evidence)


# --- response_format ----------------------------------------------------------------------------------------------


def _response_format(wanted: dict[str, Any], body: Mapping[str, Any]) -> Iterator[RequestFault]:
    name = wanted.get("type")
    if name is None:
        yield missing("response_format.type")
    elif name not in _RESPONSE_FORMATS:
        yield form("response_format.type", repr(name), _FORMATS.format(value=name))
    else:
        yield from _RESPONSE_FORMATS[name](wanted, body)


def _any_text(wanted: dict[str, Any], body: Mapping[str, Any]) -> Iterator[RequestFault]:
    return iter(())


def _json_object(wanted: dict[str, Any], body: Mapping[str, Any]) -> Iterator[RequestFault]:
    if "json" not in str(body.get("messages")).lower():
        yield form("messages", "without the word JSON", _JSON_WORD)


def _json_schema(wanted: dict[str, Any], body: Mapping[str, Any]) -> Iterator[RequestFault]:
    path, inner = "response_format.json_schema", wanted.get("json_schema")
    if not isinstance(inner, dict):
        yield missing(path)
        return
    yield from unknown_keys(path, inner, _SCHEMA_KEYS)
    name = inner.get("name")
    if not isinstance(name, str) or not NAME_PATTERN.match(name):
        yield RequestFault(RequestFaultKind.SCHEMA, f"{path}.name", repr(name), missing(f"{path}.name").evidence)
    if not isinstance(inner.get("schema"), dict):
        yield missing(f"{path}.schema")
    elif inner.get("strict") is True:
        yield from schema_faults(TARGETS["openai"], inner["schema"], f"{path}.schema", f"response_format '{name}'")


_RESPONSE_FORMATS: Mapping[str, Callable[[dict[str, Any], Mapping[str, Any]], Iterator[RequestFault]]] = {
    "text": _any_text,
    "json_object": _json_object,
    "json_schema": _json_schema,
}
