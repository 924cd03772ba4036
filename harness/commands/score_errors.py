"""``conformance score errors``: what becomes of vendor errors, by their fields and through SDKs and adapters."""

import argparse
import json
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from harness.commands.error_cases import ErrorCase, read_error_cases
from harness.commands.error_telling import adapters, told
from harness.commands.react_cases import BrokenCaseError
from harness.contract.errors import classify
from harness.dialects.base import Dialect
from harness.discovery import find, missing
from harness.exchange import Answer, Exchange
from harness.laboratory import Laboratory
from harness.provider import Provider
from harness.run import observe
from harness.scenarios.catalogue.samples import said

#: classes that one exception of the contract stands for
_THROTTLED: Final = frozenset({"throttle", "overloaded"})
_KINDS: Final[Mapping[str, frozenset[str]]] = {
    "ModelThrottledException": _THROTTLED,
    "ContextWindowOverflowException": frozenset({"overflow"}),
    "ToolsUnsupportedException": frozenset({"tools_unsupported"}),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the score: the classes of cases that it counts, and the classes that are right answers for them."""

    name: str
    counts: frozenset[str]
    right: frozenset[str]


def _row(name: str) -> Row:
    counts = frozenset(name.split("+"))
    return Row(name, counts, _THROTTLED if counts.issubset(_THROTTLED) else counts)


#: what adapters can tell apart
_MAPPED: Final = tuple(map(_row, ("throttle", "overloaded", "throttle+overloaded", "overflow", "tools_unsupported")))

#: what was found for a case: the classes that its answer stands for
Found = Mapping[str, frozenset[str]]


def add(kinds: Any) -> None:
    """Add the parser to those of ``conformance score``."""
    parser = kinds.add_parser("errors", help="vendor errors: what they mean, by their fields and through the adapters")
    parser.add_argument("file", metavar="FILE", type=Path, help="cases, one JSON object a line")
    parser.add_argument("--json", metavar="OUT", type=Path, help="write the score as JSON, too")
    parser.set_defaults(command=_score)


def _score(options: argparse.Namespace) -> None:
    try:
        cases = read_error_cases(options.file)
    except BrokenCaseError as error:
        print(f"conformance: {error}", file=sys.stderr)
        raise SystemExit(4) from None
    known = {row.name for row in _MAPPED}
    others = tuple(_row(name) for name in dict.fromkeys(case.means for case in cases) if name not in known)
    met = [case for case in cases if told(case) is not None]
    scores = {
        "fields": _tallies((*_MAPPED, *others), cases, [_by_fields(cases)]),
        "adapters": _tallies(_MAPPED, met, _by_adapters(met)),
    }
    for title, score in scores.items():
        _print(title, score)
    if options.json:
        options.json.write_text(json.dumps(scores) + "\n", encoding="utf-8")


def _by_fields(cases: Iterable[ErrorCase]) -> Found:
    rows = ((case.id, classify(case.facts)) for case in cases)
    return {identifier: frozenset({row.means}) if row else frozenset() for identifier, row in rows}


def _tallies(rows: Iterable[Row], cases: Sequence[ErrorCase], found: Sequence[Found]) -> dict[str, dict[str, Any]]:
    return {row.name: _tally(row, cases, found) for row in rows}


def _tally(row: Row, cases: Sequence[ErrorCase], found: Sequence[Found]) -> dict[str, Any]:
    """Cases of the row, those that all who were asked got right, and false alarms of any."""
    counted = [case for case in cases if case.means in row.counts]
    missed = [case.id for case in counted if not all(means & row.right for means in _answers(case, found))]
    strangers = [case for case in cases if case.means not in row.right]
    alarms = [case.id for case in strangers if any(means & row.counts for means in _answers(case, found))]
    return {
        "rows": len(counted),
        "found": len(counted) - len(missed),
        "false_alarms": len(alarms),
        "wrong": missed + alarms,
    }


def _answers(case: ErrorCase, found: Iterable[Found]) -> Iterator[frozenset[str]]:
    return (one[case.id] for one in found if case.id in one)


def _by_adapters(cases: Sequence[ErrorCase]) -> list[Found]:
    """What each adapter that is installed raises for the cases that it can meet."""
    names = dict.fromkeys(name for case in cases for name in adapters(case))
    laboratory = Laboratory()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [_met(laboratory, provider, cases) for provider in find(names) if not _skipped(provider)]
    finally:
        laboratory.close()


def _skipped(provider: Provider) -> bool:
    lacking = missing(provider)
    if lacking:
        _say(f"{provider.name}: not asked, {', '.join(lacking)} is not installed")
    return bool(lacking)


def _met(laboratory: Laboratory, provider: Provider, cases: Sequence[ErrorCase]) -> Found:
    bench = laboratory.bench(provider)
    found: dict[str, frozenset[str]] = {}
    for case in cases:
        if provider.name in adapters(case):
            seen = laboratory.run(observe(bench.subject, _exchange(case, bench.subject.dialect)))
            found[case.id] = frozenset().union(*(_KINDS.get(kind, frozenset()) for kind in seen.kinds))
    return found


def _exchange(case: ErrorCase, dialect: Dialect) -> Exchange:
    error = told(case)
    streamed = case.in_stream and error is not None and error.in_stream is not None
    return Exchange(answer=Answer(said(dialect, "Hello"), error=error, error_after=2 if streamed else None))


def _print(title: str, score: Mapping[str, Mapping[str, Any]]) -> None:
    _say(f"{title:<21} {'rows':>5} {'found':>6} {'false':>6}")
    for name, row in score.items():
        wrong = f"  {', '.join(row['wrong'])}" if row["wrong"] else ""
        _say(f"  {name:<19} {row['rows']:>5} {row['found']:>6} {row['false_alarms']:>6}{wrong}")


def _say(line: str) -> None:
    print(line)
