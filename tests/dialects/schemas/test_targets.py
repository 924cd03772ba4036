"""What each target refuses: by hand, and against what services took, as recorded."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest

from harness.dialects.schemas import TARGETS, json_schema, places, schema_faults
from tests.recordings.corpus import exchanges
from tests.shared import needs_shared

Schema = dict[str, Any]


def obj(closed: bool = True, required: list[str] | None = None, **properties: Any) -> Schema:
    """An object schema with all its properties required, unless said otherwise."""
    made = {"type": "object", "properties": properties, "required": list(properties) if required is None else required}
    return {**made, "additionalProperties": False} if closed else made


NODE: Final = {**obj(next={"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]})}
LIST: Final = {**obj(head={"$ref": "#/$defs/Node"}), "$defs": {"Node": NODE}}
_ODD: Final[Any] = {"$ref": {"type": "string"}, "oneOf": {"type": "string"}, "format": {"type": "string"}}
NAMED: Final = obj(**_ODD)

#: target, schema, and the paths of what is refused
REFUSED: Final[tuple[tuple[str, Schema, tuple[str, ...]], ...]] = (
    ("openai", obj(closed=False), (".additionalProperties",)),
    ("openai", {"properties": {}, "required": []}, (".type", ".additionalProperties")),
    ("openai", obj(a=obj(closed=False)), (".properties.a.additionalProperties",)),
    ("openai", obj(a={"type": ["object", "null"]}), (".properties.a.additionalProperties",)),
    ("openai", obj(required=[], a={}), (".required",)),
    ("openai", obj(a={"oneOf": [{"type": "string"}]}), (".properties.a.oneOf",)),
    ("openai", obj(a={"type": "string", "format": "uri"}), (".properties.a.format",)),
    ("openai", {**obj(a={"$ref": "#/$defs/A", "description": "x"}), "$defs": {"A": {}}}, (".properties.a.$ref",)),
    ("openai", obj(a={"$ref": "#/$defs/B"}), (".properties.a.$ref",)),
    ("openai", {**obj(), "anyOf": [{}]}, (".anyOf",)),
    ("openai", obj(a={"enum": list(range(1001))}), ("",)),
    ("anthropic", obj(a={"type": "integer", "minimum": 1}), (".properties.a.minimum",)),
    ("anthropic", obj(a={"type": "array", "minItems": 2}), (".properties.a.minItems",)),
    ("anthropic", obj(a={"type": "array", "maxItems": 2}), (".properties.a.maxItems",)),
    ("anthropic", LIST, ("",)),
    ("anthropic", obj(a={"enum": [{}]}), (".properties.a.enum",)),
    ("anthropic", {**obj(a={"allOf": [{"$ref": "#/$defs/A"}]}), "$defs": {"A": {}}}, (".properties.a.allOf",)),
    ("bedrock", obj(a={"type": "string", "minLength": 1}), (".properties.a.minLength",)),
    ("bedrock", obj(a={"type": "object", "additionalProperties": {}}), (".properties.a.additionalProperties",)),
    ("bedrock", obj(a={"type": "string", "format": "phone"}), (".properties.a.format",)),
    ("gemini", {"$ref": "#/$defs/A", "title": "t", "$defs": {"A": {}}}, (".$ref",)),
    ("gemini_tools", {"$ref": "#/$defs/A"}, (".$ref",)),
    ("mistral", {"$ref": "#/$defs/A"}, (".$ref",)),
    ("grammar", obj(a={"description": "anything"}), (".properties.a",)),
    ("grammar", obj(a={"required": ["b"]}), (".properties.a",)),
    ("grammar", obj(a={"type": "string", "pattern": "abc"}), (".properties.a.pattern",)),
    ("any_grammar", obj(a={"$ref": "#/$defs/A"}), (".properties.a.$ref",)),
)

#: target and a schema that it takes
TAKEN: Final[tuple[tuple[str, Schema], ...]] = (
    ("openai", obj(a={"anyOf": [{"type": "string"}, {"type": "null"}]}, b={"type": ["integer", "null"]})),
    ("openai", LIST),
    ("openai", NAMED),
    ("openai", obj(a={"const": {"additionalProperties": True, "type": "object"}})),
    ("openai", {**obj(a={"$ref": "#/$defs/a~1b%20c"}), "$defs": {"a/b c": {"type": "string"}}}),
    ("anthropic", obj(required=[], a={"type": "string"})),
    ("anthropic", obj(a={"type": "array", "items": {"type": "string"}, "minItems": 1})),
    ("anthropic", NAMED),
    ("bedrock", {**obj(a={"$ref": "#/$defs/A"}, b={"$ref": "#/$defs/A"}), "$defs": {"A": {"type": "string"}}}),
    ("gemini", LIST),
    ("gemini", {"$ref": "#/$defs/A", "$defs": {"A": {}}}),
    ("gemini_tools", {"$ref": "#/$defs/A", "description": "d", "$defs": {"A": {}}}),
    ("mistral", obj(closed=False, a={})),
    ("grammar", obj(a={}, b={"not": {"description": "no"}, "type": "string"}, c={"pattern": "^a$"})),
    ("any_grammar", obj(a={"description": "anything"})),
)


def paths(target: str, schema: Schema) -> list[str]:
    return [fault.path for fault in schema_faults(TARGETS[target], schema, "")]


@pytest.mark.parametrize(("target", "schema", "refused"), REFUSED)
def test_refuses(target: str, schema: Schema, refused: tuple[str, ...]) -> None:
    assert tuple(paths(target, schema)) == refused


@pytest.mark.parametrize(("target", "schema"), TAKEN)
def test_takes(target: str, schema: Schema) -> None:
    assert paths(target, schema) == []


def test_every_target_refuses_something() -> None:
    assert {row[0] for row in REFUSED} == set(TARGETS)


def test_faults_say_why() -> None:
    assert all(
        fault.what and fault.evidence and "{" not in fault.evidence.replace("{'", "")
        for target, schema, _ in REFUSED
        for fault in schema_faults(TARGETS[target], schema, "")
    )


def test_nesting_is_counted_by_objects() -> None:
    schema: Schema = {"type": "string"}
    for _ in range(11):
        schema = obj(a=schema)
    assert paths("openai", schema) == [""]
    assert paths("openai", schema["properties"]["a"]) == []


@pytest.mark.parametrize("target", TARGETS)
def test_depth_overflows_nothing(target: str) -> None:
    schema: Schema = {"type": "string"}
    for _ in range(2_000):
        schema = {"anyOf": [schema]}
    assert isinstance(paths(target, obj(a=schema)), list)


def test_what_is_no_schema_has_no_faults() -> None:
    assert list(schema_faults(TARGETS["openai"], None, "")) == []


def test_literal_values_are_no_schemas() -> None:
    schema = obj(a={"default": {"type": "object"}, "enum": [{"properties": {}}], "examples": [{"$ref": "#/x"}]})
    assert [place.path for place in places(schema, "")] == ["", ".properties.a"]


def test_openapi_schemas_have_another_null_and_other_letters() -> None:
    told = {"type": "OBJECT", "properties": {"type": {"type": "STRING", "nullable": True}, "nullable": {}}}
    assert json_schema(told) == {
        "type": "object",
        "properties": {"type": {"anyOf": [{"type": "string"}, {"type": "null"}]}, "nullable": {}},
    }


# --- recordings -----------------------------------------------------------------------------------------------------

#: protocols of the corpus, by the target that their services are
RECORDED: Final[Mapping[str, tuple[str, ...]]] = {
    "openai": ("openai-chat", "openai-responses", "azure-openai-chat", "azure-openai-responses"),
    "anthropic": ("anthropic-messages", "vertex-anthropic"),
    "bedrock": ("bedrock-converse", "bedrock-converse-stream"),
    "gemini": ("gemini", "vertex-gemini"),
    "mistral": ("mistral-chat",),
    "grammar": ("llama-cpp-chat", "ollama-chat"),
    "any_grammar": ("llama-cpp-chat", "ollama-chat", "ollama-openai-compat"),
}


def _held(body: Any, target: str) -> Iterator[Any]:
    """The schemas of a recorded request to which its service holds the model."""
    if isinstance(body, list):
        for item in body:
            yield from _held(item, target)
    elif isinstance(body, dict):
        strict = body.get("strict") is True or target in ("grammar", "any_grammar")
        if strict:
            yield from (body[key] for key in ("schema", "parameters", "input_schema") if key in body)
            yield from (held["json"] for held in (body.get("inputSchema"),) if held)
        if body.get("type") == "json_schema" and target == "anthropic":
            yield body["schema"]
        if "jsonSchema" in body:
            yield json.loads(body["jsonSchema"]["schema"])
        yield from (body[key] for key in ("responseJsonSchema", "parametersJsonSchema") if key in body)
        for value in body.values():
            yield from _held(value, target)


@needs_shared
@pytest.mark.parametrize("target", RECORDED)
def test_takes_what_the_service_took(target: str) -> None:
    judged, refused = 0, {}
    for found in exchanges(RECORDED[target]):
        try:
            body = json.loads(found.exchange.request.body or b"null")
        except ValueError:
            continue
        if found.exchange.response.status < 300:
            schemas = list(_held(body, target))
            judged += len(schemas)
            faults = [fault for schema in schemas for fault in schema_faults(TARGETS[target], schema, "")]
            refused.update({found.name: faults} if faults else {})
    assert refused == {}
    assert judged > 0
