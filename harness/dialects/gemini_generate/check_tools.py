"""Faults of the tools and of the choice among them."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from harness.dialects.base import RequestFault, RequestFaultKind
from harness.dialects.gemini_generate.check_schema import schema_faults, schema_type
from harness.dialects.gemini_generate.messages import items
from harness.dialects.schemas import TARGETS
from harness.dialects.schemas import schema_faults as json_schema_faults

Wire = Mapping[str, Any]

_NAME: Final = (
    "Google 400: Invalid function name. Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or contain "
    "underscores (_), dots (.), colons (:), or dashes (-)"
)
_LENGTH: Final = "FunctionDeclaration reference: name, with a maximum length of 128"
_TWICE: Final = "Google 400: Duplicate function declaration found: {name}"
_ROOT: Final = "Google 400: {name} functionDeclaration `parameters` schema should be of type OBJECT."
_BOTH: Final = "FunctionDeclaration reference: parametersJsonSchema is mutually exclusive with parameters"
_JSON_SCHEMA: Final = "FunctionDeclaration reference: parametersJsonSchema must describe an object"
_CHOICE_ALONE: Final = "Google 400: Function calling config is set without function_declarations."
_CHOICE_NAMES: Final = "FunctionCallingConfig reference: allowedFunctionNames should match FunctionDeclaration.name"
_CHOICE_MODE: Final = "FunctionCallingConfig reference: allowedFunctionNames only when the mode is ANY or VALIDATED"
_MODE: Final = "FunctionCallingConfig reference: Mode"

_is_name: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]*").fullmatch
_LONGEST: Final = 128
_MODES: Final = frozenset({"MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED", "0", "1", "2", "3", "4"})
_RESTRICTING: Final = frozenset({"ANY", "VALIDATED", "2", "4"})


def tool_faults(body: Wire, *, developer: bool) -> Iterator[RequestFault]:
    """Faults of tools and toolConfig."""
    names: list[str] = []
    for place, tool in enumerate(items(body.get("tools"))):
        for at, declared in enumerate(items(tool.get("functionDeclarations"))):
            path = f"tools[{place}].functionDeclarations[{at}]"
            yield from _name(declared.get("name"), f"{path}.name", names)
            yield from _parameters(declared, path, developer)
    choice = (body.get("toolConfig") or {}).get("functionCallingConfig")
    if choice:
        yield from _choice(choice, names)


def _name(name: Any, path: str, names: list[str]) -> Iterator[RequestFault]:
    if not isinstance(name, str) or not _is_name(name):
        yield RequestFault(RequestFaultKind.TOOL_NAME, path, repr(name), _NAME)
    elif len(name) > _LONGEST:
        yield RequestFault(RequestFaultKind.TOOL_NAME, path, f"{len(name)} characters", _LENGTH)
    elif name in names:
        yield RequestFault(RequestFaultKind.TOOL_NAME, path, f"{name!r} again", _TWICE.format(name=name))
    names.append(str(name))


def _parameters(declared: Wire, path: str, developer: bool) -> Iterator[RequestFault]:
    schema, json_schema = declared.get("parameters"), declared.get("parametersJsonSchema")
    if schema is not None and json_schema is not None:
        yield _schema(path, "two schemas of the parameters", _BOTH)
    if schema:
        if schema_type(schema) != "OBJECT":
            evidence = _ROOT.format(name=declared.get("name"))
            yield _schema(f"{path}.parameters.type", repr(schema.get("type")), evidence)
        yield from schema_faults(schema, f"{path}.parameters", developer=developer)
    if json_schema is not None and not _is_object(json_schema):
        yield _schema(f"{path}.parametersJsonSchema", str(json_schema)[:80], _JSON_SCHEMA)
    yield from json_schema_faults(TARGETS["gemini_tools"], json_schema, f"{path}.parametersJsonSchema")


def _is_object(schema: Any) -> bool:
    """Whether a JSON Schema can be one of an object: by its type, or by what it refers to or is made of."""
    return isinstance(schema, dict) and (schema.get("type", "object") == "object")


def _schema(path: str, what: str, evidence: str) -> RequestFault:
    return RequestFault(RequestFaultKind.SCHEMA, path, what, evidence)


def _choice(choice: Wire, names: list[str]) -> Iterator[RequestFault]:
    path = "toolConfig.functionCallingConfig"
    mode, allowed = str(choice.get("mode", "AUTO")).upper(), items(choice.get("allowedFunctionNames"))
    if mode not in _MODES:
        yield _chosen(f"{path}.mode", repr(choice["mode"]), _MODE)
    if not names:
        yield _chosen(path, f"{mode} without functions", _CHOICE_ALONE)
    if allowed and mode not in _RESTRICTING:
        yield _chosen(f"{path}.allowedFunctionNames", f"names in mode {mode}", _CHOICE_MODE)
    for at, name in enumerate(allowed):
        if name not in names:
            yield _chosen(f"{path}.allowedFunctionNames[{at}]", repr(name), _CHOICE_NAMES)


def _chosen(path: str, what: str, evidence: str) -> RequestFault:
    return RequestFault(RequestFaultKind.TOOL_CHOICE, path, what, evidence)
