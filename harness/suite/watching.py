"""Progress in place of pytest's dots, for people who watch a run at a terminal."""

import os
from collections.abc import Collection, Generator
from typing import Any, cast

import pytest

from harness.reporting.events import ScenarioFinished, from_json
from harness.reporting.progress import Bar


class _Out:
    """pytest's terminal as a file."""

    def __init__(self, reporter: Any) -> None:
        self._reporter = reporter

    def write(self, text: str) -> int:
        self._reporter.write(text, flush=True)
        return len(text)

    def flush(self) -> None:
        """Nothing is held back."""

    def isatty(self) -> bool:
        return True


class Watcher:
    """Shows a bar while the items with these node ids run.

    Dots stay where the output is no terminal, where more or less than usual was asked for, and where other tests run
    beside the suite.
    """

    def __init__(self, config: pytest.Config, scenarios: Collection[str]) -> None:
        self._config = config
        self._scenarios = scenarios
        self._bar: Bar | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Begin. A process that has workers collects nothing itself."""
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        if reporter is None or not self._is_watched(reporter):
            return
        writer = self._config.get_terminal_writer()
        reporter.showfspath = False
        reporter.ensure_newline()
        total = session.testscollected or len(self._scenarios)
        self._bar = Bar(cast("Any", _Out(reporter)), writer.fullwidth, total, colour=bool(writer.hasmarkup))

    def _is_watched(self, reporter: Any) -> bool:
        alone = self._config.args_source is not pytest.Config.ArgsSource.ARGS
        usual = self._config.get_verbosity() == 0 and os.environ.get("TERM") != "dumb"
        return alone and usual and bool(reporter.isatty())

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Go on."""
        line = getattr(report, "conformance", None)
        if line is not None and self._bar is not None:
            event = from_json(line)
            assert isinstance(event, ScenarioFinished)
            self._bar.add(event)

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> Generator[None, Any, Any]:
        """Count as pytest does, and print no dot."""
        category, letter, word = yield
        silent = self._bar is not None and report.nodeid in self._scenarios
        return (category, "", "") if silent else (category, letter, word)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """End, however the run ended."""
        if self._bar is not None:
            self._bar.close()
