"""JSON schemas in the closed form that strict tool use asks for.

Rules (Claude documentation, "Structured outputs", JSON Schema limitations): objects are closed, references are local
and do not recur, few keywords are known. A keyword that only narrows moves into the description, where the model can
still read it. A schema with an open part has no strict form.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

Schema = dict[str, Any]

_KEPT: Final = frozenset({"$ref", "const", "default", "description", "enum", "required", "title", "type"})
_FORMATS: Final = frozenset(
    {"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid"}
)
#: groups that look around, references back and word borders
_HARD_PATTERN: Final = re.compile(r"\(\?|\\[bB1-9]")
_KEPT_IF: Final[Mapping[str, Callable[[Any], bool]]] = {
    "format": lambda value: value in _FORMATS,
    "minItems": lambda value: value in (0, 1),
    "pattern": lambda value: _HARD_PATTERN.search(value) is None,
}
_NARROWING: Final = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems"),
)
#: keywords that say what a value may be, and have no strict form
_OPEN: Final = frozenset(
    {
        "$dynamicRef",
        "contains",
        "dependentRequired",
        "dependentSchemas",
        "else",
        "if",
        "not",
        "patternProperties",
        "prefixItems",
        "propertyNames",
        "then",
        "unevaluatedProperties",
    }
)
_TELLS: Final = frozenset({"$ref", "allOf", "anyOf", "const", "enum", "type"})
_CHOICES: Final[Mapping[str, str]] = {"anyOf": "anyOf", "oneOf": "anyOf", "allOf": "allOf"}
_DEFINITIONS: Final = ("$defs", "definitions")


class _OpenSchemaError(Exception):
    """A part of the schema has no strict form."""


def strict_schema(schema: Mapping[str, Any]) -> Schema | None:
    """A strict form of a tool's schema, in new objects; None when there is none."""
    try:
        _refuse_recursion(schema)
        return _node(schema)
    except _OpenSchemaError:
        return None


def _node(schema: Any) -> Schema:
    if not isinstance(schema, Mapping) or not _OPEN.isdisjoint(schema) or _TELLS.isdisjoint(_named(schema)):
        raise _OpenSchemaError
    kept = {key: value for key, value in schema.items() if _keeps(key, value)}
    return {
        **kept,
        **_description(schema),
        **_choices(schema),
        **_object(schema),
        **_array(schema),
        **_named_parts(schema),
    }


def _named(schema: Mapping[str, Any]) -> Iterator[str]:
    return (_CHOICES.get(key, key) for key in schema)


def _keeps(key: str, value: Any) -> bool:
    return key in _KEPT or (key in _KEPT_IF and _KEPT_IF[key](value))


def _description(schema: Mapping[str, Any]) -> Schema:
    """The description, with the limits that have no strict form."""
    limits = [f"{key}: {schema[key]}" for key in _NARROWING if key in schema and not _keeps(key, schema[key])]
    if not limits:
        return {}
    return {"description": f"{schema.get('description', '')} ({', '.join(limits)})".lstrip()}


def _choices(schema: Mapping[str, Any]) -> Schema:
    if any("$ref" in part for part in schema.get("allOf", ())):
        raise _OpenSchemaError
    return {to: [_node(part) for part in schema[key]] for key, to in _CHOICES.items() if key in schema}


def _has_type(schema: Mapping[str, Any], name: str) -> bool:
    kind = schema.get("type")
    return kind == name or (isinstance(kind, list) and name in kind)


def _object(schema: Mapping[str, Any]) -> Schema:
    """The closed object. A map, which takes any property, is open."""
    if not _has_type(schema, "object"):
        return {}
    if schema.get("additionalProperties", "properties" not in schema) not in (False, None):
        raise _OpenSchemaError
    properties = {name: _node(part) for name, part in schema.get("properties", {}).items()}
    return {"properties": properties, "additionalProperties": False}


def _array(schema: Mapping[str, Any]) -> Schema:
    return {"items": _node(schema.get("items"))} if _has_type(schema, "array") else {}


def _named_parts(schema: Mapping[str, Any]) -> Schema:
    return {key: {name: _node(part) for name, part in schema[key].items()} for key in _DEFINITIONS if key in schema}


def _refuse_recursion(schema: Mapping[str, Any]) -> None:
    """Raise when a reference leads to itself, or to anything but a definition at the root."""
    uses = {
        f"#/{key}/{name}": frozenset(_references(part))
        for key in _DEFINITIONS
        for name, part in schema.get(key, {}).items()
    }
    if not all(used in uses for used in _references(schema)):
        raise _OpenSchemaError
    while uses:  # take away what uses nothing, until nothing is left, or only what goes round in a circle
        done = {name for name, used in uses.items() if uses.keys().isdisjoint(used)}
        if not done:
            raise _OpenSchemaError
        uses = {name: used for name, used in uses.items() if name not in done}


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, Mapping):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for inner in part.values():
            yield from _references(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from _references(inner)
