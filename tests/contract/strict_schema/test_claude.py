"""Strict schemas by Claude's rules."""

import copy
from collections.abc import Iterator
from typing import Any, Literal

import anthropic
import pytest
from pydantic import BaseModel, Field

from harness.contract.strict_schema import SchemaNotStrict, convert

TEXT = {"type": "string"}


def by_rules(schema: Any, target: str) -> dict[str, Any] | None:
    try:
        return convert(schema, target).schema
    except SchemaNotStrict:
        return None


def strict_schema(schema: Any) -> dict[str, Any] | None:
    return by_rules(schema, "anthropic")


def closed(**properties: Any) -> Any:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def opened(**properties: Any) -> Any:
    return {"type": "object", "properties": properties}


class Leaf(BaseModel):
    kind: Literal["leaf"] = "leaf"
    size: int = Field(1, ge=0, description="How big.")


class Tree(BaseModel):
    leaf: Leaf
    leaves: list[Leaf]
    name: str | None = None


class Loop(BaseModel):
    inner: "Loop | None" = None


def test_objects_are_closed_at_every_depth() -> None:
    schema = {**opened(a=opened(b=TEXT), c={"type": "array", "items": opened(d=TEXT)}), "required": ["a"]}
    before = copy.deepcopy(schema)
    assert strict_schema(schema) == {
        **closed(a=closed(b=TEXT), c={"type": "array", "items": closed(d=TEXT)}),
        "required": ["a"],
    }
    assert schema == before


def test_properties_named_like_keywords_are_properties() -> None:
    assert strict_schema(opened(properties=TEXT, anyOf=TEXT, minimum=TEXT)) == closed(
        properties=TEXT, anyOf=TEXT, minimum=TEXT
    )


def test_limits_move_into_the_description() -> None:
    schema = opened(
        n={"type": "integer", "minimum": 0, "maximum": 9, "description": "Many."}, s={**TEXT, "maxLength": 3}
    )
    assert strict_schema(schema) == closed(
        n={"type": "integer", "description": "Many. (minimum: 0, maximum: 9)"},
        s={**TEXT, "description": "(maxLength: 3)"},
    )


def test_keywords_that_are_taken_stay() -> None:
    part = {**TEXT, "format": "date", "pattern": "^[0-9]+$", "enum": ["1"], "title": "T"}
    assert strict_schema(opened(a=part, b={"type": "array", "items": TEXT, "minItems": 1})) == closed(
        a=part, b={"type": "array", "items": TEXT, "minItems": 1}
    )


@pytest.mark.parametrize(
    "part",
    [
        {},
        True,
        {"type": "object"},
        {"type": "object", "additionalProperties": TEXT},
        {"type": "object", "properties": {}, "additionalProperties": True},
        {"type": "array"},
        {"type": "array", "prefixItems": [TEXT]},
        {"not": TEXT},
        {"$ref": "#"},
        {"$ref": "https://example.org/schema"},
        {"$ref": "#/$defs/absent"},
        {"allOf": [{"$ref": "#/$defs/absent"}]},
    ],
)
def test_open_schemas_have_no_strict_form(part: Any) -> None:
    assert strict_schema(opened(a=part)) is None


def test_definitions_are_closed_and_circles_refused() -> None:
    made = strict_schema(Tree.model_json_schema())
    assert made is not None
    assert made["$defs"]["Leaf"]["additionalProperties"] is False
    assert made["$defs"]["Leaf"]["properties"]["size"]["description"] == "How big. (minimum: 0)"
    assert strict_schema(Loop.model_json_schema()) is None


def test_one_of_becomes_any_of() -> None:
    assert strict_schema(opened(a={"oneOf": [TEXT, {"type": "null"}]})) == closed(a={"anyOf": [TEXT, {"type": "null"}]})


def _closed_objects(schema: Any) -> int:
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    own = isinstance(schema, dict) and schema.get("additionalProperties") is False
    return own + sum(map(_closed_objects, inner))


@pytest.mark.skipif(not hasattr(anthropic, "transform_schema"), reason="this SDK does not transform schemas")
def test_the_sdks_own_transformation_closes_as_many_objects() -> None:
    schema = Tree.model_json_schema()
    assert _closed_objects(strict_schema(schema)) == _closed_objects(anthropic.transform_schema(schema)) == 2


def _objects(node: Any) -> Iterator[dict[str, Any]]:
    """Every schema of an object, wherever it stands."""
    if isinstance(node, dict):
        kinds = node.get("type")
        if "properties" in node or kinds == "object" or (isinstance(kinds, list) and "object" in kinds):
            yield node
        yield from (found for value in node.values() for found in _objects(value))
    elif isinstance(node, list):
        yield from (found for value in node for found in _objects(value))


@pytest.mark.parametrize("rules", ["openai", "anthropic"])
@pytest.mark.parametrize(
    "part",
    [
        pytest.param({"type": ["object", "null"], "properties": {"a": TEXT}}, id="type list"),
        pytest.param({"properties": {"a": TEXT}}, id="no type"),
        pytest.param({"type": "array", "prefixItems": [opened(a=TEXT)]}, id="prefixItems"),
        pytest.param({"type": "object", "patternProperties": {"^a": TEXT}}, id="patternProperties"),
        pytest.param({**opened(a=TEXT), "if": opened(a={"const": "x"}), "then": opened(b=TEXT)}, id="if then"),
        pytest.param({**opened(a=TEXT), "additionalProperties": True}, id="additionalProperties"),
        pytest.param({"$ref": "#/$defs/a~1b", "description": "With a sibling."}, id="escaped reference"),
        pytest.param({"$ref": "#", "description": "With a sibling."}, id="recursive reference"),
    ],
)
def test_no_object_is_left_open(part: Any, rules: str) -> None:
    """Each is closed, or the whole schema is sent without the claim that it is strict."""
    made = by_rules({**opened(x=part), "$defs": {"a/b": opened(q=TEXT)}}, rules)
    assert made is None or [found for found in _objects(made) if found.get("additionalProperties") is not False] == []
