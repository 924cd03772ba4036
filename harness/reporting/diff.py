"""What has moved between two runs: verdicts, scenarios that fail, and the versions of the SDKs beside them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from harness.reporting.events import BrokenReportError, ScenarioFinished
from harness.reporting.jsonl import read_run
from harness.reporting.verdicts import Label, ProviderReport, RunReport, Verdict, aggregate

#: ``new`` is a rule that the older harness did not have; ``untried`` is what one of the runs left out
Kind = Literal["worse", "better", "changed", "new", "untried"]

#: what has no rank is no verdict
_WORST_LAST: Final[Sequence[Label]] = ("pass", "note", "expected", "warn", "fail")
RANKS: Final[Mapping[Label, int]] = {label: rank for rank, label in enumerate(_WORST_LAST)}


@dataclass(frozen=True, slots=True)
class Move:
    """One verdict that moved, or one rule that other scenarios break than before.

    ``subject`` is the rule's id, or the id of a scenario that came to no verdict. ``scenarios`` break the rule now and
    did not before; ``met`` is what the first of them met.
    """

    kind: Kind
    subject: str
    title: str
    old: str
    new: str
    scenarios: tuple[str, ...] = ()
    met: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """An adapter in a run."""

    run: RunReport
    report: ProviderReport

    def had(self, rule: str) -> bool:
        """Whether the run's harness had the rule; a run that does not list its rules had all of them."""
        return not self.run.started.rules or rule in self.run.started.rules


@dataclass(frozen=True, slots=True)
class ProviderDiff:
    """An adapter in both runs. ``sdk`` has the old and the new version of each distribution, "" where it was not."""

    name: str
    old: Side
    new: Side
    moves: tuple[Move, ...]

    @property
    def sdk(self) -> Mapping[str, tuple[str, str]]:
        """The versions of the SDK."""
        old, new = self.old.report.info.sdk, self.new.report.info.sdk
        return {name: (old.get(name, ""), new.get(name, "")) for name in {**old, **new}}

    def count(self, kind: Kind) -> int:
        """How many moves are of a kind."""
        return sum(move.kind == kind for move in self.moves)


@dataclass(frozen=True, slots=True)
class RunDiff:
    """Two runs side by side. ``gone`` and ``added`` are adapters of one of them alone."""

    providers: tuple[ProviderDiff, ...]
    gone: tuple[str, ...]
    added: tuple[str, ...]

    def of(self, kind: Kind) -> Iterator[tuple[ProviderDiff, Move]]:
        """The moves of a kind, each with its adapter."""
        return ((each, move) for each in self.providers for move in each.moves if move.kind == kind)

    @property
    def worse(self) -> bool:
        """Whether anything got worse."""
        return any(True for _ in self.of("worse"))


def read_side(path: Path) -> dict[str, Side]:
    """The adapters of a run's file, or of all files of a folder: the newest run of each adapter.

    Raises BrokenReportError, naming file and line; OSError.
    """
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise BrokenReportError(f"{path}: holds no run")
    runs = sorted((aggregate(read_run(file).events) for file in files), key=lambda run: run.started.started)
    return {report.info.name: Side(run, report) for run in runs for report in run.providers}


def compare(old: Mapping[str, Side], new: Mapping[str, Side]) -> RunDiff:
    """The moves from one side to the other."""
    both = [name for name in new if name in old]
    return RunDiff(
        tuple(ProviderDiff(name, old[name], new[name], tuple(_moves(old[name], new[name]))) for name in both),
        tuple(name for name in old if name not in new),
        tuple(name for name in new if name not in old),
    )


def _moves(old: Side, new: Side) -> Iterator[Move]:
    for rule_id in {**old.report.verdicts, **new.report.verdicts}:
        yield from _verdict(old, new, rule_id)
    yield from _crashes(old, new)


def _verdict(old: Side, new: Side, rule_id: str) -> Iterator[Move]:
    before, now = (side.report.verdicts.get(rule_id) for side in (old, new))
    there = now or before
    if there is None:
        return
    was, is_now = _label(before), _label(now)
    fresh = _newly_broken(before, now, old.report.scenarios)
    if (was != is_now and {was, is_now} & RANKS.keys()) or (fresh and was in RANKS):
        kind = _kind(old, new, rule_id, was, is_now)
        met = next((b.violation.met for b in now.breaches if b.scenario in fresh), "") if now else ""
        yield Move(kind, rule_id, there.rule.title, was, is_now, fresh, met)


def _label(verdict: Verdict | None) -> Label:
    return "not_exercised" if verdict is None else verdict.label


def _newly_broken(before: Verdict | None, now: Verdict | None, tried: Iterable[ScenarioFinished]) -> tuple[str, ...]:
    """Scenarios that break the rule now; where it was broken before, those that were tried and did not break it."""
    broken = dict.fromkeys(breach.scenario for breach in now.breaches) if now else {}
    if before is None or not before.breaches:
        return tuple(broken)
    known = {breach.scenario for breach in before.breaches}
    there = {each.scenario for each in tried}
    return tuple(scenario for scenario in broken if scenario in there - known)


def _kind(old: Side, new: Side, rule: str, was: Label, is_now: Label) -> Kind:
    """What a move comes to; only what is known of both runs makes it better or worse."""
    before, now = RANKS.get(was), RANKS.get(is_now)
    if before is not None and now is not None:
        return "better" if now < before else "worse"
    if not old.had(rule):
        return "new"
    if not _compared(old, was) or not _compared(new, is_now) or old.run.started.gate != new.run.started.gate:
        return "untried"
    if before is None:
        return "worse" if now else "better"
    return "changed" if before else "worse"  # a pass that is no longer shown is a loss


def _compared(side: Side, label: Label) -> bool:
    """Whether the label is what the adapter earned, and not for want of a scenario."""
    return label != "not_exercised" or side.run.complete


def _crashes(old: Side, new: Side) -> Iterator[Move]:
    """Scenarios that came to no verdict, and did before; and the other way round."""
    before = {each.scenario: each for each in old.report.scenarios}
    was, is_now = ({each.scenario for each in side.report.crashes} for side in (old, new))
    for each in new.report.scenarios:
        if each.scenario in is_now - was and each.scenario in before:
            yield Move("worse", each.scenario, each.title, "a verdict", "none", met=each.message)
        if each.scenario in was - is_now:
            yield Move("better", each.scenario, each.title, "none", "a verdict")


def notes(diff: RunDiff) -> Iterator[str]:
    """What a reader must know before comparing: runs that are partial, asked for other things, or not in both."""
    for word in ("old", "new"):
        sides = [(each.name, each.old if word == "old" else each.new) for each in diff.providers]
        partial = [name for name, side in sides if side.run.partial]
        part = [name for name, side in sides if not side.run.partial and not side.run.complete]
        for names, what in ((partial, "is partial"), (part, "is a part of the suite")):
            if names:
                yield f"the {word} run {_of(names, diff)}{what}: what is missing is not compared"
    asked = [each.name for each in diff.providers if each.old.run.started.gate != each.new.run.started.gate]
    if asked:
        yield f"the runs {_of(asked, diff)}were held to different profiles, strictness or requirements"
    yield from (f"only in the {word} run: {', '.join(names)}" for word, names in _alone(diff) if names)


def _alone(diff: RunDiff) -> Sequence[tuple[str, Sequence[str]]]:
    return ("old", diff.gone), ("new", diff.added)


def _of(names: Sequence[str], diff: RunDiff) -> str:
    """Whose runs they are, where they are not those of all."""
    return "" if len(names) == len(diff.providers) else f"of {', '.join(names)} "
