"""Matrices of scenarios and adapters: one row a kind of fault, and one row a run of the tool loop."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from harness.contract.rules import RULES
from harness.reporting.events import ScenarioFinished
from harness.reporting.verdicts import BROKEN, LABELS, Label, ProviderReport, RunReport
from harness.scenarios.catalogue.faults import FAULTS
from harness.scenarios.catalogue.loop import LOOP
from harness.scenarios.scenario import Scenario


@dataclass(frozen=True, slots=True)
class ScenarioRow:
    """One scenario. ``labels`` are by adapter; ``otherwise`` says why it is not applicable to some of them."""

    name: str
    title: str
    labels: Mapping[str, Label]
    otherwise: str

    @property
    def spared(self) -> list[str]:
        """The adapters that it is not applicable to."""
        return [name for name, label in self.labels.items() if label == "not_applicable"]


def fault_rows(report: RunReport) -> list[ScenarioRow]:
    """The kinds of fault, in the catalogue's order; empty for a run that tried none."""
    return _rows(report, FAULTS, "fault-")


def loop_rows(report: RunReport) -> list[ScenarioRow]:
    """The runs of the tool loop, in the catalogue's order; empty for a run that tried none."""
    return _rows(report, LOOP, "loop-")


def _rows(report: RunReport, scenarios: Iterable[Scenario], prefix: str) -> list[ScenarioRow]:
    met = {provider.info.name: dict(_tried(provider, prefix)) for provider in report.providers}
    if not any(met.values()):
        return []
    return [
        ScenarioRow(
            scenario.id.removeprefix(prefix),
            scenario.title,
            {
                each.info.name: _label(each, met[each.info.name], scenario.id, report.complete)
                for each in report.providers
            },
            scenario.otherwise,
        )
        for scenario in scenarios
    ]


def _tried(provider: ProviderReport, prefix: str) -> Iterator[tuple[str, ScenarioFinished]]:
    return ((each.scenario, each) for each in provider.scenarios if each.scenario.startswith(prefix))


def _label(provider: ProviderReport, met: Mapping[str, ScenarioFinished], scenario: str, complete: bool) -> Label:
    """What an adapter makes of a scenario. In a complete run, what was not tried on an adapter is not for it."""
    if scenario in met:
        return _worst(met[scenario], provider.info.expected)
    return "not_applicable" if met and complete else "not_exercised"


def _worst(scenario: ScenarioFinished, expected: Mapping[str, str]) -> Label:
    levels = {rule.id: BROKEN[rule.level] for rule in RULES.values()}
    found: set[Label] = {
        "expected" if violation.rule in expected else levels.get(violation.rule, "fail")
        for violation in scenario.violations
    }
    if not found:
        return _OUTCOMES.get(scenario.outcome, "fail")
    return next(label for label in _WORST_FIRST if label in found)


#: what a scenario without violations is
_OUTCOMES: Final[Mapping[str, Label]] = {"passed": "pass", "skipped": "not_exercised"}
_WORST_FIRST: Final = tuple(label for label in LABELS if label != "pass")
