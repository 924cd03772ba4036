"""Two schemas that must both hold, as one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from harness.contract.strict_schema.errors import SchemaNotStrict

Schema = dict[str, Any]
#: alternatives that the union of two unions may have
_MOST: Final = 64
_APART: Final = "Write what must hold together in one schema"

ANNOTATIONS: Final = frozenset(
    {
        *("title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "nullable"),
        *("$comment", "$id", "$schema", "$anchor", "discriminator", "xml", "externalDocs"),
        *("contentEncoding", "contentMediaType", "contentSchema"),
    }
)


def all_merged(parts: Sequence[Mapping[str, Any]], path: str) -> Schema:
    """A schema that holds where all parts do; halves first, so that many parts are not copied over and over."""
    if len(parts) == 1:
        return dict(parts[0])
    middle = len(parts) // 2
    return merged(all_merged(parts[:middle], path), all_merged(parts[middle:], path), path)


def merged(first: Mapping[str, Any], second: Mapping[str, Any], path: str) -> Schema:
    """A schema that holds where both do; what only tells is the first one's."""
    _refuse_closed(first, second, path)
    _refuse_closed(second, first, path)
    both: Schema = dict(first)
    for key, value in second.items():
        both[key] = _both(key, both[key], value, path) if key in both else value
    return both


def _both(key: str, first: Any, second: Any, path: str) -> Any:
    if key in ANNOTATIONS or key.startswith("x-") or first == second:
        return first
    if key not in _RULES:
        raise SchemaNotStrict(path, f"two different {key} must hold at a time: {first!r} and {second!r}", _APART)
    value = _RULES[key](first, second)
    if value is None or value == []:
        raise SchemaNotStrict(path, f"no {key} is both {first!r} and {second!r}", _APART)
    return value


def _refuse_closed(closed: Mapping[str, Any], other: Mapping[str, Any], path: str) -> None:
    """A part that is closed would refuse the other part's properties."""
    if closed.get("additionalProperties", True) is True:
        return
    if added := other.get("properties", {}).keys() - closed.get("properties", {}).keys():
        raise SchemaNotStrict(path, f"a part of allOf is closed to {sorted(added)} of another part", _APART)


def _types(first: Any, second: Any) -> Any:
    kinds, others = as_list(first), as_list(second)
    shared = [kind for kind in kinds if kind in others or (kind == "integer" and "number" in others)]
    shared += [kind for kind in others if kind == "integer" and "number" in kinds and kind not in shared]
    return shared[0] if len(shared) == 1 else shared


def as_list(value: Any) -> list[Any]:
    """The value itself where it is a list, else a list of it."""
    return list(value) if isinstance(value, list | tuple) else [value]


def _properties(first: Mapping[str, Any], second: Mapping[str, Any]) -> Schema:
    both = {name: {"allOf": [first[name], second[name]]} for name in first.keys() & second.keys()}
    return {**first, **second, **both}


def _unions(first: list[Any], second: list[Any]) -> list[Any] | None:
    return [{"allOf": [one, other]} for one in first for other in second] if len(first) * len(second) <= _MOST else None


def _additional(first: Any, second: Any) -> Any:
    if first is True or second is True:
        return second if first is True else first
    return False if first is False or second is False else {"allOf": [first, second]}


def _enum(first: list[Any], second: list[Any]) -> list[Any]:
    return [value for value in first if any(value == other and type(value) is type(other) for other in second)]


_RULES: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "type": _types,
    "properties": _properties,
    "required": lambda first, second: list(dict.fromkeys((*first, *second))),
    "enum": _enum,
    "additionalProperties": _additional,
    "items": lambda first, second: {"allOf": [first, second]},
    "anyOf": _unions,
    "oneOf": _unions,
    "allOf": lambda first, second: [*first, *second],
    "$defs": lambda first, second: {**second, **first},
    "definitions": lambda first, second: {**second, **first},
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), min),
    "uniqueItems": lambda first, second: first or second,
}


def demands(schema: Mapping[str, Any]) -> Iterator[str]:
    """The keywords of a schema that say what a value may be."""
    return (key for key in schema if key not in ANNOTATIONS and not key.startswith("x-") and key not in _HOLDERS)


_HOLDERS: Final = frozenset({"$defs", "definitions"})
