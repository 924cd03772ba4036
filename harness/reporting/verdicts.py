"""Verdicts: what the events of a run say about each rule, for each adapter."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, get_args

from harness.contract.expected import ExpectedFailure
from harness.contract.requirements import Requirements, UnknownRequirementsError, requirements
from harness.contract.rules import RULES, Level, Rule
from harness.reporting.events import (
    BrokenReportError,
    Event,
    GateInfo,
    Outcome,
    ProviderInfo,
    RunFinished,
    RunStarted,
    ScenarioFinished,
    ViolationInfo,
)

Status = Literal["pass", "fail", "expected", "unscored", "not_applicable", "not_exercised"]
#: statuses as reports show them: a failure by the weight of its rule
Label = Literal["pass", "fail", "warn", "note", "expected", "unscored", "not_applicable", "not_exercised"]

#: what a broken rule is called
BROKEN: Final[Mapping[Level, Label]] = {"MUST": "fail", "SHOULD": "warn", "MAY": "note"}
LABELS: Final[tuple[Label, ...]] = get_args(Label)


@dataclass(frozen=True, slots=True)
class Breach:
    """One violation, and the scenario that met it."""

    scenario: str
    violation: ViolationInfo


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a run says about one rule for one adapter. Only ``pass`` is a pass.

    ``exercised`` counts the scenarios that put the rule to the test; ``reason`` is that of an expected failure, or why
    the adapter cannot show what the rule is about. ``weight`` is what the rule is called when it is broken.
    """

    rule: Rule
    status: Status
    exercised: int = 0
    breaches: tuple[Breach, ...] = ()
    reason: str = ""
    weight: Label = "fail"

    @property
    def label(self) -> Label:
        """The status as reports show it."""
        return self.weight if self.status == "fail" else self.status

    @property
    def broken_in(self) -> int:
        """How many scenarios met a violation."""
        return len({breach.scenario for breach in self.breaches})


@dataclass(frozen=True)
class ProviderReport:
    """All that a run says about one adapter. ``verdicts`` are by rule id, in the order of the table of rules.

    ``stale`` are the expected failures that did not come, where the run can tell.
    """

    info: ProviderInfo
    verdicts: Mapping[str, Verdict]
    scenarios: tuple[ScenarioFinished, ...]
    stale: tuple[ExpectedFailure, ...] = ()

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
    scoring: "Scoring"

    @property
    def partial(self) -> bool:
        """Whether the run did not come to its end."""
        return self.finished is None or bool(self.finished.cut_short)

    @property
    def ending(self) -> str:
        """How a partial run ended."""
        return self.finished.cut_short if self.finished else "broken off"

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


@dataclass(frozen=True, slots=True)
class Scoring:
    """What broken rules weigh in a run: the gate, and the frozen set that it names."""

    gate: GateInfo
    scored: Requirements | None

    def counts(self, rule: str) -> bool:
        """Whether the rule is of the set."""
        return self.scored is None or self.scored.scores(rule)

    def rule(self, rule: Rule) -> Rule:
        """The rule, with the level that the set gives it."""
        return rule if self.scored is None else self.scored.rule(rule)

    def weight(self, rule: Rule) -> Label:
        """What the rule is called when it is broken."""
        if not self.counts(rule.id):
            return "unscored"
        return "fail" if self.gate.strict and rule.level == "SHOULD" else BROKEN[rule.level]

    def profiles(self, claimed: tuple[str, ...]) -> tuple[str, ...]:
        """The claimed profiles that were asked for."""
        asked = self.gate.profiles
        return tuple(profile for profile in claimed if profile in asked) if asked else claimed


@dataclass
class _Tally:
    """What the scenarios of one adapter say, by rule id."""

    info: ProviderInfo
    scoring: Scoring
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
    scoring = _scoring(started.gate)
    tallies = {info.name: _Tally(info, scoring) for info in started.providers}
    finished: list[RunFinished] = []
    for event in rest:
        _TAKE[type(event)](event, tallies, finished)
    table = {**rules, **_unknown(tallies.values(), rules)}
    table = {rule_id: scoring.rule(rule) for rule_id, rule in table.items()}
    last = finished[-1] if finished else None
    complete = last is not None and last.complete
    providers = tuple(_report(tally, table, complete) for tally in tallies.values())
    return RunReport(started, last, tuple(table.values()), providers, scoring)


def _scoring(gate: GateInfo) -> Scoring:
    try:
        return Scoring(gate, requirements(gate.requirements) if gate.requirements else None)
    except UnknownRequirementsError as error:
        raise BrokenReportError(str(error)) from None


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
    listed = {entry.rule for tally in tallies for entry in tally.info.expected}
    met = sorted((listed | {rule_id for tally in tallies for rule_id in tally.exercised}) - rules.keys())
    return {
        rule_id: Rule(rule_id, "MUST", "core", "(not in this version's table of rules)", why="", evidence="")
        for rule_id in met
    }


def _report(tally: _Tally, rules: Mapping[str, Rule], complete: bool) -> ProviderReport:
    verdicts = {rule.id: _verdict(tally, rule) for rule in rules.values()}
    return ProviderReport(tally.info, verdicts, tuple(tally.scenarios), tuple(_stale(tally, verdicts, complete)))


def _verdict(tally: _Tally, rule: Rule) -> Verdict:
    breaches = tuple(tally.breaches.get(rule.id, ()))
    status = _status(tally, rule, breaches)
    reasons = [entry.why for entry in tally.info.expected if entry.rule == rule.id]
    reason = tally.info.cannot_show.get(rule.id) or "; ".join(reasons)
    return Verdict(rule, status, tally.exercised[rule.id], breaches, reason, tally.scoring.weight(rule))


def _status(tally: _Tally, rule: Rule, breaches: Iterable[Breach]) -> Status:
    """The first line that applies. A violation outweighs an unclaimed profile: it was met, so it must be seen."""
    if not tally.scoring.counts(rule.id):
        return "unscored"
    if breaches:
        return "expected" if all(is_expected(tally.info, rule.id, breach.scenario) for breach in breaches) else "fail"
    profiles = tally.scoring.profiles(tally.info.profiles)
    if rule.id in tally.info.cannot_show or not rule.applies(profiles, tally.info.features):
        return "not_applicable"
    return "pass" if tally.exercised[rule.id] else "not_exercised"


def is_expected(info: ProviderInfo, rule: str, scenario: str) -> bool:
    """Whether a breach is among the adapter's expected failures."""
    return any(entry.covers(rule, scenario) for entry in info.expected)


def _stale(tally: _Tally, verdicts: Mapping[str, Verdict], complete: bool) -> Iterator[ExpectedFailure]:
    """Only a complete run can say that a failure does not come: another may have left out the scenario that fails.

    Where one scenario is named, it is enough that it was run.
    """
    for entry in tally.info.expected:
        met = any(entry.covers(entry.rule, breach.scenario) for breach in verdicts[entry.rule].breaches)
        tried = any(entry.covers(entry.rule, scenario) for scenario in _tried(tally, entry.rule))
        applies = verdicts[entry.rule].status not in ("not_applicable", "unscored")
        if applies and tried and not met and (complete or entry.one_scenario):
            yield entry


def _tried(tally: _Tally, rule: str) -> Iterator[str]:
    """The scenarios that put a rule to the test, and came to a verdict."""
    judged = (scenario for scenario in tally.scenarios if scenario.outcome in ("passed", "failed"))
    return (scenario.scenario for scenario in judged if rule in scenario.exercised)
