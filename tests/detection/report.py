"""The table, the rates by category, and the JSON file of a bench."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

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


def as_json(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """The result of a bench: ``pairs`` and ``present.rows`` count all rows, those that cannot be run among them."""
    pairs = [each for each in verdicts if each.bug.pair]
    present = [each for each in verdicts if not each.bug.pair]
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
