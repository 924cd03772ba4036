"""``conformance score react``: how the ReAct reader does on a file of replies, beside the peers that are installed."""

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from harness.commands.react_cases import BrokenCaseError, Case, Outcome, Reader, ours, outcome, peers, read_cases


def add(kinds: Any) -> None:
    """Add the parser to those of ``conformance score``."""
    parser = kinds.add_parser("react", help="replies in the ReAct format: kind, tool, and input or answer")
    parser.add_argument("file", metavar="FILE", type=Path, help="cases, one JSON object a line")
    parser.add_argument("--json", metavar="OUT", type=Path, help="write the score as JSON, too")
    parser.set_defaults(command=_score)


def _score(options: argparse.Namespace) -> None:
    try:
        cases = read_cases(options.file)
    except BrokenCaseError as error:
        print(f"conformance: {error}", file=sys.stderr)
        raise SystemExit(4) from None
    wrong = _wrong(cases, ours)
    for case, found in wrong:
        _say(f"{case.id}: expected {_told(case.wanted)}\n{'':{len(case.id)}}       got {_told(found)}")
    _say(_line("provider-conformance", len(cases), len(wrong)))
    for name, reader in peers():
        _say(_line(name, len(cases), len(_wrong(cases, reader))))
    if options.json:
        score = {"cases": len(cases), "ok": len(cases) - len(wrong), "wrong": [case.id for case, _ in wrong]}
        options.json.write_text(json.dumps(score) + "\n", encoding="utf-8")


def _wrong(cases: Iterable[Case], reader: Reader) -> list[tuple[Case, Outcome]]:
    found = ((case, outcome(reader, case.text)) for case in cases)
    return [(case, got) for case, got in found if not got.same(case.wanted)]


def _told(found: Outcome) -> str:
    tool = f" {found.tool!r}" if found.tool is not None else ""
    value = f" {json.dumps(found.value, ensure_ascii=False)[:200]}" if found.kind != "error" else ""
    return f"{found.kind}{tool}{value}"


def _line(name: str, cases: int, wrong: int) -> str:
    ok = cases - wrong
    return f"{name:<21} {ok:>5} of {cases} ({ok / cases:.1%})"


def _say(line: str) -> None:
    print(line)
