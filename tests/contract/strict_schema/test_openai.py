"""Strict schemas by OpenAI's rules."""

from enum import Enum
from typing import Any, Literal

import jsonschema
import pytest
from pydantic import BaseModel, ConfigDict, Field

from harness.contract.config import NotStrictWarning
from harness.contract.strict_schema import SchemaNotStrict, convert
from providers._shared.openai_chat.structured import response_format


def by_rules(schema: Any, target: str) -> dict[str, Any] | None:
    try:
        return convert(schema, target).schema
    except SchemaNotStrict:
        return None


def strict_schema(schema: Any) -> dict[str, Any] | None:
    return by_rules(schema, "openai")


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Address(BaseModel):
    street: str = Field(min_length=1, description="With number")


class Person(BaseModel):
    name: str
    age: int | None = None
    colour: Colour = Field(default=Colour.RED, description="Favourite")
    addresses: list[Address] = []
    pet: Address | Literal["none"] = "none"
    default: str = "a property whose name is a keyword"


class Node(BaseModel):
    value: int
    next: "Node | None" = None


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")


class WithMap(BaseModel):
    counts: dict[str, int]


class WithAny(BaseModel):
    anything: Any


class WithPair(BaseModel):
    pair: tuple[int, str]


def objects(schema: Any) -> list[Any]:
    """Every object schema inside a schema."""
    if isinstance(schema, list):
        return [found for part in schema for found in objects(part)]
    if not isinstance(schema, dict):
        return []
    own = [schema] if isinstance(schema.get("properties"), dict) and "type" in schema else []
    return own + [found for part in schema.values() for found in objects(part)]


@pytest.mark.parametrize("model", [Person, Node])
def test_every_object_is_closed_and_complete(model: type[BaseModel]) -> None:
    schema = strict_schema(model.model_json_schema())
    assert schema is not None
    assert schema["type"] == "object"
    found = objects(schema)
    assert found
    for part in found:
        assert part["additionalProperties"] is False
        assert part["required"] == list(part["properties"])


def test_what_it_accepts_is_a_valid_instance() -> None:
    schema = strict_schema(Person.model_json_schema())
    assert schema is not None
    value = {
        "name": "Ada",
        "age": None,
        "colour": "blue",
        "addresses": [{"street": "Main 1"}],
        "pet": {"street": "Kennel 2"},
        "default": "x",
    }
    jsonschema.validate(value, schema)
    assert Person.model_validate(value).colour is Colour.BLUE
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**value, "more": 1}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({key: item for key, item in value.items() if key != "age"}, schema)


def test_references_stand_alone() -> None:
    schema = strict_schema(Person.model_json_schema())
    assert schema is not None
    choice = [{"$ref": "#/$defs/Colour"}, {"type": "null"}]
    assert schema["properties"]["colour"] == {"description": "Favourite", "anyOf": choice}


def test_recursion_is_kept_as_a_reference() -> None:
    schema = strict_schema(Node.model_json_schema())
    assert schema is not None
    jsonschema.validate({"value": 1, "next": {"value": 2, "next": None}}, schema)


def test_keywords_that_only_narrow_move_into_the_description() -> None:
    schema = strict_schema(Person.model_json_schema())
    assert schema is not None
    assert schema["$defs"]["Address"]["properties"]["street"] == {
        "description": "With number (minLength: 1)",
        "title": "Street",
        "type": "string",
    }


@pytest.mark.parametrize(
    ("keyword", "value", "kept"),
    [
        ("format", "date", True),
        ("format", "uri", False),
        ("pattern", "^a+$", True),
        ("pattern", "^(?=a)", False),
        ("minimum", 3, True),
        ("default", 3, False),
    ],
)
def test_keywords(keyword: str, value: Any, kept: bool) -> None:
    schema = strict_schema({"type": "object", "properties": {"x": {"type": "string", keyword: value}}})
    assert schema is not None
    assert (keyword in schema["properties"]["x"]) is kept


@pytest.mark.parametrize("model", [Open, WithMap, WithAny])
def test_open_schemas_are_sent_as_they_are(model: type[BaseModel]) -> None:
    with pytest.warns(NotStrictWarning, match="sent without strictness: #"):
        form = response_format(model)["json_schema"]
    assert (form["strict"], form["schema"]) == (False, model.model_json_schema())


def test_a_schema_that_is_no_object_has_no_strict_form() -> None:
    assert strict_schema({"type": "array", "items": {"type": "string"}}) is None


def test_the_response_format_has_a_name_that_the_service_takes() -> None:
    form = response_format(Person)
    assert (form["type"], form["json_schema"]["name"], form["json_schema"]["strict"]) == ("json_schema", "Person", True)


def test_pairs_become_lists_of_a_choice() -> None:
    converted = convert(WithPair.model_json_schema(), "openai")
    assert "prefixItems" not in str(converted.schema)
    assert any("places" in str(weakening) for weakening in converted.weakenings)
