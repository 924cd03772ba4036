"""The tool by which a model answers with an instance."""

from typing import Any

from jsonschema import Draft202012Validator
from pydantic import BaseModel

from providers._shared.structured import tool_spec


class Plain(BaseModel):
    """Says a word."""

    word: str


class Tree(BaseModel):
    """A model that holds itself."""

    name: str
    inner: list["Tree"]


def schema_of(model: type[BaseModel]) -> Any:
    return tool_spec(model)["inputSchema"]["json"]


def test_a_plain_model_is_its_own_schema() -> None:
    assert schema_of(Plain) == Plain.model_json_schema()


def test_a_model_that_holds_itself_is_an_object_at_its_root() -> None:
    schema = schema_of(Tree)
    assert schema["type"] == "object"
    assert "$ref" not in schema
    validator = Draft202012Validator(schema)
    assert validator.is_valid({"name": "a", "inner": [{"name": "b", "inner": []}]})
    assert not validator.is_valid({"name": "a", "inner": [{"name": 1, "inner": []}]})


def test_docstrings_are_descriptions() -> None:
    assert tool_spec(Plain)["description"] == "Says a word."
