"""What a strict schema owes its original, without knowing how it was made."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend


def valid(value: Any, schema: Any) -> bool:
    """Whether a value passes a schema by JSON Schema, draft 2020-12."""
    return bool(Draft202012Validator(schema).is_valid(value))


def _of_an_object(validator: Any, properties: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    if not isinstance(value, dict) and "type" not in schema:
        yield ValidationError("properties are described of something that is no object")
    yield from Draft202012Validator.VALIDATORS["properties"](validator, properties, value, schema)


_Meant = extend(Draft202012Validator, {"properties": _of_an_object})  # type: ignore[no-untyped-call]


def meant(value: Any, schema: Any) -> bool:
    """Whether a value passes, where described properties mean an object: no strict service can say "or no object"."""
    return bool(_Meant(schema).is_valid(value))


def _named(root: Any, schema: Any) -> Any:
    while isinstance(schema, Mapping) and isinstance(schema.get("$ref"), str):
        part = root
        for step in schema["$ref"].split("/")[1:]:
            part = part[unquote(step).replace("~1", "/").replace("~0", "~")]
        schema = {**part, **{key: value for key, value in schema.items() if key != "$ref"}}
    return schema


def parts(root: Any, schema: Any) -> Iterator[Any]:
    """The schemas that speak of one value: the schema, what it refers to, and its alternatives."""
    schema = _named(root, schema)
    if not isinstance(schema, Mapping):
        return
    yield schema
    for key in ("anyOf", "oneOf", "allOf"):
        for inner in schema.get(key, ()):
            yield from parts(root, inner)


def without_nulls(value: Any, root: Any, schema: Any) -> Any:
    """The value without nulls that stand for optional properties left out."""
    spoken = list(parts(root, schema))
    if isinstance(value, list):
        inner = [part.get("items") for part in spoken] + [p for part in spoken for p in part.get("prefixItems", ())]
        return [without_nulls(item, root, {"anyOf": [part for part in inner if part]}) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {}
    for name, item in value.items():
        described = [part["properties"][name] for part in spoken if name in part.get("properties", {})]
        optional = any(name not in part.get("required", ()) for part in spoken if name in part.get("properties", {}))
        if item is None and optional:
            continue
        kept[name] = without_nulls(item, root, {"anyOf": described})
    return kept


def images(value: Any, root: Any, schema: Any) -> Any:
    """The value with a null for each property that the strict schema requires and the value leaves out."""
    made = (_filled(value, root, part) for part in parts(root, schema))
    return next((image for image in made if valid(image, {**schema, "$defs": root.get("$defs", {})})), value)


def _filled(value: Any, root: Any, part: Any) -> Any:
    if isinstance(value, list):
        places = part.get("prefixItems", [])
        rest = part.get("items", {}) or {}
        return [images(item, root, places[at] if at < len(places) else rest) for at, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    filled = {**{name: None for name in part.get("required", ()) if name not in value}, **value}
    properties, rest = part.get("properties", {}), part.get("additionalProperties") or {}
    rest = rest if isinstance(rest, Mapping) else {}
    return {name: images(item, root, properties.get(name, rest)) for name, item in filled.items()}
