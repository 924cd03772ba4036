"""Cases as pytest items: collected without a file of tests, reported without a traceback."""

import contextlib
import gc
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from harness.bench import Bench, CallNeverEnds, Finding
from harness.contract.rules import RULES
from harness.discovery import missing, remedy
from harness.endpoint.network import no_network
from harness.laboratory import Laboratory
from harness.provider import Provider
from harness.reporting.events import ScenarioFinished, ViolationInfo
from harness.reporting.failure import failure_text
from harness.suite.case import Case
from harness.suite.gate import Gate


class BrokenRulesError(Exception):
    """A case found binding rules broken; ``text`` is the report."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class SuiteCollector(pytest.File):
    """Collects the cases of the providers that were asked for."""

    providers: list[Provider]
    laboratory: Laboratory
    selected: frozenset[str]
    plan: Callable[[Provider], Iterator[Case]]
    hosts: frozenset[str]
    gate: Gate
    loaded: frozenset[str] = frozenset()

    def collect(self) -> Iterator[pytest.Item]:
        """One item a case; a single failing one for a provider whose SDK is not installed."""
        for provider in self.providers:
            if missing(provider):
                yield MissingSdkItem.from_parent(self, name=f"{provider.name}-sdk", provider=provider)
                continue
            for case in self.plan(provider):
                if (not self.selected or case.id in self.selected) and self.gate.takes(case):
                    yield CaseItem.from_parent(self, name=case.name, case=case)

    def settle(self, provider: Provider) -> None:
        """Once an SDK is loaded, keep the garbage collector off it: to walk it takes longer than a loop may stall."""
        if provider.name not in self.loaded:
            self.loaded |= {provider.name}
            gc.collect()
            gc.freeze()


class MissingSdkItem(pytest.Item):
    """Fails: an adapter that cannot be run does not pass."""

    def __init__(self, *, provider: Provider, **options: Any) -> None:
        super().__init__(nodeid=options["name"], **options)
        self.provider = provider

    def runtest(self) -> None:
        """Say what to install."""
        absent = ", ".join(missing(self.provider))
        raise BrokenRulesError(f"{self.provider.name}: {absent} is not installed. Remedy: {remedy(self.provider)}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The message alone."""
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Any, None, str]:
        """Where the item comes from."""
        return self.path, None, self.name


class CaseItem(pytest.Item):
    """One case of one provider."""

    parent: SuiteCollector

    def __init__(self, *, case: Case, **options: Any) -> None:
        super().__init__(nodeid=options["name"], **options)
        self.case = case
        self.result: ScenarioFinished | None = None
        self.user_properties.append(("provider", case.provider.name))
        self.user_properties += [("rule", rule) for rule in case.rules]

    def runtest(self) -> None:
        """Run the case; raise when a binding rule was broken."""
        bench = self.parent.laboratory.bench(self.case.provider)
        begun = time.perf_counter()
        try:
            with warnings.catch_warnings(), no_network(self.parent.hosts):
                warnings.simplefilter("ignore")
                with contextlib.suppress(CallNeverEnds):  # it is among the findings
                    self.case.run(self.parent.laboratory, bench)
        finally:
            self.result = self._result(bench, time.perf_counter() - begun)
            self.parent.settle(self.case.provider)
        if binding := self._binding(bench):
            raise BrokenRulesError(self._text(binding))

    def _claimed(self, bench: Bench) -> list[Finding]:
        """Findings about rules that the adapter can show, of the profiles that it claims."""
        gate, provider = self.parent.gate, self.case.provider
        found = [each for each in bench.findings.values() if gate.judges(provider, each.violation.rule)]
        return sorted(found, key=lambda finding: _ORDER[finding.violation.rule])

    def _binding(self, bench: Bench) -> list[Finding]:
        """Findings that fail the case: those about rules that bind, but for failures that are expected."""
        gate, provider = self.parent.gate, self.case.provider
        return [
            each
            for each in self._claimed(bench)
            if gate.binds(each.violation.rule) and not gate.excused(provider, each.violation.rule, self.case.id)
        ]

    def _result(self, bench: Bench, seconds: float) -> ScenarioFinished:
        found = self._claimed(bench)
        return ScenarioFinished(
            provider=self.case.provider.name,
            scenario=self.case.id,
            title=self.case.title,
            outcome="failed" if self._binding(bench) else "passed",
            exercised=tuple(sorted(bench.exercised, key=lambda rule: _ORDER[rule])),
            violations=tuple(self._info(finding) for finding in found),
            exchanges=bench.exchanges,
            seconds=round(seconds, 3),
        )

    def _info(self, finding: Finding) -> ViolationInfo:
        met = finding.violation
        exchange = "\n".join(finding.exchange)
        return ViolationInfo(met.rule, met.met, met.wanted, met.index, exchange, finding.timeline, self.command)

    def _text(self, binding: list[Finding]) -> str:
        first, *others = binding
        met = first.violation
        rules = [finding.violation.rule for finding in others]
        return failure_text(
            met.rule, met.met, met.wanted, met.index, first.timeline, first.exchange, self.command, rules
        )

    @property
    def command(self) -> str:
        """The command that runs just this case again."""
        asked = self.config.getoption("--provider")
        name = next((value for value in asked if ":" in value), self.case.provider.name)
        return f"pytest --provider={name} --scenario={self.case.id}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The report of broken rules; any other exception is a fault of the harness, shown whole."""
        if isinstance(excinfo.value, BrokenRulesError):
            return excinfo.value.text
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Any, None, str]:
        """Where the item comes from."""
        return self.path, None, self.name


_ORDER = {rule: place for place, rule in enumerate(RULES)}
