"""The ``conformance`` command."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from harness import __version__
from harness.commands import cassettes, drift, replay, score
from harness.contract.rules import RULES
from harness.discovery import UnknownProviderError, find, missing, names, remedy, versions
from harness.reporting.events import BrokenReportError
from harness.reporting.html import write_html
from harness.reporting.rulebook import rulebook

_USAGE_ERROR: Final = 4  # pytest's exit code for the same mistake


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the result is the exit code."""
    options = _parser().parse_args(arguments)
    try:
        command: Callable[[argparse.Namespace], None] = options.command
        command(options)
    except (UnknownProviderError, BrokenReportError, OSError) as error:
        print(f"conformance: {error}", file=sys.stderr)  # noqa: T201
        return _USAGE_ERROR
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="conformance", description="Conformance of model-provider adapters.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser("list", help="the adapters there are, their protocols and installed SDKs")
    listing.set_defaults(command=_list)
    rules = commands.add_parser("rules", help="all rules, one a line")
    rules.add_argument("--markdown", action="store_true", help="as a document, with reasons, evidence and findings")
    rules.set_defaults(command=_rules)
    explain = commands.add_parser("explain", help="what a rule asks for, why, and on what evidence")
    explain.add_argument("rule", metavar="RULE", type=_rule_id)
    explain.set_defaults(command=_explain)
    report = commands.add_parser("report", help="draw a run's HTML matrix again from its JSON Lines file")
    report.add_argument("run", metavar="RUN.jsonl", type=Path)
    report.set_defaults(command=_report)
    cassettes.add(commands)
    drift.add(commands)
    replay.add(commands)
    score.add(commands)
    return parser


def _rule_id(text: str) -> str:
    if text.upper() not in RULES:
        close = [rule for rule in RULES if rule.startswith(text.upper().partition("-")[0])]
        raise argparse.ArgumentTypeError(f"there is no rule {text!r}. See: {', '.join(close) or 'conformance rules'}")
    return text.upper()


def _list(_: argparse.Namespace) -> None:
    for provider in find(names()):
        state = ", ".join(f"{name} {version}" for name, version in versions(provider).items())
        if missing(provider):
            state = f"not installed; remedy: {remedy(provider)}"
        _say(f"{provider.name:<17} {provider.dialect:<19} {state}")
        _say(f"{'':<17} profiles: {', '.join(provider.capabilities.profiles)}")


def _rules(options: argparse.Namespace) -> None:
    if options.markdown:
        _say(rulebook().removesuffix("\n"))
        return
    for rule in RULES.values():
        _say(f"{rule.id:<24} {rule.level:<6} {rule.profile:<10} {rule.title}")


def _explain(options: argparse.Namespace) -> None:
    rule = RULES[options.rule]
    _say(f"{rule.id} ({rule.level}, profile {rule.profile})")
    for label, text in (("must hold", rule.title), ("otherwise", rule.why), ("evidence", rule.evidence)):
        _say(f"  {label + ':':<11} {text}")


def _report(options: argparse.Namespace) -> None:
    page = options.run.with_suffix(".html")
    write_html(options.run, page)
    _say(str(page))


def _say(line: str) -> None:
    print(line)  # noqa: T201
