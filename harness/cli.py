"""The ``conformance`` command."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import Final

from harness import __version__
from harness.commands import cassettes, diff, drift, explain, listing, new, replay, report, score, serve
from harness.commands.problems import UsageError
from harness.contract.rules import RULES
from harness.discovery import UnknownProviderError
from harness.reporting.events import BrokenReportError
from harness.reporting.rulebook import rulebook

_USAGE_ERROR: Final = 4  # pytest's exit code for the same mistake


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the result is the exit code."""
    options = _parser().parse_args(arguments)
    try:
        command: Callable[[argparse.Namespace], int | None] = options.command
        return command(options) or 0
    except BrokenPipeError:  # the reader has seen enough; what is still in the buffer has nowhere to go
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (UnknownProviderError, BrokenReportError, UsageError, OSError) as error:
        print(f"conformance: {error}", file=sys.stderr)
        return _USAGE_ERROR
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="conformance", description="Conformance of model-provider adapters.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing.add(commands)
    new.add(commands)
    rules = commands.add_parser("rules", help="all rules, one a line")
    rules.add_argument("--markdown", action="store_true", help="as a document, with reasons, evidence and findings")
    rules.set_defaults(command=_rules)
    explain.add(commands)
    report.add(commands)
    diff.add(commands)
    cassettes.add(commands)
    drift.add(commands)
    replay.add(commands)
    score.add(commands)
    serve.add(commands)
    return parser


def _rules(options: argparse.Namespace) -> None:
    if options.markdown:
        _say(rulebook().removesuffix("\n"))
        return
    for rule in RULES.values():
        _say(f"{rule.id:<24} {rule.level:<6} {rule.profile:<10} {rule.title}")


def _say(line: str) -> None:
    print(line)
