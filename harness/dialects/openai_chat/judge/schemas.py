"""OpenAI's strict schemas (structured outputs guide, supported schemas)."""

from collections.abc import Iterator, Mapping
from typing import Any

from harness.dialects.base import RequestFault, RequestFaultKind

_CLOSED = "OpenAI 400: Invalid schema for {owner}: 'additionalProperties' is required to be supplied and to be false."
_REQUIRED = (
    "OpenAI 400: Invalid schema for {owner}: 'required' is required to be supplied and to be an array including every "
    "key in properties. Missing '{key}'."
)
_NOT_PERMITTED = "OpenAI 400: Invalid schema for {owner}: '{key}' is not permitted."

#: Keywords that the guide calls unsupported in strict mode.
_UNSUPPORTED = (
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "patternProperties",
    "propertyNames",
    "oneOf",
)
_NAMED_SCHEMAS = ("properties", "$defs", "definitions")


def strict_faults(schema: Any, path: str, owner: str) -> Iterator[RequestFault]:
    """Faults of a schema that claims to be strict; ``owner`` is what the service's message calls it."""
    if not isinstance(schema, dict):
        return
    for key in _UNSUPPORTED:
        if key in schema:
            yield _fault(f"{path}.{key}", "unsupported keyword", _NOT_PERMITTED.format(owner=owner, key=key))
    if _is_object(schema):
        yield from _object_faults(schema, path, owner)
    for place, inner in _inside(schema, path):
        yield from strict_faults(inner, place, owner)


def _is_object(schema: Mapping[str, Any]) -> bool:
    kinds = schema.get("type")
    return kinds == "object" or (isinstance(kinds, list) and "object" in kinds) or "properties" in schema


def _object_faults(schema: Mapping[str, Any], path: str, owner: str) -> Iterator[RequestFault]:
    if schema.get("additionalProperties") is not False:
        what = repr(schema.get("additionalProperties"))
        yield _fault(f"{path}.additionalProperties", what, _CLOSED.format(owner=owner))
    required = schema.get("required") or ()
    for key in schema.get("properties") or ():
        if key not in required:
            yield _fault(f"{path}.required", f"{key!r} is not in it", _REQUIRED.format(owner=owner, key=key))


def _inside(schema: Mapping[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    for holder in _NAMED_SCHEMAS:
        inner = schema.get(holder)
        if isinstance(inner, dict):
            yield from ((f"{path}.{holder}.{name}", value) for name, value in inner.items())
    if "items" in schema:
        yield f"{path}.items", schema["items"]
    for at, value in enumerate(schema.get("anyOf") or ()):
        yield f"{path}.anyOf[{at}]", value


def _fault(path: str, what: str, evidence: str) -> RequestFault:
    return RequestFault(RequestFaultKind.SCHEMA, path, what, evidence)
