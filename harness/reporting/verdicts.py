"""Verdicts: what the events of a run say about each rule, for each adapter."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

from harness.contract.rules import RULES, Level, Rule
from harness.reporting.events import (
    BrokenReportError,
    Event,
    Outcome,
    ProviderInfo,
    RunFinished,
    RunStarted,
    ScenarioFinished,
    ViolationInfo,
)

Status = Literal["pass", "fail", "expected", "not_applicable", "not_exercised"]
#: statuses as reports show them: a failure by the weight of its rule
Label = Literal["pass", "fail", "warn", "note", "expected", "not_applicable", "not_exercised"]

#: what a broken rule is called
BROKEN: Final[Mapping[Level, Label]] = {"MUST": "fail", "SHOULD": "warn", "MAY": "note"}
LABELS: Final[tuple[Label, ...]] = ("pass", "fail", "warn", "note", "expected", "not_applicable", "not_exercised")


@dataclass(frozen=True, slots=True)
class Breach:
    """One violation, and the scenario that met it."""

    scenario: str
    violation: ViolationInfo


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a run says about one rule for one adapter. Only ``pass`` is a pass.

    ``exercised`` counts the scenarios that put the rule to the test; ``reason`` is that of an expected failure, or why
    the adapter cannot show what the rule is about.
    """

    rule: Rule
    status: Status
    exercised: int = 0
    breaches: tuple[Breach, ...] = ()
    reason: str = ""

    @property
    def label(self) -> Label:
        """The status as reports show it."""
        return BROKEN[self.rule.level] if self.status == "fail" else self.status

    @property
    def broken_in(self) -> int:
        """How many scenarios met a violation."""
        return len({breach.scenario for breach in self.breaches})


@dataclass(frozen=True)
class ProviderReport:
    """All that a run says about one adapter. ``verdicts`` are by rule id, in the order of the table of rules.

    ``stale`` names the rules that are listed as expected failures and passed, in a run that was complete.
    """

    info: ProviderInfo
    verdicts: Mapping[str, Verdict]
    scenarios: tuple[ScenarioFinished, ...]
    stale: tuple[str, ...] = ()

    @cached_property
    def counts(self) -> Counter[Label]:
        """How many rules have each label."""
        return Counter(verdict.label for verdict in self.verdicts.values())

    @cached_property
    def families(self) -> Mapping[str, Counter[Label]]:
        """The counts of each family, in the order of the table of rules."""
        found: dict[str, Counter[Label]] = {}
        for verdict in self.verdicts.values():
            found.setdefault(verdict.rule.family, Counter())[verdict.label] += 1
        return found

    def broken(self, level: Level) -> list[Verdict]:
        """The failed rules of a level."""
        return [v for v in self.verdicts.values() if v.status == "fail" and v.rule.level == level]

    @property
    def crashes(self) -> list[ScenarioFinished]:
        """Scenarios that ended badly and say nothing about any rule."""
        return [s for s in self.scenarios if s.outcome == "error" or (s.outcome == "failed" and not s.violations)]

    @property
    def skipped(self) -> list[ScenarioFinished]:
        """Scenarios that were not run."""
        return [scenario for scenario in self.scenarios if scenario.outcome == "skipped"]

    @property
    def outcomes(self) -> Counter[Outcome]:
        """How many scenarios ended in each way."""
        return Counter(scenario.outcome for scenario in self.scenarios)

    @property
    def exchanges(self) -> int:
        """How many exchanges were run."""
        return sum(scenario.exchanges for scenario in self.scenarios)

    @property
    def seconds(self) -> float:
        """How long the scenarios took."""
        return sum(scenario.seconds for scenario in self.scenarios)


@dataclass(frozen=True, slots=True)
class RunReport:
    """One run, judged. ``rules`` are the table's, then those of the events that the table does not know."""

    started: RunStarted
    finished: RunFinished | None
    rules: tuple[Rule, ...]
    providers: tuple[ProviderReport, ...]

    @property
    def partial(self) -> bool:
        """Whether the run did not come to its end."""
        return self.finished is None

    @property
    def complete(self) -> bool:
        """Whether the whole suite was run."""
        return self.finished is not None and self.finished.complete

    @property
    def exchanges(self) -> int:
        """How many exchanges were run."""
        return self.finished.exchanges if self.finished else sum(provider.exchanges for provider in self.providers)

    @property
    def seconds(self) -> float:
        """How long the run took; of a partial run, how long its scenarios took."""
        return self.finished.seconds if self.finished else sum(provider.seconds for provider in self.providers)


@dataclass
class _Tally:
    """What the scenarios of one adapter say, by rule id."""

    info: ProviderInfo
    exercised: Counter[str] = field(default_factory=Counter)
    breaches: dict[str, list[Breach]] = field(default_factory=dict)
    scenarios: list[ScenarioFinished] = field(default_factory=list)

    def add(self, scenario: ScenarioFinished) -> None:
        """A scenario that crashed or was skipped proves nothing, but a violation counts wherever it was met."""
        self.scenarios.append(scenario)
        judged = scenario.exercised if scenario.outcome in ("passed", "failed") else ()
        self.exercised.update({*judged, *(violation.rule for violation in scenario.violations)})
        for violation in scenario.violations:
            self.breaches.setdefault(violation.rule, []).append(Breach(scenario.scenario, violation))


def aggregate(events: Iterable[Event], rules: Mapping[str, Rule] = RULES) -> RunReport:
    """The verdicts of a run. Events may still be missing at the end; order matters for the first one only.

    Raises BrokenReportError when the events are not those of one run.
    """
    rest = iter(events)
    started = next(rest, None)
    if not isinstance(started, RunStarted):
        raise BrokenReportError("a run begins with run_started")
    tallies = {info.name: _Tally(info) for info in started.providers}
    finished: list[RunFinished] = []
    for event in rest:
        _TAKE[type(event)](event, tallies, finished)
    table = {**rules, **_unknown(tallies.values(), rules)}
    last = finished[-1] if finished else None
    complete = last is not None and last.complete
    providers = tuple(_report(tally, table, complete) for tally in tallies.values())
    return RunReport(started, last, tuple(table.values()), providers)


def _take_scenario(event: ScenarioFinished, tallies: Mapping[str, _Tally], finished: list[RunFinished]) -> None:
    if event.provider not in tallies:
        raise BrokenReportError(f"scenario {event.scenario!r} is of {event.provider!r}, which the run did not begin")
    tallies[event.provider].add(event)


def _take_end(event: RunFinished, tallies: Mapping[str, _Tally], finished: list[RunFinished]) -> None:
    finished.append(event)


def _take_second_start(event: RunStarted, tallies: Mapping[str, _Tally], finished: list[RunFinished]) -> None:
    raise BrokenReportError(f"a second run begins: {event.run_id!r}")


_TAKE: Final[Mapping[type[Event], Callable[..., None]]] = {
    ScenarioFinished: _take_scenario,
    RunFinished: _take_end,
    RunStarted: _take_second_start,
}


def _unknown(tallies: Iterable[_Tally], rules: Mapping[str, Rule]) -> dict[str, Rule]:
    """Rows for rules of another version's table: their failures must not go missing."""
    met = sorted({rule_id for tally in tallies for rule_id in (*tally.exercised, *tally.info.expected)} - rules.keys())
    return {
        rule_id: Rule(rule_id, "MUST", "core", "(not in this version's table of rules)", why="", evidence="")
        for rule_id in met
    }


def _report(tally: _Tally, rules: Mapping[str, Rule], complete: bool) -> ProviderReport:
    verdicts = {rule.id: _verdict(tally, rule) for rule in rules.values()}
    return ProviderReport(tally.info, verdicts, tuple(tally.scenarios), tuple(_stale(tally, verdicts, complete)))


def _verdict(tally: _Tally, rule: Rule) -> Verdict:
    breaches = tuple(tally.breaches.get(rule.id, ()))
    reason = tally.info.cannot_show.get(rule.id) or tally.info.expected.get(rule.id, "")
    return Verdict(rule, _status(tally, rule, bool(breaches)), tally.exercised[rule.id], breaches, reason)


def _status(tally: _Tally, rule: Rule, broken: bool) -> Status:
    """The first line that applies. A violation outweighs an unclaimed profile: it was met, so it must be seen."""
    if broken:
        return "expected" if rule.id in tally.info.expected else "fail"
    if rule.id in tally.info.cannot_show or not rule.applies(tally.info.profiles, tally.info.features):
        return "not_applicable"
    return "pass" if tally.exercised[rule.id] else "not_exercised"


def _stale(tally: _Tally, verdicts: Mapping[str, Verdict], complete: bool) -> Iterator[str]:
    """Only a complete run can say that a failure does not come: another may have left out the scenario that fails."""
    if complete:
        yield from (rule_id for rule_id in tally.info.expected if verdicts[rule_id].status == "pass")
