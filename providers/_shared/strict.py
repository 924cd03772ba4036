"""JSON schemas in the closed form that strict tools and strict structured output ask for.

A keyword that only narrows, and that the service does not take, moves into the description, where the model can still
read it: the value is validated afterwards. A schema with an open part, such as a map, has no strict form and is sent as
it is.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class StrictRules:
    """What a service takes in strict schemas.

    ``keywords`` stay whatever their value, those of ``limited`` where the value passes. With ``complete`` no property
    may be left out. With ``recursive`` a reference may lead back to itself.
    """

    keywords: frozenset[str]
    limited: Mapping[str, Callable[[Any], bool]]
    complete: bool = False
    recursive: bool = False

    def take(self, key: str, value: Any) -> bool:
        """Whether a keyword stays."""
        return key in self.keywords or (key in self.limited and self.limited[key](value))


_PLAIN: Final = frozenset({"$ref", "const", "description", "enum", "title", "type"})
_FORMATS: Final = frozenset({"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"})
#: groups that look around, references back and word borders
_HARD_PATTERN: Final = re.compile(r"\(\?|\\[bB1-9]")

#: OpenAI, Structured Outputs, "Supported schemas"
OPENAI: Final = StrictRules(
    keywords=_PLAIN
    | {"exclusiveMaximum", "exclusiveMinimum", "maximum", "maxItems", "minimum", "minItems", "multipleOf"},
    limited={"format": lambda value: value in _FORMATS, "pattern": lambda value: "(?" not in value},
    complete=True,
    recursive=True,
)

#: Claude documentation, "Structured outputs", JSON Schema limitations; the same behind Amazon Bedrock
CLAUDE: Final = StrictRules(
    keywords=_PLAIN | {"default", "required"},
    limited={
        "format": lambda value: value in _FORMATS | {"uri"},
        "minItems": lambda value: value in (0, 1),
        "pattern": lambda value: _HARD_PATTERN.search(value) is None,
    },
)

_NARROWING: Final = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems"),
)
#: keywords that say what a value may be, and have no strict form
_OPEN: Final = frozenset(
    {
        *("$dynamicRef", "allOf", "contains", "dependentRequired", "dependentSchemas", "else", "if", "not"),
        *("patternProperties", "prefixItems", "propertyNames", "then", "unevaluatedProperties"),
    }
)
#: a schema without any of these takes everything
_TELLS: Final = frozenset({"$ref", "anyOf", "const", "enum", "type"})
_CHOICES: Final = ("anyOf", "oneOf")
_DEFINITIONS: Final = ("$defs", "definitions")


class _OpenSchemaError(Exception):
    """A part of the schema has no strict form."""


def strict_schema(schema: Mapping[str, Any], rules: StrictRules) -> Schema | None:
    """A strict form of an object schema, in new objects; None when there is none."""
    try:
        if not rules.recursive:
            _refuse_recursion(schema)
        return _root(schema, rules)
    except _OpenSchemaError:
        return None


def _root(schema: Mapping[str, Any], rules: StrictRules) -> Schema:
    """The root must be the object itself, so that a reference there is followed."""
    target: Any = schema
    for key in str(schema.get("$ref", "#")).split("/")[1:]:
        target = target.get(key, {})
    root = _node(target, rules)
    if "properties" not in root:
        raise _OpenSchemaError
    return {**root, **{key: _parts(schema[key], rules) for key in _DEFINITIONS if key in schema}}


def _parts(parts: Mapping[str, Any], rules: StrictRules) -> Schema:
    return {name: _node(part, rules) for name, part in parts.items()}


def _node(schema: Any, rules: StrictRules) -> Schema:
    if not isinstance(schema, Mapping) or not _OPEN.isdisjoint(schema):
        raise _OpenSchemaError
    node = {key: value for key, value in schema.items() if rules.take(key, value)}
    node |= _description(schema, rules) | _object(schema, rules) | _array(schema, rules)
    for key in _CHOICES:
        if key in schema:
            node["anyOf"] = [_node(part, rules) for part in schema[key]]
    if _TELLS.isdisjoint(node):
        raise _OpenSchemaError
    return _alone(node)


def _description(schema: Mapping[str, Any], rules: StrictRules) -> Schema:
    """The description, with the limits that have no strict form."""
    limits = [f"{key}: {schema[key]}" for key in _NARROWING if key in schema and not rules.take(key, schema[key])]
    return {"description": f"{schema.get('description', '')} ({', '.join(limits)})".lstrip()} if limits else {}


def _has_type(schema: Mapping[str, Any], name: str) -> bool:
    kind = schema.get("type")
    return kind == name or (isinstance(kind, list) and name in kind)


def _object(schema: Mapping[str, Any], rules: StrictRules) -> Schema:
    """The closed object. A map, which takes any property, is open."""
    if not _has_type(schema, "object") and "properties" not in schema:
        return {}
    if schema.get("additionalProperties", "properties" not in schema) not in (False, None):
        raise _OpenSchemaError
    properties = _parts(schema.get("properties", {}), rules)
    required = {"required": list(properties)} if rules.complete else {}
    kind = schema.get("type", "object")
    return {"type": kind, "properties": properties, "additionalProperties": False, **required}


def _array(schema: Mapping[str, Any], rules: StrictRules) -> Schema:
    if not _has_type(schema, "array") and "items" not in schema:
        return {}
    return {"items": _node(schema.get("items"), rules)}


def _alone(node: Schema) -> Schema:
    """A reference with neighbours moves into a choice of one, beside which they may stand."""
    if "$ref" not in node or len(node) == 1:
        return node
    reference = {"$ref": node.pop("$ref")}
    return {**node, "anyOf": [reference]}


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
