"""A run as Markdown: for a pull request, a wiki, or the summary page of a build."""

from collections.abc import Iterator, Sequence
from typing import Final

from harness.reporting.events import ViolationInfo
from harness.reporting.markup import code, fenced, inline, table
from harness.reporting.text import cut
from harness.reporting.timeline import rows
from harness.reporting.verdicts import BROKEN, LABELS, ProviderReport, RunReport, Verdict

#: failures that are told in full, and rules that are listed: build pages take a mebibyte
MOST_TOLD: Final = 20
MOST_LISTED: Final = 200
#: characters and rows of one failure
_WIDTH: Final = 160
_HEIGHT: Final = 14

_SIGNS: Final = {"pass": "✅", "fail": "❌", "warn": "⚠️", "note": "ℹ️"}


def render_markdown(report: RunReport) -> str:
    """The document of a run."""
    parts = (_head(report), _adapters(report), _families(report), _broken(report), _failures(report), _unclear(report))
    return "\n".join(line for part in parts for line in part).rstrip() + "\n"


def _head(report: RunReport) -> Iterator[str]:
    started = report.started
    yield from ("## Provider conformance", "")
    if report.partial:
        yield from (f"> **Partial run** ({inline(report.ending)}): what is missing is not a pass.", "")
    elif not report.complete:
        yield from ("> **Part of the suite**: what is missing is not a pass.", "")
    yield f"{_total(report)} {report.exchanges:,} exchanges in {report.seconds:.1f} s."
    gate = started.gate
    asked = (
        f"profiles {', '.join(gate.profiles)}" if gate.profiles else "",
        "strict" if gate.strict else "",
        f"requirements {gate.requirements}" if gate.requirements else "",
    )
    facts = (started.started, f"harness {started.version}", f"Python {started.python}", started.platform, *asked)
    yield from (f"{inline(', '.join(filter(None, facts)))}.", "", code(started.command), "")


def _total(report: RunReport) -> str:
    counts = [f"{sum(len(each.broken(level)) for each in report.providers)} {level}" for level in BROKEN]
    return f"Broken rules: {', '.join(counts)}."


def _adapters(report: RunReport) -> Iterator[str]:
    """The counts of each adapter."""
    words = [label.replace("_", " ") for label in LABELS]
    told = (
        [inline(each.info.name), _sdk(each), *(str(each.counts[label] or "") for label in LABELS)]
        for each in report.providers
    )
    yield from table(("adapter", "SDK", *words), told)


def _sdk(provider: ProviderReport) -> str:
    return inline(", ".join(f"{name} {version}" for name, version in provider.info.sdk.items()))


def _families(report: RunReport) -> Iterator[str]:
    """The matrix, a row a family: rules passed of those that are owed."""
    families = list(dict.fromkeys(rule.family for rule in report.rules))
    told = ([inline(family), *(_share(each, family) for each in report.providers)] for family in families)
    yield from ("### Rules passed, by family", "")
    yield from table(("family", *(inline(each.info.name) for each in report.providers)), told)


def _share(provider: ProviderReport, family: str) -> str:
    counts = provider.families[family]
    owed = counts.total() - counts["not_applicable"]
    sign = next((_SIGNS[label] for label in ("fail", "warn", "note") if counts[label]), "")
    return f"{counts['pass']}/{owed} {sign}".strip() if owed else "–"


def _found(report: RunReport) -> list[tuple[ProviderReport, Verdict]]:
    """What is broken, MUST rules first."""
    return [(each, verdict) for level in BROKEN for each in report.providers for verdict in each.broken(level)]


def _broken(report: RunReport) -> Iterator[str]:
    found = _found(report)
    if not found:
        return
    yield from ("### Broken rules", "")
    yield from table(("", "adapter", "rule", "what must hold", "scenarios"), map(_listed, found[:MOST_LISTED]))
    if len(found) > MOST_LISTED:
        yield from (f"{MOST_LISTED} of {len(found)} are listed.", "")


def _listed(found: tuple[ProviderReport, Verdict]) -> Sequence[str]:
    provider, verdict = found
    scenarios = f"{verdict.broken_in} of {verdict.exercised}"
    sign = f"{_SIGNS.get(verdict.label, '')} {verdict.rule.level}"
    return sign, inline(provider.info.name), code(verdict.rule.id), inline(verdict.rule.title), scenarios


def _failures(report: RunReport) -> Iterator[str]:
    """The failures that fail the run, each with its shortest exchange."""
    failed = [(each, verdict) for each, verdict in _found(report) if verdict.label == "fail"]
    for provider, verdict in failed[:MOST_TOLD]:
        breach = verdict.breaches[0]
        yield "<details>"
        yield f"<summary>{inline(f'{verdict.rule.id}: {provider.info.name}, {breach.scenario}')}</summary>"
        yield ""
        yield from fenced(cut(line, _WIDTH) for line in _told(breach.violation))
        yield from ("", "</details>", "")


def _told(violation: ViolationInfo) -> Iterator[str]:
    yield f"met:    {violation.met}"
    if violation.wanted:
        yield f"wanted: {violation.wanted}"
    for row in rows(violation.timeline, violation.index, _HEIGHT) if violation.timeline else ():
        yield f"{'>' if row.marked else ' '} {'' if row.place is None else row.place:>3} {row.text}"
    yield from violation.exchange.split("\n")[:_HEIGHT]
    if violation.repro:
        yield f"run again: {violation.repro}"
    if violation.file:
        yield f"repro file: {violation.file}"


def _unclear(report: RunReport) -> Iterator[str]:
    """Scenarios without a verdict, and expected failures that did not come."""
    crashes = ((each, crash) for each in report.providers for crash in each.crashes)
    told = [(inline(each.info.name), code(crash.scenario), inline(crash.message)) for each, crash in crashes]
    stale = [(inline(each.info.name), inline(entry.what)) for each in report.providers for entry in each.stale]
    for title, head, found in (
        ("Scenarios without a verdict", ("adapter", "scenario", "why"), told),
        ("Expected failures that passed", ("adapter", "failure"), stale),
    ):
        if found:
            yield from (f"### {title}", "")
            yield from table(head, found[:MOST_LISTED])
