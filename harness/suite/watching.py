"""Progress in place of pytest's dots, for people who watch a run at a terminal."""

import os
from collections.abc import Collection, Generator
from typing import Any, cast

import pytest

from harness.reporting.events import ScenarioFinished, from_json
from harness.reporting.progress import Bar


def watcher(config: pytest.Config, scenarios: Collection[str]) -> "Watcher | None":
    """What shows the progress of the items with these node ids; None where nobody watches.

    Dots stay where the output is no terminal, where more or less than usual was asked for, and where other tests run
    beside the suite.
    """
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    watched = reporter is not None and bool(reporter.isatty()) and os.environ.get("TERM") != "dumb"
    alone = config.args_source is not pytest.Config.ArgsSource.ARGS
    return Watcher(reporter, scenarios) if watched and alone and config.get_verbosity() == 0 else None


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
    """Shows a bar while the suite runs."""

    def __init__(self, reporter: Any, scenarios: Collection[str]) -> None:
        self._reporter = reporter
        self._scenarios = scenarios
        self._bar: Bar | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Begin. A process that has workers collects nothing itself."""
        writer = self._reporter.config.get_terminal_writer()
        self._reporter.showfspath = False
        self._reporter.ensure_newline()
        out = cast("Any", _Out(self._reporter))
        self._bar = Bar(
            out, writer.fullwidth, session.testscollected or len(self._scenarios), colour=bool(writer.hasmarkup)
        )

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
        return (category, "", "") if report.nodeid in self._scenarios else (category, letter, word)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """End, however the run ended."""
        if self._bar is not None:
            self._bar.close()
