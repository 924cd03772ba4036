"""The matrix of adapters and rules as one HTML page that needs nothing but itself.

Everything a page shows may have been chosen by an adapter or a server under test, so it is inert three times over:
every value is escaped by the template engine, unprintable characters are shown as their escapes, and the page's own
policy allows no script, style or address but the two texts that it was made with.
"""

import base64
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from harness.contract.capabilities import Profile
from harness.contract.rules import Rule
from harness.reporting.events import Event
from harness.reporting.jsonl import read_run, replace_file
from harness.reporting.scenarios import fault_rows, loop_rows
from harness.reporting.text import ELLIPSIS, cut, printable
from harness.reporting.timeline import Row, rows
from harness.reporting.verdicts import LABELS, Breach, Label, ProviderReport, RunReport, Verdict, aggregate

#: characters of one value, rows of one timeline and their cells, and violations of one cell that a page shows: pages
#: stay small enough for a phone whatever an adapter says
LONGEST_TEXT: Final = 2_000
WIDEST_ROW: Final = 120
LONGEST_TIMELINE: Final = 16
MOST_BREACHES: Final = 3
#: violations of a whole page; beyond it each cell shows fewer, but never none
MOST_OF_ALL: Final = 600


@dataclass(frozen=True, slots=True)
class Sign:
    """How a label looks, told by its shape as well as by its colour."""

    glyph: str
    word: str
    meaning: str


SIGNS: Final[Mapping[Label, Sign]] = {
    "pass": Sign("✓", "pass", "exercised and never violated"),
    "fail": Sign("✗", "fail", "a MUST rule was violated"),
    "warn": Sign("▲", "warn", "a SHOULD rule was violated"),
    "note": Sign("●", "note", "a MAY rule was violated"),
    "expected": Sign("◆", "expected", "violated, and listed as an expected failure"),
    "unscored": Sign("◇", "unscored", "not in the frozen set of requirements that was asked for"),
    "not_applicable": Sign("–", "n/a", "the adapter does not claim the rule's profile, or cannot show it"),
    "not_exercised": Sign("○", "not exercised", "no scenario put the rule to the test"),
}


@dataclass(frozen=True, slots=True)
class Group:
    """The rules of one family and profile."""

    family: str
    profile: Profile
    rules: tuple[Rule, ...]


def groups(rules: Iterable[Rule]) -> list[Group]:
    """The rules by family, then by profile, each in the order in which it first comes."""
    families: dict[str, dict[Profile, list[Rule]]] = {}
    for rule in rules:
        families.setdefault(rule.family, {}).setdefault(rule.profile, []).append(rule)
    return [
        Group(family, profile, tuple(members))
        for family, profiles in families.items()
        for profile, members in profiles.items()
    ]


def render_html(events: Iterable[Event]) -> str:
    """The page of a run. Raises BrokenReportError when the events are not those of one run."""
    report = aggregate(events)
    style, script = _part("matrix.css"), _part("matrix.js")
    return (
        _environment()
        .get_template("matrix.html.j2")
        .render(
            report=report,
            groups=groups(report.rules),
            scenarios=(("Faults", "fault", fault_rows(report)), ("Tool loop", "run", loop_rows(report))),
            labels=LABELS,
            signs=SIGNS,
            most=_most_breaches(report),
            style=Markup(style),  # noqa: S704 - our own file
            script=Markup(script),  # noqa: S704 - our own file
            policy=f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; base-uri 'none'",
        )
    )


def write_html(jsonl_path: Path, html_path: Path) -> None:
    """Render the run of one file into another. Raises BrokenReportError, naming file and line; OSError."""
    replace_file(html_path, render_html(read_run(jsonl_path).events).encode())


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("harness.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters |= {"breaches": _breaches, "timeline": _timeline, "fraction": _fraction}
    environment.tests["broken"] = _is_broken
    return environment


@cache
def _part(name: str) -> str:
    return files("harness.reporting").joinpath("templates", name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _shown(value: object) -> object:
    """What a page shows in place of a value: text that is printable and not endless."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    text = printable(value[:LONGEST_TEXT], keep="\n")
    return text if len(value) <= LONGEST_TEXT else text + ELLIPSIS


def _most_breaches(report: RunReport) -> int:
    """How many violations a cell shows."""
    cells = sum(bool(verdict.breaches) for provider in report.providers for verdict in provider.verdicts.values())
    return max(1, min(MOST_BREACHES, MOST_OF_ALL // max(1, cells)))


def _breaches(verdict: Verdict, most: int) -> list[Breach]:
    """The first few violations that tell different things."""
    distinct = {(breach.violation.met, breach.violation.wanted): breach for breach in reversed(verdict.breaches)}
    return list(reversed(distinct.values()))[:most]


def _timeline(breach: Breach) -> list[Row]:
    violation = breach.violation
    shown = rows(violation.timeline, violation.index, LONGEST_TIMELINE) if violation.timeline else []
    return [replace(row, text=cut(row.text, WIDEST_ROW)) for row in shown]


def _fraction(provider: ProviderReport, group: Group) -> str:
    """Rules passed, of those that apply; empty where none does."""
    labels = [provider.verdicts[rule.id].label for rule in group.rules]
    applicable = len(labels) - labels.count("not_applicable")
    return f"{labels.count('pass')}/{applicable}" if applicable else ""


def _is_broken(rule: Rule, report: RunReport) -> bool:
    """Whether any adapter breaks the rule, expectedly or not."""
    return any(provider.verdicts[rule.id].breaches for provider in report.providers)
