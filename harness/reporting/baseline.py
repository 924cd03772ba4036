"""Baselines: runs kept in a repository, one file an adapter, for later runs to be compared with.

A baseline is a run like any other, without what only its own reader needs: it keeps verdicts, and drops times, time
lines and exchanges. Its lines are sorted, so that a version control system shows what moved and nothing else.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from harness.reporting.events import BrokenReportError, Event, RunFinished, RunStarted, ScenarioFinished, ViolationInfo
from harness.reporting.jsonl import read_run, replace_file

FOLDER: Final = Path("reports", "baselines")


def keep(run: Path, folder: Path) -> Iterator[Path]:
    """Write a baseline for each adapter of a run; the paths.

    Raises BrokenReportError for a run that is not whole: what it leaves out would look like a loss later; OSError.
    """
    started, *rest = read_run(run).events
    assert isinstance(started, RunStarted)
    ends = [event for event in rest if isinstance(event, RunFinished)]
    if not ends or not ends[-1].complete:
        raise BrokenReportError(f"{run}: not the whole suite was run, and only a whole run can be a baseline")
    for info in started.providers:
        path = folder / f"{info.name.replace('/', '_')}.jsonl"
        of_it = [each for each in rest if isinstance(each, ScenarioFinished) and each.provider == info.name]
        events = [replace(started, providers=(info,)), *_thin(of_it), replace(ends[-1], seconds=0.0)]
        replace_file(path, "".join(f"{event.to_json()}\n" for event in events).encode())
        yield path


def _thin(scenarios: list[ScenarioFinished]) -> Iterator[Event]:
    """Each rule is named as exercised once, and wherever it is broken: the verdicts stay the same."""
    named: set[str] = set()
    for each in sorted(scenarios, key=lambda scenario: scenario.scenario):
        broken = {violation.rule for violation in each.violations}
        judged = each.outcome in ("passed", "failed")
        kept = tuple(rule for rule in each.exercised if judged and (rule in broken or rule not in named))
        named |= set(kept)
        yield replace(each, title="", exercised=kept, violations=tuple(map(_bare, each.violations)), seconds=0.0)


def _bare(violation: ViolationInfo) -> ViolationInfo:
    return ViolationInfo(violation.rule, violation.met, violation.wanted, repro=violation.repro)
