"""``conformance drift``: what has changed between two recordings."""

import argparse
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from harness.cassettes.drift.compare import compare, read
from harness.cassettes.drift.report import markdown
from harness.cassettes.model import CassetteError


def add(commands: Any) -> None:
    """Add the parser."""
    parser = commands.add_parser("drift", help="what has changed between two recordings, as Markdown")
    parser.add_argument("old", metavar="OLD", type=Path, help="a cassette, or a folder of them")
    parser.add_argument("new", metavar="NEW", type=Path)
    parser.add_argument("--max-age", metavar="DAYS", type=_days, help="mark new recordings that are older")
    parser.set_defaults(command=_drift)


def _days(text: str) -> timedelta:
    return timedelta(days=float(text))


def _drift(options: argparse.Namespace) -> None:
    try:
        old, new = read(options.old), read(options.new)
    except CassetteError as error:
        print(f"conformance: {error}", file=sys.stderr)
        raise SystemExit(4) from None
    for line in markdown(old, new, compare(old, new), options.max_age, datetime.now(UTC)):
        print(line)
