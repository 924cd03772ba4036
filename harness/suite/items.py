"""Cases as pytest items: collected without a file of tests, reported without a traceback."""

import contextlib
import gc
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.bench import Bench, CallNeverEnds
from harness.discovery import missing, remedy
from harness.endpoint.network import no_network
from harness.laboratory import Laboratory
from harness.provider import Provider
from harness.reporting.events import ScenarioFinished
from harness.repro.model import ReproError
from harness.suite.case import Case
from harness.suite.gate import Gate
from harness.suite.judging import ORDER, Judgement, command
from harness.suite.repros import shown, write_files
from harness.suite.rerun import kept, named
from harness.suite.shards import Piece, Shard, share


class BrokenRulesError(Exception):
    """A case found binding rules broken; the message is the report."""


class SuiteCollector(pytest.File):
    """Collects the cases of the providers that were asked for."""

    providers: list[Provider]
    laboratory: Laboratory
    selected: frozenset[str]
    plan: Callable[[Provider], Iterator[Case]]
    hosts: frozenset[str]
    gate: Gate
    #: where repro files are written
    folder: Path
    shard: Shard | None
    #: scenarios that are in every share
    everywhere: frozenset[str]
    loaded: frozenset[str] = frozenset()

    def collect(self) -> Iterator[pytest.Item]:
        """One item a case; a single failing one for a provider whose SDK is not installed."""
        items = list(self._items())
        if self.shard is None:
            return iter(items)
        pieces = [Piece(item.provider.name, item.scenario, item.name) for item in items]
        names = share(self.shard, pieces, self.everywhere)
        return (item for item in items if item.name in names)

    def _items(self) -> "Iterator[MissingSdkItem | CaseItem]":
        for provider in self.providers:
            if missing(provider):
                yield MissingSdkItem.from_parent(self, name=missing_sdk(provider), provider=provider)
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


def missing_sdk(provider: Provider) -> str:
    """The node id of the one item of a provider whose SDK is not installed."""
    return f"{provider.name}-sdk"


class MissingSdkItem(pytest.Item):
    """Fails: an adapter that cannot be run does not pass."""

    def __init__(self, *, provider: Provider, **options: Any) -> None:
        super().__init__(nodeid=options["name"], **options)
        self.provider = provider
        self.scenario = "sdk"

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


def _properties(result: ScenarioFinished) -> list[tuple[str, object]]:
    """What a case met, for reports of JUnit's kind."""
    violated = [("violated", violation.rule) for violation in result.violations]
    files = [("repro_file", violation.file) for violation in result.violations if violation.file]
    return [("exchanges", result.exchanges), *violated, *files]


class CaseItem(pytest.Item):
    """One case of one provider."""

    parent: SuiteCollector

    def __init__(self, *, case: Case, **options: Any) -> None:
        super().__init__(nodeid=options["name"], **options)
        self.case = case
        self.provider, self.scenario = case.provider, case.id
        self.result: ScenarioFinished | None = None
        self.user_properties.append(("provider", case.provider.name))
        self.user_properties += [("rule", rule) for rule in case.rules]

    def runtest(self) -> None:
        """Run the case; raise when a binding rule was broken."""
        bench = self.parent.laboratory.bench(self.case.provider)
        begun = time.perf_counter()
        judgement = Judgement(self.case, self.parent.gate, self.command)
        try:
            with warnings.catch_warnings(), no_network(self.parent.hosts):
                warnings.simplefilter("ignore")
                with contextlib.suppress(CallNeverEnds):  # it is among the findings
                    self.case.run(self.parent.laboratory, bench)
                judgement = self._with_files(replace(judgement, findings=tuple(bench.findings.values())), bench)
        finally:
            self.result = self._result(bench, judgement, time.perf_counter() - begun)
            self.user_properties += _properties(self.result)
            self.parent.settle(self.case.provider)
        if judgement.binding:
            raise BrokenRulesError(judgement.text())

    def _with_files(self, judgement: Judgement, bench: Bench) -> Judgement:
        """The judgement, with a repro file for each failure that was not expected."""
        if self.case.origin is not None:
            return replace(judgement, files={self.case.origin.rule: str(self.case.origin.file)})
        paths = write_files(self.parent.folder, self.case, bench, judgement.surprising, self.parent.laboratory)
        return replace(judgement, files={rule: str(shown(path)) for rule, path in paths.items()})

    def _result(self, bench: Bench, judgement: Judgement, seconds: float) -> ScenarioFinished:
        return ScenarioFinished(
            provider=self.case.provider.name,
            scenario=self.case.id,
            title=self.case.title,
            outcome="failed" if judgement.binding else "passed",
            exercised=tuple(sorted(bench.exercised, key=lambda rule: ORDER[rule])),
            violations=judgement.infos(),
            exchanges=bench.exchanges,
            seconds=round(seconds, 3),
        )

    @property
    def command(self) -> str:
        """The command that runs just this case again."""
        return command(named(self.config, self.case.provider), self.case, *kept(self.config))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The report of broken rules; any other exception is a fault of the harness, shown whole."""
        if isinstance(excinfo.value, BrokenRulesError | ReproError):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Any, None, str]:
        """Where the item comes from."""
        return self.path, None, self.name
