"""``conformance replay``: failures run again from their repro files."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.repro.model import ReproError

if TYPE_CHECKING:
    from harness.suite.judging import Judgement


def add(commands: Any) -> None:
    """Add the parser."""
    parser = commands.add_parser("replay", help="run the failures of repro files again; exit status 1 where one is met")
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path)
    parser.add_argument("--provider", metavar="NAME", action="append", default=[], help="another adapter than it names")
    parser.add_argument("--cassettes", metavar="DIR", type=Path, default=Path("cassettes"))
    parser.set_defaults(command=_replay)


def _replay(options: argparse.Namespace) -> None:
    from harness.suite.again import run_again  # with it come pytest and hypothesis
    from harness.suite.repros import read_files

    broken = 0
    try:
        for judgement in run_again(read_files(options.files), options.provider, options.cassettes):
            broken += bool(judgement.binding)
            _tell(judgement)
    except ReproError as error:
        print(f"conformance: {error}", file=sys.stderr)
        raise SystemExit(4) from None
    if broken:
        raise SystemExit(1)


def _tell(judgement: "Judgement") -> None:
    origin, provider = judgement.case.origin, judgement.case.provider.name
    if origin is None:
        return
    if judgement.binding:
        _say(judgement.text())
    _say(f"{'broken' if judgement.binding else 'passes'}: {origin.rule} by {provider} ({origin.file})")


def _say(line: str) -> None:
    print(line)
