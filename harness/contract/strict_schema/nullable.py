"""A schema that also takes null."""

from typing import Any, Final

from harness.contract.strict_schema.merge import Schema, as_list

_NULL: Final = {"type": "null"}


def nullable(schema: Any) -> Any:
    """The converted schema, which takes null besides; unchanged where it does already."""
    if not isinstance(schema, dict) or takes_null(schema):
        return schema
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], dict(_NULL)]}
    if "$ref" in schema or "const" in schema or "type" not in schema:
        return _chosen(schema)
    wider: Schema = {**schema, "type": [*as_list(schema["type"]), "null"]}
    return {**wider, "enum": [*schema["enum"], None]} if "enum" in schema else wider


def _chosen(schema: Schema) -> Schema:
    """A choice between the schema and null; what only tells stays outside."""
    told: Schema = {key: schema[key] for key in ("title", "description") if key in schema}
    inner = {key: value for key, value in schema.items() if key not in told}
    return {**told, "anyOf": [inner, dict(_NULL)]}


def takes_null(schema: Schema) -> bool:
    """Whether null passes, as far as the schema itself says so."""
    if "anyOf" in schema:
        return any(isinstance(part, dict) and takes_null(part) for part in schema["anyOf"])
    if "const" in schema:
        return schema["const"] is None
    if "enum" in schema and None not in schema["enum"]:
        return False
    return "$ref" not in schema and ("type" not in schema or "null" in as_list(schema["type"]))
