"""JSON schemas as Gemini takes them.

The service knows a part of JSON Schema only (API reference, GenerationConfig.responseJsonSchema; the same for
parametersJsonSchema): a keyword that narrows, and that it does not know, moves into the description, where the model
can still read it. A reference may have no neighbours.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

Schema = dict[str, Any]

_KEPT: Final = frozenset(
    {
        *("$anchor", "$id", "$ref", "description", "enum", "format", "maximum", "maxItems", "minimum", "minItems"),
        *("propertyOrdering", "required", "title", "type"),
    }
)
_NARROWING: Final = (
    *("exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "uniqueItems"),
    *("minProperties", "maxProperties", "patternProperties", "propertyNames", "contains", "not", "default"),
)


def gemini_schema(schema: Any) -> Any:
    """The schema in new objects, without what the service does not know. Names of properties are no keywords."""
    if not isinstance(schema, Mapping):
        return schema
    node = {key: value for key, value in schema.items() if key in _KEPT}
    for key, (wire, convert) in _PARTS.items():
        if key in schema:
            node[wire] = convert(schema[key])
    if "const" in schema:
        node["enum"] = [schema["const"]]
    if len(node.get("allOf", ())) == 1:  # how a reference with neighbours was once written
        node["anyOf"] = node.pop("allOf")
    return _alone(node | _description(schema))


def _named(parts: Any) -> Any:
    return {name: gemini_schema(part) for name, part in parts.items()} if isinstance(parts, Mapping) else parts


def _listed(parts: Any) -> Any:
    return [gemini_schema(part) for part in parts] if isinstance(parts, list) else gemini_schema(parts)


#: keywords that hold schemas: their name on the wire, and what becomes of their value
_PARTS: Final[Mapping[str, tuple[str, Callable[[Any], Any]]]] = {
    "$defs": ("$defs", _named),
    "definitions": ("definitions", _named),
    "properties": ("properties", _named),
    "additionalProperties": ("additionalProperties", gemini_schema),
    "items": ("items", _listed),
    "prefixItems": ("prefixItems", _listed),
    "allOf": ("allOf", _listed),
    "oneOf": ("anyOf", _listed),
    "anyOf": ("anyOf", _listed),
}


def _description(schema: Mapping[str, Any]) -> Schema:
    limits = [f"{key}: {schema[key]}" for key in _NARROWING if key in schema]
    return {"description": f"{schema.get('description', '')} ({', '.join(limits)})".lstrip()} if limits else {}


def _alone(node: Schema) -> Schema:
    """A reference with neighbours moves into a choice of one, beside which they may stand."""
    if "$ref" not in node or all(key.startswith("$") for key in node):
        return node
    return {**{key: value for key, value in node.items() if key != "$ref"}, "anyOf": [{"$ref": node["$ref"]}]}
