"""The sizes that a service allows."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from harness.contract.strict_schema.errors import SchemaNotStrict
from harness.contract.strict_schema.targets import Target

_SMALLER: Final = "Split the schema"
_LISTS: Final = ("anyOf", "oneOf", "prefixItems")


def check_limits(schema: Mapping[str, Any], target: Target) -> None:
    """Raise SchemaNotStrict where a strict schema is too large for the service."""
    properties = values = 0
    for path, part, level in _parts(schema):
        if level > target.max_depth:
            raise SchemaNotStrict(path, f"deeper than the {target.max_depth} levels of {target.name}", _SMALLER)
        properties += len(part.get("properties", ()))
        values += len(part.get("enum", ()))
    for count, most, what in (
        (properties, target.max_properties, "properties"),
        (values, target.max_enum, "values of enums"),
    ):
        if most is not None and count > most:
            raise SchemaNotStrict("#", f"{count} {what} are more than the {most} of {target.name}", _SMALLER)


def _parts(schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], int]]:
    """Every part, its path, and the objects and arrays that it stands in."""
    stack: list[tuple[str, Any, int]] = [("#", schema, 0)]
    while stack:
        path, part, level = stack.pop()
        if not isinstance(part, Mapping):
            continue
        yield path, part, level
        stack += [(f"{path}/$defs/{name}", inner, 0) for name, inner in part.get("$defs", {}).items()]
        stack += [(f"{path}/properties/{name}", inner, level + 1) for name, inner in part.get("properties", {}).items()]
        stack += [(f"{path}/{key}", part[key], level + 1) for key in ("items", "additionalProperties") if key in part]
        for key in _LISTS:
            stack += [(f"{path}/{key}/{place}", inner, level) for place, inner in enumerate(part.get(key, ()))]
