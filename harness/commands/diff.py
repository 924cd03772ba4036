"""``conformance diff`` and ``conformance baseline``: two runs compared, and one kept to compare with."""

import argparse
from pathlib import Path
from typing import Any, Final

from harness.commands.problems import UsageError
from harness.reporting.baseline import FOLDER, keep
from harness.reporting.diff import compare, read_side
from harness.reporting.diff_text import markdown, text

_WORSE: Final = 1


def add(commands: Any) -> None:
    """Add the parsers."""
    parser = commands.add_parser("diff", help="verdicts that moved between two runs; exit code 1 when any got worse")
    parser.add_argument("old", metavar="OLD", type=Path, help="a run's JSON Lines file, or a folder of them")
    parser.add_argument("new", metavar="NEW", type=Path)
    parser.add_argument("--markdown", action="store_true", help="as tables for a pull request")
    parser.set_defaults(command=_diff)
    parser = commands.add_parser("baseline", help="keep a run's verdicts, one file an adapter, to compare with")
    parser.add_argument("run", metavar="RUN.jsonl", type=Path)
    parser.add_argument("--folder", type=Path, default=FOLDER, help=f"where to keep them (default: {FOLDER})")
    parser.set_defaults(command=_baseline)


def _diff(options: argparse.Namespace) -> int:
    found = compare(read_side(options.old), read_side(options.new))
    if not found.providers:
        raise UsageError(f"{options.old} and {options.new} have no adapter in common")
    for line in (markdown if options.markdown else text)(found):
        print(line)
    return _WORSE if found.worse else 0


def _baseline(options: argparse.Namespace) -> None:
    for path in keep(options.run, options.folder):
        print(path)
