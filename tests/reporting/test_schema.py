import json

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from harness.reporting.events import BrokenReportError, Event, from_json
from harness.reporting.schema import NAME, made, run_event_schema
from tests.reporting.runs import MUST, run, scenario
from tests.reporting.test_jsonl import EVENTS

VALIDATOR = Draft202012Validator(run_event_schema())


def test_the_schema_that_ships_is_that_of_the_types() -> None:
    Draft202012Validator.check_schema(run_event_schema())
    assert run_event_schema() == json.loads(made()), f"write harness/reporting/{NAME} anew from schema.made()"


@settings(deadline=None)
@given(EVENTS)
def test_every_line_is_an_instance(event: Event) -> None:
    VALIDATOR.validate(json.loads(event.to_json()))


def changed(**changes: object) -> str:
    return json.dumps(json.loads(run(scenario((MUST,), (MUST,), "failed"))[1].to_json()) | changes)


def without(field: str) -> str:
    return json.dumps({k: v for k, v in json.loads(changed()).items() if k != field})


@pytest.mark.parametrize(
    "line",
    [
        changed(event="scenario_begun"),
        changed(outcome="flaky"),
        changed(exchanges="3"),
        changed(exchanges=-1),
        changed(more=1),
        changed(violations=[{"rule": MUST}]),
        without("event"),
        without("provider"),
        "[]",
    ],
)
def test_what_the_harness_does_not_read_is_no_instance(line: str) -> None:
    with pytest.raises(BrokenReportError):
        from_json(line)
    assert not VALIDATOR.is_valid(json.loads(line))
