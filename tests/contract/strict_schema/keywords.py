"""A schema for each keyword of JSON Schema, draft 2020-12, in a tool's property, and values that pass and fail it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.contract.strict_schema.schemas import Schema


@dataclass(frozen=True, slots=True)
class Case:
    """A schema, with values that it takes and values that it does not."""

    schema: Any
    passing: tuple[Any, ...]
    failing: tuple[Any, ...]


_TEXT: Final = {"type": "string"}
_A: Final = {"type": "object", "properties": {"a": _TEXT}, "required": ["a"]}
_B: Final = {"type": "object", "properties": {"b": {"type": "integer"}}}

CASES: Final[Mapping[str, Case]] = {
    "additionalProperties": Case({**_A, "additionalProperties": False}, ({"a": "x"},), ({"a": "x", "b": 1}, {})),
    "allOf": Case({"allOf": [_A, _B]}, ({"a": "x", "b": 1}, {"a": "x"}), ({"b": 1}, {"a": "x", "b": "y"})),
    "anyOf": Case({"anyOf": [_TEXT, {"type": "integer"}]}, ("x", 1), (1.5, None)),
    "oneOf": Case({"oneOf": [_TEXT, {"type": "boolean"}]}, ("x", True), (1, None)),
    "oneOf without a type": Case({"oneOf": [_TEXT, {"properties": {"a": _TEXT}}]}, ({"a": "x"},), ("x", {"a": 1})),
    "const": Case({"const": "k"}, ("k",), ("l", None)),
    "const with an object": Case({"const": {"a": 1}}, ({"a": 1},), ({"a": 2},)),
    "enum": Case({"enum": ["a", 6, None]}, ("a", 6, None), ("b", 7)),
    "exclusiveMaximum": Case({"type": "number", "exclusiveMaximum": 3}, (2.5,), (3,)),
    "exclusiveMinimum": Case({"type": "number", "exclusiveMinimum": 3}, (3.5,), (3,)),
    "maximum": Case({"type": "number", "maximum": 3}, (3,), (3.5,)),
    "minimum": Case({"type": "integer", "minimum": -2}, (-2,), (-3,)),
    "multipleOf": Case({"type": "integer", "multipleOf": 2}, (4,), (5,)),
    "format": Case({"type": "string", "format": "date"}, ("2024-02-29",), (1,)),
    "pattern": Case({"type": "string", "pattern": "^a*$"}, ("aaa",), ("b",)),
    "minLength": Case({"type": "string", "minLength": 2}, ("ab",), ("a",)),
    "maxLength": Case({"type": "string", "maxLength": 2}, ("ab",), ("abc",)),
    "items": Case({"type": "array", "items": _TEXT}, ([], ["x"]), ([1], "x")),
    "minItems": Case({"type": "array", "items": _TEXT, "minItems": 1}, (["x"],), ([],)),
    "maxItems": Case({"type": "array", "items": _TEXT, "maxItems": 1}, (["x"],), (["x", "y"],)),
    "uniqueItems": Case({"type": "array", "items": _TEXT, "uniqueItems": True}, (["x", "y"],), (["x", "x"],)),
    "prefixItems": Case(
        {"type": "array", "prefixItems": [_TEXT, {"type": "integer"}], "items": False}, (["x", 1],), ([1, "x"],)
    ),
    "contains": Case({"type": "array", "items": _TEXT, "contains": {"const": "x"}}, (["x"],), (["y"],)),
    "properties": Case(_A, ({"a": "x"},), ({"a": 1},)),
    "required": Case({**_B, "required": ["b"]}, ({"b": 1},), ({},)),
    "minProperties": Case({**_B, "minProperties": 1}, ({"b": 1},), ({},)),
    "maxProperties": Case({**_B, "maxProperties": 1}, ({"b": 1},), ()),
    "propertyNames": Case({**_B, "propertyNames": {"maxLength": 3}}, ({"b": 1},), ()),
    "patternProperties": Case({"type": "object", "patternProperties": {"^x": _TEXT}}, ({"xa": "y"},), ({"xa": 1},)),
    "dependentRequired": Case(
        {**_B, "properties": {"b": _TEXT, "c": _TEXT}, "dependentRequired": {"b": ["c"]}},
        ({"b": "x", "c": "y"}, {"c": "y"}),
        ({"b": "x"},),
    ),
    "dependentSchemas": Case({**_B, "dependentSchemas": {"b": _A}}, ({"a": "x", "b": 1}, {}), ({"b": 1},)),
    "if": Case(
        {**_A, "if": {"properties": {"a": {"const": "x"}}}, "then": {"properties": {"b": _TEXT}, "required": ["b"]}},
        ({"a": "x", "b": "y"}, {"a": "z"}),
        ({"a": "x"},),
    ),
    "not": Case({"type": "string", "not": {"const": "x"}}, ("y",), ("x",)),
    "type": Case({"type": ["string", "null"]}, ("x", None), (1,)),
    "unevaluatedProperties": Case({**_A, "unevaluatedProperties": False}, ({"a": "x"},), ({"a": "x", "c": 1},)),
    "boolean true": Case(True, (1, "x", None), ()),
    "boolean false": Case(False, (), (1,)),
    "a map": Case({"type": "object", "additionalProperties": _TEXT}, ({"k": "v"}, {}), ({"k": 1},)),
    "a property called $ref": Case({"type": "object", "properties": {"$ref": _TEXT}}, ({"$ref": "x"},), ({"$ref": 1},)),
    "a property called default": Case(
        {"type": "object", "properties": {"default": _A, "type": _TEXT}}, ({"default": {"a": "x"}},), ({"type": 1},)
    ),
    "values like schemas": Case({"enum": ["object", "$ref"], "default": {"$ref": "#/nowhere"}}, ("object",), ("x",)),
}


def within(schema: Any) -> Schema:
    """A tool whose only property has the schema."""
    return {"type": "object", "properties": {"x": schema}, "required": ["x"]}


KEYWORDS: Final[Mapping[str, Schema]] = {f"keyword: {name}": within(case.schema) for name, case in CASES.items()}
