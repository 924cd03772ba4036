"""``conformance report``: a run's reports, made again from its events."""

import argparse
import json
from pathlib import Path
from typing import Any

from harness.commands.problems import UsageError
from harness.reporting.outputs import write_reports
from harness.reporting.schema import run_event_schema


def add(commands: Any) -> None:
    """Add the parser."""
    parser = commands.add_parser("report", help="draw a run's reports again from its JSON Lines file")
    parser.add_argument("run", metavar="RUN.jsonl", type=Path, nargs="*")
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of the lines of a run")
    parser.set_defaults(command=_report)


def _report(options: argparse.Namespace) -> None:
    if options.schema:
        print(json.dumps(run_event_schema(), indent=2))
        return
    if not options.run:
        raise UsageError("report: name a run's JSON Lines file")
    for run in options.run:
        for path in write_reports(run)[1]:
            print(path)
