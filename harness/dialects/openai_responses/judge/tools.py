"""Tools, the choice among them, and the schema asked of the answer."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from harness.dialects.base import RequestFault, RequestFaultKind
from harness.dialects.openai_chat.judge.kinds import form, invalid_type, kind, missing, unknown_keys
from harness.dialects.openai_chat.judge.messages import NAME_PATTERN
from harness.dialects.schemas import TARGETS, schema_faults

_NAME = "OpenAI 400: string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
_NAME_TWICE = "agent-framework#1876: 400, tool names must be unique"
_ROOT = (
    "OpenAI 400: Invalid schema for function '{name}': schema must be a JSON Schema of 'type: \"object\"', got 'type: "
    '"{met}"\'.'
)
_CHOICE_ALONE = "OpenAI 400: Tool choice '{choice}' must be specified with 'tools' parameter."
_CHOICE_UNKNOWN = "OpenAI 400: Tool choice '{name}' not found in 'tools' parameter."
_CHOICE_VALUES = "OpenAI 400: Invalid value: '{value}'. Supported values are: 'none', 'auto', and 'required'."
_FORMATS = "OpenAI 400: Invalid value: '{value}'. Supported values are: 'json_object', 'json_schema', and 'text'."
_JSON_WORD = (
    "OpenAI 400: Response input messages must contain the word 'json' in some form to use 'text.format' of type "
    "'json_object'."
)
_FORMAT_ROOT = (
    "OpenAI 400: Invalid schema for response_format '{name}': schema must be a JSON Schema of 'type: \"object\"', got "
    "'type: \"{met}\"'."
)

#: keys of a function tool; the last one is what OpenRouter passes on to Anthropic
FUNCTION_KEYS = frozenset(
    {
        "allowed_callers",
        "async",
        "defer_loading",
        "description",
        "name",
        "output_schema",
        "parameters",
        "strict",
        "type",
        "cache_control",
    }
)
_FORMAT_KEYS = frozenset({"type", "name", "description", "schema", "strict"})
_TEXT_KEYS = frozenset({"format", "verbosity"})
_CHOICES = frozenset({"none", "auto", "required"})


def tool_faults(body: Mapping[str, Any]) -> Iterator[RequestFault]:
    """Faults of tools, tool_choice and text."""
    tools = body.get("tools")
    names: list[str] = []
    for at, tool in enumerate(tools if isinstance(tools, list) else ()):
        yield from _tool(tool, f"tools[{at}]", names)
    yield from _choice(body.get("tool_choice"), names, bool(tools))
    if isinstance(body.get("text"), dict):
        yield from unknown_keys("text", body["text"], _TEXT_KEYS)
        yield from _format(body["text"].get("format"), body)


def _tool(tool: Any, path: str, names: list[str]) -> Iterator[RequestFault]:
    if not isinstance(tool, dict):
        yield invalid_type(path, "an object", tool)
    elif "type" not in tool:
        yield missing(f"{path}.type")
    elif tool["type"] == "function":  # custom tools, and those that a vendor runs itself, have rules of their own
        yield from _function(tool, path, names)


def _function(tool: dict[str, Any], path: str, names: list[str]) -> Iterator[RequestFault]:
    name = tool.get("name")
    if name is None:
        yield missing(f"{path}.name")
    elif not isinstance(name, str) or not NAME_PATTERN.match(name):
        yield RequestFault(RequestFaultKind.TOOL_NAME, f"{path}.name", repr(name), _NAME)
    elif name in names:
        yield RequestFault(RequestFaultKind.TOOL_NAME, f"{path}.name", f"{name!r} again", _NAME_TWICE)
    names.append(str(name))
    yield from unknown_keys(path, tool, FUNCTION_KEYS)
    if kind(tool.get("description")) not in _STRING_OR_NULL:
        yield invalid_type(f"{path}.description", "a string", tool["description"])
    if kind(tool.get("strict")) not in _BOOLEAN_OR_NULL:
        yield invalid_type(f"{path}.strict", "a boolean", tool["strict"])
    if tool.get("parameters") is not None:
        yield from _parameters(tool, f"{path}.parameters")


_STRING_OR_NULL = frozenset({"string", "null"})
_BOOLEAN_OR_NULL = frozenset({"boolean", "null"})


def _parameters(tool: dict[str, Any], path: str) -> Iterator[RequestFault]:
    schema, name = tool["parameters"], tool.get("name")
    if not isinstance(schema, dict):
        yield invalid_type(path, "an object", schema)
    elif schema and schema.get("type") != "object":
        evidence = _ROOT.format(name=name, met=schema.get("type"))
        yield RequestFault(RequestFaultKind.SCHEMA, f"{path}.type", repr(schema.get("type")), evidence)
    elif tool.get("strict") is True:
        yield from schema_faults(TARGETS["openai"], schema, path, f"function '{name}'")


# --- tool_choice --------------------------------------------------------------------------------------------------


def _choice(choice: Any, names: list[str], has_tools: bool) -> Iterator[RequestFault]:
    if isinstance(choice, str) and choice not in _CHOICES:
        yield _chosen("tool_choice", repr(choice), _CHOICE_VALUES.format(value=choice))
    elif choice not in (None, "none", "auto") and not has_tools:
        told = choice if isinstance(choice, str) else choice.get("type")
        yield _chosen("tool_choice", f"{choice!r} without tools", _CHOICE_ALONE.format(choice=told))
    elif isinstance(choice, dict):
        yield from _CHOOSE.get(str(choice.get("type")), _any_choice)(choice, names)


def _any_choice(choice: dict[str, Any], names: list[str]) -> Iterator[RequestFault]:
    if "type" not in choice:
        yield missing("tool_choice.type")


def _named(choice: dict[str, Any], names: list[str]) -> Iterator[RequestFault]:
    name = choice.get("name")
    if name is None:
        yield _chosen("tool_choice.name", "names no tool", missing("tool_choice.name").evidence)
    elif name not in names:
        yield _chosen("tool_choice.name", repr(name), _CHOICE_UNKNOWN.format(name=name))
    yield from unknown_keys("tool_choice", choice, frozenset({"type", "name"}))


def _allowed(choice: dict[str, Any], names: list[str]) -> Iterator[RequestFault]:
    if choice.get("mode") not in ("auto", "required"):
        yield _chosen("tool_choice.mode", repr(choice.get("mode")), _CHOICE_VALUES.format(value=choice.get("mode")))
    if not isinstance(choice.get("tools"), list):
        yield _chosen("tool_choice.tools", "absent", missing("tool_choice.tools").evidence)


_CHOOSE: Mapping[str, Callable[[dict[str, Any], list[str]], Iterator[RequestFault]]] = {
    "function": _named,
    "allowed_tools": _allowed,
}


def _chosen(path: str, what: str, evidence: str) -> RequestFault:
    return RequestFault(RequestFaultKind.TOOL_CHOICE, path, what, evidence)


# --- text.format --------------------------------------------------------------------------------------------------


def _format(wanted: Any, body: Mapping[str, Any]) -> Iterator[RequestFault]:
    if wanted is None:
        return
    name = wanted.get("type") if isinstance(wanted, dict) else None
    if name is None:
        yield missing("text.format.type")
    elif name not in _RULES:
        yield form("text.format.type", repr(name), _FORMATS.format(value=name))
    else:
        yield from _RULES[name](wanted, body)


def _any_text(wanted: dict[str, Any], body: Mapping[str, Any]) -> Iterator[RequestFault]:
    return iter(())


def _json_object(wanted: dict[str, Any], body: Mapping[str, Any]) -> Iterator[RequestFault]:
    if "json" not in str(body.get("input")).lower() and not body.get("previous_response_id"):
        yield form("input", "without the word JSON", _JSON_WORD)


def _json_schema(wanted: dict[str, Any], body: Mapping[str, Any]) -> Iterator[RequestFault]:
    path = "text.format"
    yield from unknown_keys(path, wanted, _FORMAT_KEYS)
    name, schema = wanted.get("name"), wanted.get("schema")
    if not isinstance(name, str) or not NAME_PATTERN.match(name):
        yield RequestFault(RequestFaultKind.SCHEMA, f"{path}.name", repr(name), missing(f"{path}.name").evidence)
    if not isinstance(schema, dict):
        yield missing(f"{path}.schema")
    elif schema.get("type") != "object":
        evidence = _FORMAT_ROOT.format(name=name, met=schema.get("type"))
        yield RequestFault(RequestFaultKind.SCHEMA, f"{path}.schema.type", repr(schema.get("type")), evidence)
    elif wanted.get("strict") is True:
        yield from schema_faults(TARGETS["openai"], schema, f"{path}.schema", f"response_format '{name}'")


_RULES: Mapping[str, Callable[[dict[str, Any], Mapping[str, Any]], Iterator[RequestFault]]] = {
    "text": _any_text,
    "json_object": _json_object,
    "json_schema": _json_schema,
}
