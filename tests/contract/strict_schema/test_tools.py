"""The tools that people use, and the keywords one by one: strict, weaker in words, or refused in words."""

import runpy
from typing import Any

import pytest

from harness.contract.strict_schema import TARGETS, SchemaNotStrict, convert, ensure_strict_json_schema
from harness.dialects.schemas import TARGETS as CHECKED
from harness.dialects.schemas import schema_faults
from tests.contract.strict_schema.keywords import CASES, within
from tests.contract.strict_schema.oracle import images, valid, without_nulls
from tests.contract.strict_schema.outcomes import outcome
from tests.contract.strict_schema.schemas import MCP, TOOLS
from tests.contract.strict_schema.test_properties import CHECKERS

every_target = pytest.mark.parametrize("target", TARGETS)

#: what no service can be told, and what must therefore be refused by all that take closed objects only
REFUSED = ("Bag", "Loose", "Anything", "headers", "patterned", "outside", "dangling", "itself")


@every_target
@pytest.mark.parametrize("tool", [*MCP, *TOOLS])
def test_a_tool_is_taken_or_refused_in_words(tool: str, target: str) -> None:
    found = outcome({**MCP, **TOOLS}[tool], target)
    if found.schema is None:
        (reason,) = found.reasons
        assert reason.startswith("#")
        assert reason.count(". ") >= 1
    else:
        assert list(schema_faults(CHECKED[CHECKERS[target]], found.schema, "schema", "tool")) == []


@pytest.mark.parametrize("target", ["openai", "anthropic", "bedrock", "mistral"])
@pytest.mark.parametrize("tool", REFUSED)
def test_no_open_map_becomes_an_empty_object(tool: str, target: str) -> None:
    assert outcome(TOOLS[tool], target).word == "no"


@pytest.mark.parametrize("tool", [tool for tool in MCP if tool != "everything.elicit"])
def test_tools_of_the_protocols_own_servers_are_strict_for_openai(tool: str) -> None:
    assert outcome(MCP[tool], "openai").word != "no"


@every_target
@pytest.mark.parametrize("name", CASES)
def test_a_keyword_keeps_its_meaning(name: str, target: str) -> None:
    case = CASES[name]
    schema = within(case.schema)
    found = outcome(schema, target)
    if found.schema is None:
        return
    for value in case.passing:
        assert valid(images({"x": value}, found.schema, found.schema), found.schema), value
    for value in case.failing if found.word == "yes" else ():
        # A strict schema may take a null for a property that was left out; without it the value must still fail.
        strict: Any = found.schema
        taken = valid({"x": value}, strict)
        assert not taken or not valid(without_nulls({"x": value}, schema, schema), schema), value
        assert not taken, value


def test_a_deep_schema_is_refused_by_its_depth() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(500):
        schema = {"type": "object", "properties": {"a": schema}}
    with pytest.raises(SchemaNotStrict, match="deeper than 100 levels"):
        ensure_strict_json_schema(schema)


@pytest.mark.parametrize("key", ["anyOf", "allOf", "oneOf"])
def test_deep_choices_are_refused_or_flattened(key: str) -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}}
    for _ in range(500):
        schema = {key: [schema]}
    try:
        made = ensure_strict_json_schema(schema)
    except SchemaNotStrict as error:
        assert "deeper" in str(error)  # noqa: PT017 - either outcome is right
    else:
        assert made["properties"] == {"a": {"type": "string"}}


def test_many_properties_and_definitions() -> None:
    names = [f"p{number}" for number in range(10_000)]
    wide = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    assert len(ensure_strict_json_schema(wide, require_all_properties=True)["required"]) == 10_000
    with pytest.raises(SchemaNotStrict, match="10000 properties are more than the 5000 of openai"):
        convert(wide, "openai")


def test_a_long_chain_of_definitions_does_not_deepen() -> None:
    link = {"type": "object", "properties": {"v": {"type": "string"}}}
    chain = {f"L{at}": {**link, "properties": {"next": {"$ref": f"#/$defs/L{at + 1}"}}} for at in range(2000)}
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/L0"}}, "$defs": {**chain, "L2000": link}}
    assert len(ensure_strict_json_schema(schema)["$defs"]) == 2001


def test_the_error_names_place_reason_and_remedy() -> None:
    with pytest.raises(SchemaNotStrict) as caught:
        convert(TOOLS["headers"], "openai")
    assert caught.value.path == "#/properties/headers"
    assert "any name" in caught.value.reason
    assert str(caught.value) == f"{caught.value.path}: {caught.value.reason}. {caught.value.remedy}"


@pytest.mark.parametrize(
    ("part", "told"),
    [
        (
            {"type": "integer", "enum": [1.5, "1", True]},
            r"none of \[1.5, '1', True\] is of the type 'integer'",
        ),
        ({"type": ["object", "null"], "const": "x"}, "none of"),
    ],
)
def test_values_of_other_types_are_refused(part: dict[str, Any], told: str) -> None:
    with pytest.raises(SchemaNotStrict, match=told):
        convert({"type": "object", "properties": {"a": part}}, "ollama")


@pytest.mark.parametrize("value", [1, 1.0])
def test_whole_numbers_are_integers(value: float) -> None:
    part = {"type": "integer", "enum": [value, "one"]}
    assert convert({"type": "object", "properties": {"a": part}}, "ollama").schema["properties"]["a"] == part


def test_none_takes_schemas_as_they_are() -> None:
    made = convert(TOOLS["headers"], "none").schema
    assert made == TOOLS["headers"]
    assert made["properties"] is not TOOLS["headers"]["properties"]


def test_the_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_module("tests.contract.strict_schema", run_name="__main__")
    told = capsys.readouterr().out
    assert "filesystem.edit_file" in told
    assert "headers (openai, anthropic, bedrock, mistral): #/properties/headers: the object takes" in told
