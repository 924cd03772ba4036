"""Faults of a ``Schema``, the part of OpenAPI 3.0 in which parameters and responses are declared."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from harness.dialects.base import RequestFault, RequestFaultKind

Schema = Mapping[str, Any]

_TYPES: Final = ("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL")
#: enums can be sent as numbers too
_BY_NUMBER: Final = dict(enumerate(_TYPES, start=1))

_TYPE: Final = "Google 400: Invalid value at '{path}.type' (Type), {value!r}"
_LIST: Final = "Google 400: Proto field is not repeating, cannot start list."
_ITEMS: Final = "Google 400: {path}.items: missing field."
_REQUIRED: Final = "Google 400: {path}.required[{at}]: property is not defined"
_ENUM_TYPE: Final = "Google 400: {path}.enum: only allowed for STRING type"
_ENUM_VALUE: Final = "Google 400: Invalid value at '{path}.enum[{at}]' (TYPE_STRING), {value!r}"
_FORMAT: Final = "Google 400: {path}.format: only 'enum' and 'date-time' are supported for STRING type"

_STRING_FORMATS: Final = frozenset({"enum", "date-time", "", None})


def schema_type(schema: Schema) -> str | None:
    """A schema's type in capitals; None when it has none that exists."""
    kind = schema.get("type")
    if isinstance(kind, str):
        return kind.upper() if kind.upper() in _TYPES else None
    return _BY_NUMBER.get(kind) if isinstance(kind, int) else None


def schema_faults(schema: Schema, path: str, *, developer: bool) -> Iterator[RequestFault]:
    """Faults of a schema at any depth; names that it does not have are met when it is read."""
    yield from _type_faults(schema, path, developer)
    yield from _enum_faults(schema, path)
    properties = schema.get("properties") or {}
    for at, name in enumerate(schema.get("required") or ()):
        if name not in properties:
            yield _fault(f"{path}.required[{at}]", repr(name), _REQUIRED.format(path=path, at=at))
    for place, inner in _inside(schema, path):
        yield from schema_faults(inner, place, developer=developer)


def _fault(path: str, what: str, evidence: str) -> RequestFault:
    return RequestFault(RequestFaultKind.SCHEMA, path, what, evidence)


def _type_faults(schema: Schema, path: str, developer: bool) -> Iterator[RequestFault]:
    told, kind = schema.get("type"), schema_type(schema)
    if isinstance(told, list):
        yield _fault(f"{path}.type", repr(told), _LIST)
    elif told is not None and kind is None:
        yield _fault(f"{path}.type", repr(told), _TYPE.format(path=path, value=told))
    if kind == "ARRAY" and schema.get("items") is None:
        yield _fault(f"{path}.items", "an array of nothing", _ITEMS.format(path=path))
    if developer and kind == "STRING" and schema.get("format") not in _STRING_FORMATS:
        yield _fault(f"{path}.format", repr(schema["format"]), _FORMAT.format(path=path))


def _enum_faults(schema: Schema, path: str) -> Iterator[RequestFault]:
    values = schema.get("enum")
    if not isinstance(values, list) or not values:
        return
    for at, value in enumerate(values):
        if not isinstance(value, str):
            yield _fault(f"{path}.enum[{at}]", repr(value), _ENUM_VALUE.format(path=path, at=at, value=value))
    if schema_type(schema) != "STRING":
        yield _fault(f"{path}.enum", f"type {schema.get('type')!r}", _ENUM_TYPE.format(path=path))


def _inside(schema: Schema, path: str) -> Iterator[tuple[str, Schema]]:
    if isinstance(schema.get("items"), dict):
        yield f"{path}.items", schema["items"]
    for at, inner in enumerate(schema.get("anyOf") or ()):
        yield f"{path}.anyOf[{at}]", inner
    for name, inner in (schema.get("properties") or {}).items():
        yield f"{path}.properties.{name}", inner
