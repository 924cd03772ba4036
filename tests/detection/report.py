"""The table, the rates by category, and the JSON file of a bench."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final

from tests.detection.environments import parsed
from tests.detection.verdicts import Outcome, Verdict


def table(verdicts: Iterable[Verdict], *, verbose: bool = False) -> Iterator[str]:
    """A line for each bug, then the breach that gives it away, so that a person can judge."""
    for each in verdicts:
        bug = each.bug
        versions = f"{bug.last_bad} -> {bug.first_fixed}" if bug.pair else f"{bug.last_bad}, not fixed"
        yield f"{each.outcome:<12}  {bug.id}  [{bug.provider}, {bug.category}, {versions}]  {bug.title}"
        yield from _reasons(each, verbose=verbose)


def _reasons(each: Verdict, *, verbose: bool) -> Iterator[str]:
    if each.why:
        yield f"    {each.why}"
    if len(each.tried) > 1:
        yield f"    shown by {len(each.seen_at)} of {len(each.tried)} adapters: {', '.join(each.seen_at)}"
    for sign in each.signs if verbose else each.signs[:2]:
        sure = "" if sign.close else "  (of this kind; not tied to the row's words)"
        yield f"    {sign.rule} in {sign.scenario}, {sign.examples} exchange(s) of {sign.provider}{sure}"
        yield f"        met: {_line(sign.met)}"
        yield f"        in:  {_line(' | '.join(sign.exchange))}"
    if each.outcome == "missed" and each.others:
        yield f"    rules of other kinds tell the versions apart: {', '.join(each.others)}"


def _line(text: str, limit: int = 220) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else f"{flat[: limit - 1]}…"


def rates(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """The rate by category, and in all: of pairs of versions, and of bugs that no version is known to have mended."""
    for title, pair in (("pairs of versions", True), ("present, no fix known", False)):
        rows = [each for each in verdicts if each.bug.pair is pair]
        if rows:
            yield f"{title}:"
            for category in sorted({each.bug.category for each in rows}):
                yield _rate(category, [each.outcome for each in rows if each.bug.category == category])
            yield _rate("in all", [each.outcome for each in rows])


def _rate(name: str, outcomes: list[Outcome]) -> str:
    counts = Counter(outcomes)
    runnable = counts["detected"] + counts["missed"]
    share = f"{counts['detected'] / runnable:.1%}" if runnable else "-"
    aside = f", {counts['not_runnable']} not runnable" if counts["not_runnable"] else ""
    return f"  {name:<20} {counts['detected']:>3} of {runnable:>3}  {share:>6}{aside}"


def page(verdicts: Sequence[Verdict], day: date) -> Iterator[str]:
    """The figures as a page of documentation."""
    versions = sorted({version for each in verdicts for version in each.bug.versions if each.tried}, key=parsed)
    tried = f" with {len(versions)} versions of strands-agents, {versions[0]} to {versions[-1]}" if versions else ""
    yield "# Detection of real bugs"
    yield ""
    yield f"Made by `python -m tests.detection --bugs FILE --markdown docs/detection.md` on {day:%Y-%m-%d},{tried}."
    yield ""
    yield from _PAGE.splitlines()
    yield ""
    yield "| category | pairs detected | rate | present detected | rate | not runnable |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for category in sorted({each.bug.category for each in verdicts}):
        yield _cells(category, [each for each in verdicts if each.bug.category == category])
    yield _cells("in all", verdicts)
    for title, outcome in (("Missed", "missed"), ("Not runnable", "not_runnable")):
        if rows := [each for each in verdicts if each.outcome == outcome]:
            yield from ("", f"## {title}", "")
            yield from (f"* {_bullet(each)}" for each in rows)


_PAGE: Final = """The bench installs, for each known bug of a model class of Strands, the last version that has it and
the first one without it, runs the suite on both, unmodified, and asks which rule the first breaks and the second keeps.
The rule must be one of the bug's category. A bug that no version is known to have mended is detected where a rule is
broken that the bug's own words lead to. A pair is not runnable where one of its versions cannot be tried at all."""


def _cells(name: str, rows: Sequence[Verdict]) -> str:
    cells = [name]
    for pair in (True, False):
        counts = Counter(each.outcome for each in rows if each.bug.pair is pair)
        runnable = counts["detected"] + counts["missed"]
        cells += (
            [f"{counts['detected']} of {runnable}", f"{counts['detected'] / runnable:.1%}".replace("%", " %")]
            if (runnable)
            else ["", ""]
        )
    return f"| {' | '.join((*cells, str(_not_runnable(rows) or '')))} |"


def _not_runnable(rows: Iterable[Verdict]) -> int:
    return len(_ids(rows, "not_runnable"))


def _bullet(each: Verdict) -> str:
    bug = each.bug
    words = f": {bug.title}" if bug.title else ""
    why = _line(each.why) or _EXPLAINED.get(bug.id, "")
    return f"`{bug.id}`, {bug.provider or 'no adapter'}{words}{f' ({why})' if why else ''}"


_EXPLAINED: Final[Mapping[str, str]] = tomllib.loads(
    Path(__file__).with_name("missed.toml").read_text(encoding="utf-8")
)


def as_json(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """The result of a bench: ``pairs`` and ``present.rows`` count all rows that name versions, run or not."""
    pairs = [each for each in verdicts if each.bug.pair]
    present = [each for each in verdicts if each.bug.present]
    return {
        "pairs": len(pairs),
        "detected": _count(pairs, "detected"),
        "missed": _ids(pairs, "missed"),
        "not_runnable": {each.bug.id: each.why for each in verdicts if each.outcome == "not_runnable"},
        "present": {
            "rows": len(present),
            "detected": _count(present, "detected"),
            "missed": _ids(present, "missed"),
        },
        "rows": {each.bug.id: _row(each) for each in verdicts},
    }


def _count(verdicts: Iterable[Verdict], outcome: Outcome) -> int:
    return len(_ids(verdicts, outcome))


def _ids(verdicts: Iterable[Verdict], outcome: Outcome) -> list[str]:
    return [each.bug.id for each in verdicts if each.outcome == outcome]


def _row(each: Verdict) -> dict[str, Any]:
    return {
        "outcome": each.outcome,
        "adapters": {"tried": list(each.tried), "shown_by": list(each.seen_at)},
        "signs": [
            {
                "provider": sign.provider,
                "rule": sign.rule,
                "scenario": sign.scenario,
                "examples": sign.examples,
                "met": sign.met,
                "exchange": list(sign.exchange),
                "close": sign.close,
            }
            for sign in each.signs
        ],
        "other_rules": list(each.others),
    }
