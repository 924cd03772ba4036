"""JSON schemas in the closed form that strict structured output asks for.

Rules (OpenAI, Structured Outputs, "Supported schemas"): every object lists all its properties as required and allows no
others; a reference stands alone; few keywords are known. A keyword that only narrows is dropped, as the answer is
validated afterwards; a schema with an open part cannot be told and is then sent without ``strict``.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

Schema = dict[str, Any]

_KEPT: Final = frozenset(
    {
        "$ref",
        "const",
        "description",
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "maximum",
        "maxItems",
        "minimum",
        "minItems",
        "multipleOf",
        "title",
        "type",
    }
)
_FORMATS: Final = frozenset({"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"})
_KEPT_IF: Final[Mapping[str, Callable[[str], bool]]] = {
    "format": lambda value: value in _FORMATS,
    "pattern": lambda value: "(?" not in value,
}
#: keywords that say what a value may be rather than narrow it, and have no strict form
_STRUCTURAL: Final = frozenset(
    {
        "$dynamicRef",
        "allOf",
        "dependentSchemas",
        "else",
        "if",
        "not",
        "patternProperties",
        "prefixItems",
        "propertyNames",
        "then",
    }
)
_TELLS: Final = frozenset({"$ref", "anyOf", "const", "enum", "type"})
_CHOICES: Final = ("anyOf", "oneOf")
_DEFINITIONS: Final = ("$defs", "definitions")


class _OpenSchemaError(Exception):
    """A part of the schema has no strict form."""


def strict_schema(schema: Mapping[str, Any]) -> Schema | None:
    """A strict form of an object schema, in which no property may be left out; None if there is none."""
    try:
        return _root(schema)
    except _OpenSchemaError:
        return None


def _root(schema: Mapping[str, Any]) -> Schema:
    """The root must be the object itself, so that a reference there is followed."""
    definitions = {key: schema[key] for key in _DEFINITIONS if key in schema}
    path = str(schema.get("$ref", "#")).split("/")[1:]
    target: Any = schema
    for key in path:
        target = target.get(key, {})
    root = _node(target)
    if "properties" not in root:
        raise _OpenSchemaError
    closed = {key: {name: _node(part) for name, part in parts.items()} for key, parts in definitions.items()}
    return {**root, **closed}


def _node(schema: Any) -> Schema:
    if not isinstance(schema, Mapping) or not _STRUCTURAL.isdisjoint(schema):
        raise _OpenSchemaError
    node = {key: value for key, value in schema.items() if _keeps(key, value)}
    for key in _CHOICES:
        if key in schema:
            node["anyOf"] = [_node(part) for part in schema[key]]
    node |= _object(schema) | _array(schema)
    if _TELLS.isdisjoint(node):
        raise _OpenSchemaError
    return _alone(node)


def _keeps(key: str, value: Any) -> bool:
    return key in _KEPT or (key in _KEPT_IF and _KEPT_IF[key](value))


def _has_type(schema: Mapping[str, Any], name: str) -> bool:
    kind = schema.get("type")
    return kind == name or (isinstance(kind, list) and name in kind)


def _object(schema: Mapping[str, Any]) -> Schema:
    if not _has_type(schema, "object") and "properties" not in schema:
        return {}
    if "properties" not in schema or schema.get("additionalProperties", False) is not False:
        raise _OpenSchemaError
    properties = {name: _node(part) for name, part in schema["properties"].items()}
    kind = schema.get("type", "object")
    return {"type": kind, "properties": properties, "required": list(properties), "additionalProperties": False}


def _array(schema: Mapping[str, Any]) -> Schema:
    if not _has_type(schema, "array") and "items" not in schema:
        return {}
    return {"items": _node(schema.get("items"))}


def _alone(node: Schema) -> Schema:
    """A reference with neighbours moves into a choice of one, beside which they may stand."""
    if "$ref" not in node or len(node) == 1:
        return node
    reference = {"$ref": node.pop("$ref")}
    return {**node, "anyOf": [reference]}
