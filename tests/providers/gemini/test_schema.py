from copy import deepcopy
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from providers.gemini.schema import gemini_schema


class Leaf(BaseModel):
    kind: Literal["leaf"]
    size: int = Field(default=1, gt=0, description="How large")


class Tree(BaseModel):
    """A tree."""

    left: "Tree | None" = None
    leaf: Leaf = Field(description="The leaf")
    pattern: str = Field(pattern="^a+$")
    counts: dict[str, int]


def test_a_model_of_pydantic() -> None:
    given = Tree.model_json_schema()
    kept = deepcopy(given)
    schema = gemini_schema(given)
    assert given == kept
    tree = schema["$defs"]["Tree"] if "$ref" in schema else schema
    assert tree["properties"]["leaf"] == {"description": "The leaf", "anyOf": [{"$ref": "#/$defs/Leaf"}]}
    assert tree["properties"]["pattern"] == {"title": "Pattern", "type": "string", "description": "(pattern: ^a+$)"}
    assert tree["properties"]["counts"]["additionalProperties"] == {"type": "integer"}
    assert tree["required"] == ["leaf", "pattern", "counts"]
    assert schema["$defs"]["Leaf"]["properties"] == {
        "kind": {"enum": ["leaf"], "title": "Kind", "type": "string"},
        "size": {
            "title": "Size",
            "type": "integer",
            "description": "How large (exclusiveMinimum: 0, default: 1)",
        },
    }


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}),
        ({"allOf": [{"$ref": "#/$defs/A"}], "title": "T"}, {"title": "T", "anyOf": [{"$ref": "#/$defs/A"}]}),
        ({"oneOf": [{"type": "string", "const": "a"}]}, {"anyOf": [{"type": "string", "enum": ["a"]}]}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        (
            {"$schema": "x", "type": "object", "additionalProperties": False},
            {"type": "object", "additionalProperties": False},
        ),
        (
            {"type": "array", "items": True, "uniqueItems": True},
            {"type": "array", "items": True, "description": "(uniqueItems: True)"},
        ),
        (
            {"type": "object", "properties": {"const": {"type": "string"}}},
            {"type": "object", "properties": {"const": {"type": "string"}}},
        ),
    ],
)
def test_keywords(given: Any, wanted: Any) -> None:
    assert gemini_schema(given) == wanted
