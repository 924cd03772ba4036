"""Small readings of a schema's keywords."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any, Final

from harness.contract.strict_schema.merge import Schema, as_list
from harness.contract.strict_schema.nullable import nullable

#: the type that a keyword speaks of, where no type is told
_SPEAK_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "object": (
        *("properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties"),
        *("propertyNames", "dependentRequired", "unevaluatedProperties"),
    ),
    "array": ("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "unevaluatedItems"),
    "string": ("minLength", "maxLength", "pattern", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
_TYPES: Final[Mapping[type, str]] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    dict: "object",
    list: "array",
    type(None): "null",
}


def without(schema: Mapping[str, Any], keys: Iterable[str]) -> Schema:
    """The schema without some of its keywords."""
    left_out = set(keys)
    return {key: value for key, value in schema.items() if key not in left_out}


def inferred_type(schema: Mapping[str, Any]) -> Any:
    """The type that values or keywords imply; None where they imply none."""
    if "const" in schema or "enum" in schema:
        values = [schema["const"]] if "const" in schema else as_list(schema["enum"])
        kinds = list(dict.fromkeys(_TYPES.get(type(value), "object") for value in values))
        return kinds[0] if len(kinds) == 1 else kinds or None
    return next((kind for kind, keys in _SPEAK_OF.items() if any(key in schema for key in keys)), None)


def is_a(value: Any, kinds: Any) -> bool:
    """Whether a value is of a type, or of one of several."""
    kind = _TYPES.get(type(value), "object")
    number = kind == "integer" or (kind == "number" and value.is_integer())
    return any(told == kind or (number and told in ("integer", "number")) for told in as_list(kinds))


def array_parts(schema: Mapping[str, Any]) -> tuple[list[Any], Any]:
    """The schemas of the first items, and that of the rest: None where any rest passes."""
    if isinstance(schema.get("items"), list):  # as drafts before 2020-12 had it
        return schema["items"], schema.get("additionalItems")
    first = list(schema.get("prefixItems", []))
    ended = bool(first) and isinstance(schema.get("maxItems"), int) and schema["maxItems"] <= len(first)
    return first, False if ended else schema.get("items", schema.get("unevaluatedItems"))


def disjoint(alternatives: list[Any]) -> bool:
    """Whether no value passes two of the alternatives, as far as types and constant properties show it."""
    return all(_apart(first, second) for first, second in combinations(alternatives, 2))


def _apart(first: Any, second: Any) -> bool:
    kinds = _kinds(first), _kinds(second)
    if kinds[0] and kinds[1] and kinds[0].isdisjoint(kinds[1]):
        return True
    return any(
        _constants(first, name).isdisjoint(_constants(second, name))
        for name in {*first.get("required", ())} & {*second.get("required", ())}
        if _constants(first, name) and _constants(second, name)
    )


def _kinds(schema: Any) -> frozenset[str]:
    kinds = frozenset(as_list(schema["type"])) if "type" in schema else frozenset()
    return kinds | {"integer"} if "number" in kinds else kinds


def _constants(schema: Any, name: str) -> frozenset[str]:
    part = schema.get("properties", {}).get(name, {})
    values = [part["const"]] if "const" in part else part.get("enum", ())
    return frozenset(map(repr, values))


def one_of_all(objects: list[Schema], *, complete: bool) -> Schema:
    """An object with the properties of several closed ones; what not all of them need is optional."""
    among: dict[str, list[Any]] = {}
    for part in objects:
        for name, inner in part["properties"].items():
            among.setdefault(name, []).extend([] if inner in among.get(name, []) else [inner])
    needed = [name for name in among if all(name in part.get("required", ()) for part in objects)]
    parts = {name: inner[0] if len(inner) == 1 else {"anyOf": inner} for name, inner in among.items()}
    if complete:
        parts = {name: inner if name in needed else nullable(inner) for name, inner in parts.items()}
        needed = list(parts)
    closed = {"additionalProperties": False} if any("additionalProperties" in part for part in objects) else {}
    return {"type": "object", "properties": parts, **({"required": needed} if needed or complete else {}), **closed}
