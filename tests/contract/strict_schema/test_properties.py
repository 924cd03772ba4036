"""What holds of every conversion: nothing changed in place, nothing twice, nothing unsound, nothing lost, all taken."""

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from harness.contract.strict_schema import TARGETS, SchemaNotStrict, convert, ensure_strict_json_schema
from harness.dialects.schemas import TARGETS as CHECKED
from harness.dialects.schemas import schema_faults
from tests.contract.strict_schema.instances import instances
from tests.contract.strict_schema.oracle import images, meant, valid, without_nulls
from tests.contract.strict_schema.schemas import DRAWN, IMPOSSIBLE, RECURSIVE

#: how each service's own checker calls the targets here
CHECKERS = {**{name: name for name in TARGETS}, "ollama": "any_grammar", "llamacpp": "any_grammar"}

every_target = pytest.mark.parametrize("target", TARGETS)
slowly = settings(deadline=None, suppress_health_check=list(HealthCheck))


def strict_of(schema: Any, target: str) -> Any:
    try:
        return convert(schema, target)
    except SchemaNotStrict:
        assume(False)


@every_target
@given(schema=DRAWN)
@example(schema=RECURSIVE)
@slowly
def test_the_input_stays_and_a_second_time_changes_nothing(target: str, schema: Any) -> None:
    before = copy.deepcopy(schema)
    try:
        made = convert(schema, target).schema
        assert convert(made, target).schema == made
    except SchemaNotStrict:
        pass
    assert schema == before


@every_target
@given(schema=DRAWN)
@example(schema=RECURSIVE)
@example(schema=IMPOSSIBLE)
@slowly
def test_the_service_takes_it(target: str, schema: Any) -> None:
    made = strict_of(schema, target).schema
    faults = list(schema_faults(CHECKED[CHECKERS[target]], made, "schema", "tool"))
    assert faults == [], json.dumps(made)


@every_target
@given(schema=DRAWN, data=st.data())
@slowly
def test_what_passes_the_strict_schema_passes_the_original(target: str, schema: Any, data: st.DataObject) -> None:
    made = strict_of(schema, target)
    assume(not made.weakenings)
    value = data.draw(instances(made.schema, made.schema))
    assume(valid(value, made.schema))
    assert valid(without_nulls(value, schema, schema), schema), json.dumps(made.schema)


@every_target
@given(schema=DRAWN, data=st.data())
@slowly
def test_what_passes_the_original_has_an_image(target: str, schema: Any, data: st.DataObject) -> None:
    made = strict_of(schema, target).schema
    closed = ensured(schema)
    value = data.draw(instances(closed, closed))
    assume(meant(value, schema))
    assert valid(images(value, made, made), made), json.dumps(made)


def ensured(schema: Any) -> Any:
    """The schema, closed: instances with properties that it does not describe are beyond a closed schema."""
    try:
        return ensure_strict_json_schema(schema)
    except SchemaNotStrict:
        assume(False)


@given(schema=DRAWN, complete=st.booleans())
@example(schema=RECURSIVE, complete=True)
@slowly
def test_closed_for_no_service_in_particular(schema: Any, complete: bool) -> None:
    before = copy.deepcopy(schema)
    try:
        made = ensure_strict_json_schema(schema, require_all_properties=complete)
    except SchemaNotStrict:
        return
    assert schema == before
    assert ensure_strict_json_schema(made, require_all_properties=complete) == made
    assert all(part.get("additionalProperties") is False for part in objects(made))
    if complete:
        assert all(set(part["required"]) == set(part["properties"]) for part in objects(made))


def objects(schema: Any) -> list[Any]:
    """Every schema of an object. Properties called ``properties`` or ``type`` are data."""
    found: list[Any] = []
    stack = [schema]
    while stack:
        part = stack.pop()
        if not isinstance(part, dict):
            continue
        kinds = part.get("type", ())
        if "properties" in part or "object" in ([kinds] if isinstance(kinds, str) else kinds):
            found.append(part)
        for key in ("properties", "$defs"):
            stack += part.get(key, {}).values()
        for key in ("anyOf", "oneOf", "prefixItems"):
            stack += part.get(key, [])
        stack.append(part.get("items"))
    return found
