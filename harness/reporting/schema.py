"""The JSON Schema of a run's events: one line of a report is one instance.

The schema ships beside this module, so that other tools can read reports without the harness; it is made from the
types themselves, and a test holds the two together.
"""

import json
from importlib.resources import files
from typing import Any, Final

from pydantic import TypeAdapter

from harness.reporting.events import EVENTS

NAME: Final = "run-event.schema.json"


def run_event_schema() -> dict[str, Any]:
    """The schema as it ships."""
    found: dict[str, Any] = json.loads(files("harness.reporting").joinpath(NAME).read_text(encoding="utf-8"))
    return found


def made(adapter: TypeAdapter[Any] = EVENTS) -> str:
    """The schema of the types as they are, as the text of its file."""
    told = adapter.json_schema()
    for choice in told["oneOf"]:  # what tells the events apart has a default in each type, and is in every line
        told["$defs"][choice["$ref"].rpartition("/")[2]]["required"].append("event")
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A run event of provider-conformance",
        "description": "One line of a report. A run is run_started, then scenario_finished for each scenario, then "
        "run_finished; a run without the last one is partial.",
        **told,
    }
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"
