"""Matrices of scenarios and adapters: one row a kind of fault, and one row a run of the tool loop."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from harness.reporting.events import ScenarioFinished
from harness.reporting.verdicts import LABELS, Label, ProviderReport, RunReport, is_expected
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
            {each.info.name: _label(report, each, met[each.info.name], scenario.id) for each in report.providers},
            scenario.otherwise,
        )
        for scenario in scenarios
    ]


def _tried(provider: ProviderReport, prefix: str) -> Iterator[tuple[str, ScenarioFinished]]:
    return ((each.scenario, each) for each in provider.scenarios if each.scenario.startswith(prefix))


def _label(report: RunReport, provider: ProviderReport, met: Mapping[str, ScenarioFinished], scenario: str) -> Label:
    """What an adapter makes of a scenario. In a complete run, what was not tried on an adapter is not for it."""
    if scenario in met:
        return _worst(provider, met[scenario])
    return "not_applicable" if met and report.complete else "not_exercised"


def _worst(provider: ProviderReport, scenario: ScenarioFinished) -> Label:
    broken = [violation.rule for violation in scenario.violations]
    found: set[Label] = {
        "expected" if is_expected(provider.info, rule, scenario.scenario) else provider.verdicts[rule].weight
        for rule in broken
    }
    if not found:
        return _OUTCOMES.get(scenario.outcome, "fail")
    return next(label for label in _WORST_FIRST if label in found)


#: what a scenario without violations is
_OUTCOMES: Final[Mapping[str, Label]] = {"passed": "pass", "skipped": "not_exercised"}
_WORST_FIRST: Final = tuple(label for label in LABELS if label != "pass")
