"""``conformance score``: how a part of the harness does on a file of cases."""

from typing import Any

from harness.commands import score_errors, score_react


def add(commands: Any) -> None:
    """Add the parser, with one below it a kind of cases."""
    parser = commands.add_parser("score", help="how the readers of replies and errors do on a file of cases")
    kinds = parser.add_subparsers(required=True, metavar="KIND")
    score_react.add(kinds)
    score_errors.add(kinds)
