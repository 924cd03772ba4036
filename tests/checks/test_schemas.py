"""What schemas mean: the catalogue's instances, and what is and is no change of meaning."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from harness.checks.findings import Findings
from harness.checks.schemas import check_schemas
from harness.dialects.base import RequestView, ToolView
from harness.exchange import Call, Exchange, Samples
from harness.scenarios.catalogue.schemas import SCHEMAS_BY_NAME, asked


@dataclass
class _Log:
    exchanges: list[Any] = field(default_factory=lambda: [None])


@dataclass
class _Seen:
    """As much of an observation as the check looks at."""

    exchange: Exchange
    views: list[RequestView]
    error: Exception | None = None
    timed_out: bool = False
    log: _Log = field(default_factory=_Log)


def broken(name: str, sent: Any, strict: bool | None = None) -> set[str]:
    """The rules that a schema breaks where it arrives in place of one of the catalogue."""
    return _broken(asked(name, {}), sent, strict)


def _broken(call: Call, sent: Any, strict: bool | None = None) -> set[str]:
    view = RequestView(None, True, (), (), (ToolView("t", "d", sent, strict),))
    findings = Findings()
    seen: Any = _Seen(Exchange(call), [view])
    check_schemas(seen, findings)
    return set(findings.broken)


@pytest.mark.parametrize("name", SCHEMAS_BY_NAME)
def test_instances_are_what_they_are_said_to_be(name: str) -> None:
    schema, samples = SCHEMAS_BY_NAME[name]
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        pytest.fail(str(error))
    valid = Draft202012Validator(schema).is_valid
    assert all(valid(value) for value in samples.allowed)
    assert not any(valid(value) for value in samples.refused)
    assert all(valid(value) and valid(emptied) and value != emptied for value, emptied in samples.maps)


@pytest.mark.parametrize("name", SCHEMAS_BY_NAME)
def test_what_is_sent_as_it_is_breaks_nothing(name: str) -> None:
    assert broken(name, SCHEMAS_BY_NAME[name][0]) == set()


def _object(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
UNIT = {"type": "string", "enum": ["c", "f"]}
ALL = ["city", "days", "unit"]


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def test_null_may_stand_for_what_is_optional() -> None:
    unit = {"type": ["string", "null"], "enum": ["c", "f", None]}
    assert broken("optional", _object(ALL, city=TEXT, days=_or_null(NUMBER), unit=unit), True) == set()


def test_what_is_optional_must_not_be_needed() -> None:
    assert broken("optional", _object(ALL, city=TEXT, days=NUMBER, unit=UNIT), True) == {"SCHEMA-COMPLETE"}
    broken_enum = {"type": ["string", "null"], "enum": ["c", "f"]}
    assert broken("optional", _object(ALL, city=TEXT, days=NUMBER, unit=broken_enum), True) == {"SCHEMA-COMPLETE"}


def test_what_is_needed_must_not_be_optional() -> None:
    assert broken("optional", _object(["city"], city=_or_null(TEXT), days=NUMBER, unit=UNIT)) == {"SCHEMA-SOUND"}


def test_schemas_of_openapi_mean_the_same() -> None:
    properties = {"city": {"type": "STRING"}, "days": {"type": "INTEGER", "nullable": True}, "unit": {"type": "STRING"}}
    assert broken("optional", {"type": "OBJECT", "properties": properties, "required": ["city", "days"]}) == set()


def test_a_map_may_be_written_in_another_way() -> None:
    pairs = {"type": "array", "items": _object(["key", "value"], key=TEXT, value=NUMBER)}
    call = asked("maps", {})
    call = Call(call.messages, call.tool_specs, samples={"maps": Samples(maps=call.samples["maps"].maps)})
    assert _broken(call, _object(["counts", "anything", "open"], counts=pairs, anything=TEXT, open=TEXT)) == set()


@pytest.mark.parametrize("reference", ["#/$defs/Lost", "https://example.com/schema", "#/$defs/Node"])
def test_references_that_lead_nowhere_allow_nothing(reference: str) -> None:
    sent = _object(["root"], root={"$ref": reference, "description": "Where the tree begins. What comes before."})
    assert broken("recursive", sent) == {"SCHEMA-COMPLETE"}


def test_a_refusal_in_words_is_no_breach() -> None:
    findings = Findings()
    seen: Any = _Seen(Exchange(asked("recursive", {})), [], ValueError("recursive holds itself"), log=_Log([]))
    check_schemas(seen, findings)
    assert (findings.broken, findings.exercised) == ({}, {"SCHEMA-HANDLED"})
    seen = _Seen(Exchange(asked("recursive", {})), [], RecursionError(), log=_Log([]))
    check_schemas(seen, findings)
    assert set(findings.broken) == {"SCHEMA-HANDLED"}
