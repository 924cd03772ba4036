"""The subschemas of a schema, each with its path. Names of properties and literal values are data, not keywords."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

Schema = Mapping[str, Any]

#: keywords that hold subschemas: by name, in a row, or alone
_NAMED: Final = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
_LISTED: Final = ("anyOf", "oneOf", "allOf", "prefixItems", "items")
_ALONE: Final = (
    *("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"),
    *("unevaluatedProperties", "unevaluatedItems"),
)


@dataclass(frozen=True, slots=True)
class Place:
    """A subschema. ``level`` counts the objects around it, as vendors count nesting; definitions begin anew."""

    path: str
    schema: Schema
    level: int = 0

    @property
    def is_object(self) -> bool:
        """Whether it is a schema of objects: by its type, one of its types, or the properties that it names."""
        kinds = self.schema.get("type")
        return kinds == "object" or (isinstance(kinds, list) and "object" in kinds) or "properties" in self.schema


def places(schema: Any, path: str, without: Collection[str] = ()) -> Iterator[Place]:
    """A schema and all in it but below some keywords, outer ones first. No depth is too much: nothing recurses."""
    waiting = [Place(path, schema)] if isinstance(schema, dict) else []
    while waiting:
        place = waiting.pop()
        yield place
        waiting += reversed(list(_inside(place, without)))


def _inside(place: Place, without: Collection[str]) -> Iterator[Place]:
    found = _below(place)
    return (inner for keyword, inner in found if keyword not in without and isinstance(inner.schema, dict))


def _below(place: Place) -> Iterator[tuple[str, Place]]:
    """What every keyword holds, in the order of their tables."""
    level = place.level + place.is_object
    for keyword in _NAMED:
        held = place.schema.get(keyword)
        below = 0 if keyword in ("$defs", "definitions") else level
        for name, inner in held.items() if isinstance(held, dict) else ():
            yield keyword, Place(f"{place.path}.{keyword}.{name}", inner, below)
    for keyword in _LISTED:
        held = place.schema.get(keyword)
        for at, inner in enumerate(held if isinstance(held, list) else ()):
            yield keyword, Place(f"{place.path}.{keyword}[{at}]", inner, level)
    for keyword in _ALONE:
        if isinstance(place.schema.get(keyword), dict):
            yield keyword, Place(f"{place.path}.{keyword}", place.schema[keyword], level)


def resolve(root: Schema, reference: str) -> Schema | None:
    """What a reference inside the document points at; None where that is nothing, or not in the document."""
    if not reference.startswith("#"):
        return None
    found: Any = root
    for step in [_unescaped(step) for step in reference[1:].split("/")[1:]]:
        try:
            found = found[int(step)] if isinstance(found, list) else found[step]
        except (LookupError, TypeError, ValueError):
            return None
    return found if isinstance(found, dict) else None


def _unescaped(step: str) -> str:
    return unquote(step).replace("~1", "/").replace("~0", "~")


def json_schema(schema: Any) -> Any:
    """An OpenAPI 3.0 schema as JSON Schema: types in small letters, and null as a type of its own."""
    if isinstance(schema, list):
        return [json_schema(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _named(value) if key in _NAMED else json_schema(value) for key, value in schema.items()}
    if isinstance(schema.get("type"), str):
        made["type"] = schema["type"].lower()
    return {"anyOf": [made, {"type": "null"}]} if made.pop("nullable", False) is True else made


def _named(held: Any) -> Any:
    return {name: json_schema(inner) for name, inner in held.items()} if isinstance(held, dict) else held
