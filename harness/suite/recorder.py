"""What is written of a session: its events as they come, and its reports at the end."""

import os
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from harness.provider import Provider
from harness.reporting.events import RunFinished, ScenarioFinished, from_json
from harness.reporting.facts import provider_info, run_started
from harness.reporting.html import write_html
from harness.reporting.jsonl import RunWriter, read_run
from harness.reporting.outputs import write_reports
from harness.reporting.terminal import summary
from harness.reporting.verdicts import RunReport, aggregate
from harness.suite.examples import hidden
from harness.suite.expectations import prunable, rewrite
from harness.suite.gate import PRUNE, Gate
from harness.suite.repros import shown

#: seconds between two drafts of the page at least, and what part of a run's time drafts may take: a run that is killed
#: leaves the last one
_DRAFT_PAUSE: Final = 10.0
_DRAFT_SHARE: Final = 0.02
#: the file that GitHub shows on a build's page
_STEP_SUMMARY: Final = "GITHUB_STEP_SUMMARY"
_INTERRUPTED: Final[Mapping[int, str]] = {
    pytest.ExitCode.INTERRUPTED: "interrupted",
    pytest.ExitCode.INTERNAL_ERROR: "internal error",
}


@dataclass(frozen=True)
class Plan:
    """What a session sets out to do.

    ``report`` is where it is told of, without a suffix; ``scenarios`` are the adapter and scenario of each item by its
    node id; ``whole`` says that nothing was left out; ``remarks`` are lines that only the end of the run can tell.
    """

    report: Path
    gate: Gate
    providers: Iterable[Provider]
    scenarios: Mapping[str, tuple[str, str]]
    whole: bool
    remarks: Callable[[], Iterable[str]]


class Recorder:
    """Writes events and reports. Lives in the process that sees all results."""

    def __init__(self, config: pytest.Config, plan: Plan) -> None:
        self._config = config
        self._plan = plan
        self._told: list[str] = []
        self._exchanges = 0
        self._seen: set[str] = set()
        self._path = self._file(".jsonl")
        self._writer = RunWriter(self._path)
        self._begun = time.perf_counter()
        self._next_draft = self._begun + _DRAFT_PAUSE

    def _file(self, suffix: str) -> Path:
        return self._plan.report.with_name(f"{self._plan.report.name}{suffix}")

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Have a worker write its repro files beside the report."""
        node.workerinput["conformance_report"] = str(self._plan.report)

    def pytest_sessionstart(self) -> None:
        """Open the report."""
        gate = self._plan.gate
        infos = [provider_info(each, gate.expected(each)) for each in self._plan.providers]
        command = hidden(shlex.join(["pytest", *sys.argv[1:]]))
        self._writer.write(run_started(self._path.stem, _now(), command, infos, gate.info))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record a case; items that are not the suite's are none of ours."""
        event = self._event(report)
        if event is not None:
            self._exchanges += event.exchanges
            self._seen.add(report.nodeid)
            self._writer.write(event)
            self._draft()

    def _event(self, report: pytest.TestReport) -> ScenarioFinished | None:
        line = getattr(report, "conformance", None)
        if line is not None:
            event = from_json(line)
            assert isinstance(event, ScenarioFinished)
            return event if report.passed or event.outcome == "failed" else _crashed(event, report)
        if report.failed and report.nodeid in self._plan.scenarios:
            provider, scenario = self._plan.scenarios[report.nodeid]
            return ScenarioFinished(provider, scenario, scenario, "error", message=report.longreprtext[-2000:])
        return None

    def _draft(self) -> None:
        """Draw the page of a long run now and then."""
        begun = time.perf_counter()
        if begun >= self._next_draft:
            write_html(self._path, self._file(".html"))
            now = time.perf_counter()
            self._next_draft = now + max(_DRAFT_PAUSE, (now - begun) / _DRAFT_SHARE)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Close the report and write the others; a failure that was expected and did not come fails the run."""
        cut_short = _INTERRUPTED.get(int(exitstatus)) or str(session.shouldfail or session.shouldstop or "")
        complete = not cut_short and self._plan.whole and self._seen == self._plan.scenarios.keys()
        seconds = round(time.perf_counter() - self._begun, 2)
        self._writer.write(RunFinished(_now(), self._exchanges, seconds, complete, cut_short))
        self._writer.close()
        report, _ = write_reports(self._path)
        self._told = [*self._show_build(), *rewrite(self._config, self._plan.gate, report)]
        if exitstatus == pytest.ExitCode.OK and self._stale(report):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _report(self) -> RunReport:
        return aggregate(read_run(self._path).events)

    def _show_build(self) -> Iterator[str]:
        """Show the run on the page of its build; a line tells why that was not possible."""
        if summary_file := os.environ.get(_STEP_SUMMARY):
            try:
                with Path(summary_file).open("a", encoding="utf-8") as page:
                    page.write(self._file(".md").read_text(encoding="utf-8"))
            except OSError as error:
                yield f"{_STEP_SUMMARY}: {error}"

    def _stale(self, report: RunReport) -> bool:
        gone = prunable(self._plan.gate, report) if self._config.getoption(PRUNE) else ()
        return any(entry not in gone for each in report.providers for entry in each.stale)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the verdicts."""
        terminalreporter.ensure_newline()
        expired = (f"expired: {entry.what}: {entry.why}" for entry in self._plan.gate.expired)
        for told in (*self._plan.remarks(), *expired, *self._told):
            terminalreporter.write_line(told)
        quiet = self._config.get_verbosity() < 0
        for line in summary(self._report(), str(shown(self._file(".html"))), quiet=quiet):
            terminalreporter.write_line(line.text, **line.markup)


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _crashed(event: ScenarioFinished, report: pytest.TestReport) -> ScenarioFinished:
    return replace(event, outcome="error", message=report.longreprtext[-2000:])
