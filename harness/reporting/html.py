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
from math import inf
from pathlib import Path
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from harness.contract.capabilities import Profile
from harness.contract.rules import Rule
from harness.reporting.events import Event
from harness.reporting.jsonl import read_run, replace_file
from harness.reporting.picture import picture
from harness.reporting.scenarios import fault_rows, loop_rows
from harness.reporting.text import ELLIPSIS, cut, printable
from harness.reporting.timeline import Row, rows
from harness.reporting.verdicts import LABELS, Breach, Label, ProviderReport, RunReport, Verdict, aggregate

#: characters of one value, and cells of one row of a timeline, that a page shows
LONGEST_TEXT: Final = 2_000
WIDEST_ROW: Final = 100


@dataclass(frozen=True, slots=True)
class Room:
    """What a page has room for: violations of a cell, characters of a value, rows of a timeline and of a picture.

    Pages stay small enough for a phone whatever adapters say. A page never leaves out that a rule is broken.
    """

    breaches: int
    text: int
    timeline: int
    picture: int


#: by how many cells are broken at most
ROOMS: Final[Mapping[float, Room]] = {
    120: Room(3, LONGEST_TEXT, 16, 12),
    300: Room(1, 1_000, 16, 12),
    700: Room(1, 240, 5, 7),
    inf: Room(1, 200, 4, 4),
}


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
            room=_room(report),
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
    environment.filters |= {"breaches": _breaches, "timeline": _timeline, "picture": _picture, "fraction": _fraction}
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
    return printable(_head(value, LONGEST_TEXT), keep="\n")


def _room(report: RunReport) -> Room:
    cells = sum(bool(verdict.breaches) for provider in report.providers for verdict in provider.verdicts.values())
    return next(room for most, room in ROOMS.items() if cells <= most)


def _breaches(verdict: Verdict, room: Room) -> list[Breach]:
    """The first few violations that tell different things, told as briefly as there is room for."""
    distinct = {(breach.violation.met, breach.violation.wanted): breach for breach in reversed(verdict.breaches)}
    return [_brief(breach, room.text) for breach in list(reversed(distinct.values()))[: room.breaches]]


def _brief(breach: Breach, most: int) -> Breach:
    told = breach.violation
    wanted = None if told.wanted is None else _head(told.wanted, most)
    return replace(
        breach, violation=replace(told, met=_head(told.met, most), wanted=wanted, exchange=_head(told.exchange, most))
    )


def _head(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + ELLIPSIS


def _timeline(breach: Breach, room: Room) -> list[Row]:
    violation = breach.violation
    shown = rows(violation.timeline, violation.index, room.timeline) if violation.timeline else []
    return [replace(row, text=cut(row.text, WIDEST_ROW)) for row in shown]


def _picture(breach: Breach, room: Room) -> Markup:
    """The events as a picture; nothing where none came and none were expected."""
    violation = breach.violation
    if not violation.timeline and not violation.expected:
        return Markup("")
    return picture(violation.expected, violation.timeline, violation.index, room.picture)


def _fraction(provider: ProviderReport, group: Group) -> str:
    """Rules passed, of those that apply; empty where none does."""
    labels = [provider.verdicts[rule.id].label for rule in group.rules]
    applicable = len(labels) - labels.count("not_applicable")
    return f"{labels.count('pass')}/{applicable}" if applicable else ""


def _is_broken(rule: Rule, report: RunReport) -> bool:
    """Whether any adapter breaks the rule, expectedly or not."""
    return any(provider.verdicts[rule.id].breaches for provider in report.providers)
