"""The changes as Markdown, for a pull request."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from harness.cassettes.drift.compare import Change, Recordings, Severity

_HEAD: Final = (
    "| severity | what | where | old | new | SDK knows | dialect knows |\n| --- | --- | --- | --- | --- | --- | --- |"
)
_WITNESS: Final = {True: "yes", False: "no", None: "–"}


def markdown(
    old: Recordings, new: Recordings, changes: Sequence[Change], max_age: timedelta | None, now: datetime
) -> Iterator[str]:
    """The lines of a report; cassettes older than ``max_age`` are marked."""
    yield "## Drift of recordings"
    yield ""
    yield f"old: {_origin(old)}; new: {_origin(new)}."
    for name in sorted(_aged(new, max_age, now)):
        yield f"OLD: {name or 'the new recording'} was recorded more than {max_age.days if max_age else 0} days ago."
    yield ""
    if not changes:
        yield "Nothing has changed."
        return
    counts = {level: sum(change.severity is level for change in changes) for level in reversed(Severity)}
    yield ", ".join(f"{count} {level.name.lower()}" for level, count in counts.items()) + "."
    yield ""
    yield _HEAD
    yield from map(_row, changes)


def _origin(cassettes: Recordings) -> str:
    told = [each.provenance for each in cassettes.values()]
    kinds = "/".join(sorted({str(each.origin) for each in told}))
    days = sorted(each.recorded[:10] for each in told if each.recorded)
    span = "" if not days else f" of {days[0]}" if days[0] == days[-1] else f" of {days[0]} to {days[-1]}"
    return f"{len(told)} {kinds} recording{'s' if len(told) > 1 else ''}{span}"


def _aged(cassettes: Recordings, max_age: timedelta | None, now: datetime) -> Iterator[str]:
    for name, each in cassettes.items():
        recorded = each.provenance.recorded
        if max_age is not None and (recorded is None or now - datetime.fromisoformat(recorded) > max_age):
            yield name


def _row(change: Change) -> str:
    cells = (change.what, f"`{change.where}`", change.old, change.new)
    witnesses = (_WITNESS[change.sdk], _WITNESS[change.dialect])
    told = [change.severity.name.lower(), *(cell.replace("|", "\\|") for cell in cells), *witnesses]
    return f"| {' | '.join(told)} |"
