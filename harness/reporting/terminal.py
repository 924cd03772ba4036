"""The summary of a run for a terminal: plain lines of at most 80 cells, each with the colour it may be shown in."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from rich.cells import set_cell_size

from harness.reporting.grid import scenario_lines
from harness.reporting.scenarios import fault_rows, loop_rows
from harness.reporting.text import cut, cut_front
from harness.reporting.verdicts import BROKEN, LABELS, Label, ProviderReport, RunReport, Verdict

WIDTH: Final = 80
#: runs with more adapters than this get one row an adapter in place of one row a family
MOST_DETAILED: Final = 3

_HEADINGS: Final[Mapping[Label, str]] = {
    "pass": "pass",
    "fail": "fail",
    "warn": "warn",
    "note": "note",
    "expected": "expected",
    "unscored": "unscored",
    "not_applicable": "n/a",
    "not_exercised": "not exercised",
}
_COLOURS: Final[Mapping[str, str]] = {
    "MUST": "red",
    "SHOULD": "yellow",
    "MAY": "cyan",
    "error": "red",
    "skip": "yellow",
    "stale": "red",
}
_SCENARIO_COLOURS: Final[Mapping[Label, str]] = {"fail": "red", "warn": "yellow"}
#: the columns of most runs
_USUAL: Final = tuple(label for label in LABELS if label != "unscored")
#: the columns of runs that score a frozen set: eighty cells do not hold all
_SCORED: Final = tuple(label for label in LABELS if label != "note")


class Line(NamedTuple):
    """One line. ``markup`` is what pytest's ``write_line`` takes beside it, such as ``{"red": True}``."""

    text: str
    markup: Mapping[str, bool] = {}


def summary(report: RunReport, path: str | None = None, *, quiet: bool = False) -> list[Line]:
    """The summary of a run: tables of counts, then what is broken, one line each. ``path`` is the report's.

    A quiet one has no tables.
    """
    told = _quiet(report.providers) if quiet else [*_tables(report), *_scenarios(report)]
    return [*told, *_gate(report), *_partial(report), *_totals(report), *_path(path)]


def _quiet(providers: Iterable[ProviderReport]) -> Iterator[Line]:
    for provider in providers:
        if findings := [*_findings(provider)]:
            yield from (_title(provider), *findings)


def _tables(report: RunReport) -> Iterator[Line]:
    many = len(report.providers) > MOST_DETAILED
    columns = _SCORED if report.scoring.scored else _USUAL
    return (_overview if many else _detailed)(report.providers, columns)


def _detailed(providers: Iterable[ProviderReport], columns: Sequence[Label]) -> Iterator[Line]:
    for provider in providers:
        yield _title(provider)
        yield _headings("family", columns)
        yield from (_row(family, counts, columns) for family, counts in provider.families.items())
        yield _row("all", provider.counts, columns, bold=True)
        yield from _findings(provider)
        yield Line("")


def _overview(providers: Iterable[ProviderReport], columns: Sequence[Label]) -> Iterator[Line]:
    yield _headings("adapter", columns)
    yield from (_row(provider.info.name, provider.counts, columns) for provider in providers)
    yield Line("")
    for provider in providers:
        if findings := [*_findings(provider)]:
            yield from (_title(provider), *findings, Line(""))


def _title(provider: ProviderReport) -> Line:
    sdk = ", ".join(f"{name} {version}" for name, version in provider.info.sdk.items())
    return Line(cut("  ".join(filter(None, (provider.info.name, provider.info.dialect, sdk))), WIDTH), {"bold": True})


def _headings(first: str, columns: Sequence[Label]) -> Line:
    return Line(f"  {_padded(first, columns)}" + "".join(f"   {_HEADINGS[label]}" for label in columns))


def _row(name: str, counts: Mapping[Label, int], columns: Sequence[Label], bold: bool = False) -> Line:
    cells = (f"{counts.get(label, 0) or '-':>{len(_HEADINGS[label]) + 3}}" for label in columns)
    worst = next((_COLOURS[level] for level, label in BROKEN.items() if counts.get(label)), None)
    markup = ({worst: True} if worst else {}) | ({"bold": True} if bold else {})
    return Line(f"  {_padded(name, columns)}" + "".join(cells), markup)


def _padded(name: str, columns: Sequence[Label]) -> str:
    """The name in the cells that the counts leave to the first column; wide characters take two."""
    room = WIDTH - 2 - sum(len(_HEADINGS[label]) + 3 for label in columns)
    return set_cell_size(cut(name, room), room)


def _findings(provider: ProviderReport) -> Iterator[Line]:
    """What a reader must act on: MUST failures first."""
    for level in BROKEN:
        yield from (_failing(verdict) for verdict in provider.broken(level))
    for crash in provider.crashes:
        yield _finding("error", f"{crash.scenario}: {crash.message}")
    if skipped := provider.skipped:
        yield _finding("skip", f"{len(skipped)} scenarios, such as {skipped[0].scenario}: {skipped[0].message}")
    for entry in provider.stale:
        yield _finding("stale", f"{entry.what} passes, but is listed as an expected failure")


def _failing(verdict: Verdict) -> Line:
    rule = verdict.rule
    return _finding(rule.level, f"{rule.id:<21} {f'{verdict.broken_in}x':>4} {rule.title}")


def _finding(kind: str, text: str) -> Line:
    return Line(cut(f"  {kind:<6} {text}", WIDTH), {_COLOURS[kind]: True})


def _scenarios(report: RunReport) -> Iterator[Line]:
    """The matrices of faults and of runs of the tool loop."""
    for head, rows in (("fault", fault_rows(report)), ("run of the loop", loop_rows(report))):
        for text, label in scenario_lines(rows, WIDTH, head):
            yield Line(text, {_SCENARIO_COLOURS[label]: True} if label else {})
        if rows:
            yield Line("")


def _gate(report: RunReport) -> Iterator[Line]:
    """What was asked for beside the usual."""
    gate = report.scoring.gate
    told = (
        f"profiles: {', '.join(gate.profiles)}" if gate.profiles else "",
        "strict: SHOULD rules bind, too" if gate.strict else "",
        f"requirements: {gate.requirements}" if gate.requirements else "",
    )
    if any(told):
        yield Line(cut("; ".join(filter(None, told)), WIDTH))


def _partial(report: RunReport) -> Iterator[Line]:
    """Whatever keeps the numbers from being those of the whole suite."""
    if report.partial:
        yield Line(cut(f"PARTIAL RUN ({report.ending}): what is missing is not a pass.", WIDTH), {"red": True})
    elif not report.complete:
        yield Line("Only a part of the suite was run.", {"yellow": True})


def _totals(report: RunReport) -> Iterator[Line]:
    broken = ", ".join(f"{sum(len(p.broken(level)) for p in report.providers)} {level}" for level in BROKEN)
    yield Line(cut(f"broken rules: {broken}. {report.exchanges:,} exchanges in {report.seconds:.1f} s.", WIDTH))


def _path(path: str | None) -> Iterator[Line]:
    if path:
        yield Line(f"report: {cut_front(path, WIDTH - len('report: '))}")
