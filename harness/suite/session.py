"""One test session with ``--provider``: its providers, its laboratory, and its report."""

import shlex
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from harness.discovery import UnknownProviderError, find, missing
from harness.laboratory import Laboratory
from harness.provider import Provider
from harness.reporting.events import RunFinished, ScenarioFinished, from_json
from harness.reporting.facts import provider_info, run_started
from harness.reporting.html import write_html
from harness.reporting.jsonl import RunWriter, read_run
from harness.reporting.terminal import summary
from harness.reporting.verdicts import aggregate
from harness.repro.model import ReproError
from harness.suite.case import Case
from harness.suite.cases import cases
from harness.suite.expectations import rewrite
from harness.suite.gate import PRUNE, Gate, gate_of
from harness.suite.items import SuiteCollector
from harness.suite.record_options import recording_of
from harness.suite.recording import Recording
from harness.suite.replay import with_cassettes
from harness.suite.repros import ReproFile, adapters, read_files, repro_cases, shown

PROVIDERS: Final = pytest.StashKey[list[Provider]]()
LABORATORY: Final = pytest.StashKey[Laboratory]()
GATE: Final = pytest.StashKey[Gate]()
RECORDING: Final = pytest.StashKey[Recording | None]()
REPROS: Final = pytest.StashKey[list[ReproFile]]()
#: the run's report, without its suffix; repro files are written into the folder of that name
REPORT: Final = pytest.StashKey[Path]()


def prepare(config: pytest.Config, suite: Path) -> None:
    """Find the providers, make the laboratory, and record the run unless another process does."""
    config.stash[REPROS] = _repros(config)
    providers = _found(config)
    config.stash[REPORT] = _report(config, providers)
    config.stash[RECORDING] = recording = recording_of(config, _folder(config), providers)
    if recording is not None:
        config.add_cleanup(recording.close)
    config.stash[PROVIDERS] = _checked(config, providers)
    config.stash[GATE] = gate_of(config, providers)
    config.stash[LABORATORY] = Laboratory()
    config.add_cleanup(config.stash[LABORATORY].close)
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = [str(suite)]
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(config, config.stash[PROVIDERS]), "conformance-recorder")


def _found(config: pytest.Config) -> list[Provider]:
    asked, files = config.getoption("--provider"), config.stash[REPROS]
    try:
        providers = adapters(files, asked) if files else find(asked)
    except (UnknownProviderError, ReproError) as error:
        raise pytest.UsageError(str(error)) from None
    return [with_cassettes(provider, _folder(config) / provider.name) for provider in providers]


def _repros(config: pytest.Config) -> list[ReproFile]:
    paths = [Path(path) for path in config.getoption("--repro")]
    others = [name for name in _WITHOUT_REPRO if config.getoption(name, None)]
    if paths and others:
        raise pytest.UsageError(f"--repro runs failures of files and nothing else: leave out {others[0]}")
    try:
        return read_files(paths)
    except ReproError as error:
        raise pytest.UsageError(f"--repro: {error}") from None


_WITHOUT_REPRO: Final = ("--scenario", "--profile", "--expected-failures", "--record-mode")


def _report(config: pytest.Config, providers: list[Provider]) -> Path:
    """Where the run is told of, without a suffix: named by the time, in the process that has the workers if any."""
    if hasattr(config, "workerinput"):
        return Path(config.workerinput["conformance_report"])
    folder = Path(config.getoption("--conformance-report") or _home(config) / "reports")
    return folder.absolute() / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{_label(providers)}"


def _folder(config: pytest.Config) -> Path:
    return Path(config.getoption("--cassettes") or _home(config) / "cassettes")


def _home(config: pytest.Config) -> Path:
    """Where folders are looked for: pytest takes a file behind ``--repro`` for a test, and roots itself beside it."""
    return config.invocation_params.dir if config.stash[REPROS] else config.rootpath


def plan_of(config: pytest.Config) -> Callable[[Provider], Iterator[Case]]:
    """What makes the cases: of a run, of a recording, or of repro files."""
    recording, files = config.stash[RECORDING], config.stash[REPROS]
    if files:
        return partial(repro_cases, files, asked=bool(config.getoption("--provider")))
    return cases if recording is None else recording.cases


def _checked(config: pytest.Config, providers: list[Provider]) -> list[Provider]:
    """The providers, once it is known that the scenarios asked for exist."""
    try:
        known = sorted({case.id for provider in providers for case in plan_of(config)(provider)})
    except ReproError as error:
        raise pytest.UsageError(f"--repro: {error}") from None
    unknown = sorted(_selected(config) - set(known))
    if unknown:
        raise pytest.UsageError(f"unknown scenario {', '.join(unknown)}. There are: {', '.join(known)}")
    return providers


def _selected(config: pytest.Config) -> frozenset[str]:
    return frozenset(name.strip() for value in config.getoption("--scenario") for name in value.split(","))


def collector(parent: pytest.Collector, path: Path) -> SuiteCollector:
    """The collector of the session's cases."""
    made = SuiteCollector.from_parent(parent, path=path)
    made.providers = parent.config.stash[PROVIDERS]
    made.laboratory = parent.config.stash[LABORATORY]
    made.selected = _selected(parent.config)
    made.plan = plan_of(parent.config)
    made.gate = parent.config.stash[GATE]
    recording = parent.config.stash[RECORDING]
    made.folder = parent.config.stash[REPORT]
    made.hosts = recording.hosts if recording is not None else frozenset()
    return made


class Recorder:
    """Writes the run's events as they come, and its reports at the end. Lives in the process that sees all results."""

    def __init__(self, config: pytest.Config, providers: list[Provider]) -> None:
        started = datetime.now(UTC)
        self._config = config
        self._providers = providers
        self._gate = config.stash[GATE]
        self._told: list[str] = []
        self._begun = time.perf_counter()
        self._exchanges = 0
        self._seen = 0
        self._planned: int | None = None
        self._path = config.stash[REPORT].with_name(f"{config.stash[REPORT].name}.jsonl")
        command = shlex.join(["pytest", *sys.argv[1:]])
        self._writer = RunWriter(self._path)
        self._started = run_started(
            self._path.stem,
            f"{started:%Y-%m-%dT%H:%M:%SZ}",
            command,
            [provider_info(each, self._gate.expected(each)) for each in providers],
            self._gate.info,
        )

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Have a worker write its repro files beside the report."""
        node.workerinput["conformance_report"] = str(self._config.stash[REPORT])

    def pytest_sessionstart(self) -> None:
        """Open the report."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._writer.__enter__()
        self._writer.write(self._started)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record a case."""
        line = getattr(report, "conformance", None)
        if line is not None:
            event = from_json(line)
            assert isinstance(event, ScenarioFinished)
            self._record(event if report.passed or event.outcome == "failed" else _crashed(event, report))
        elif report.failed:
            provider, _, scenario = report.nodeid.partition("-")
            self._record(ScenarioFinished(provider, scenario, scenario, "error", message=report.longreprtext[-2000:]))

    def _record(self, event: ScenarioFinished) -> None:
        self._exchanges += event.exchanges
        self._seen += 1
        self._writer.write(event)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Close the report and draw the matrix; a failure that was expected and did not come fails the run."""
        complete = exitstatus in (0, 1) and self._seen == sum(1 for _ in self._cases()) and not self._selective
        seconds = round(time.perf_counter() - self._begun, 2)
        finished = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        self._writer.write(RunFinished(finished, self._exchanges, seconds, complete))
        self._writer.__exit__(None, None, None)
        write_html(self._path, self._path.with_suffix(".html"))
        report = aggregate(read_run(self._path).events)
        self._told = [*rewrite(self._config, self._gate, report)]
        pruned = bool(self._config.getoption(PRUNE))
        stale = (entry for each in report.providers for entry in each.stale if not (pruned and self._gate.lists(entry)))
        if exitstatus == 0 and any(stale):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _cases(self) -> Iterator[Any]:
        for provider in self._providers:
            yield from ("sdk",) if missing(provider) else filter(self._gate.takes, plan_of(self._config)(provider))

    @property
    def _selective(self) -> bool:
        config = self._config
        return bool(_selected(config) or config.stash[REPROS]) or config.stash[RECORDING] is not None

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the verdicts."""
        report = aggregate(read_run(self._path).events)
        terminalreporter.ensure_newline()
        recording = self._config.stash[RECORDING]
        for told in recording.drift if recording is not None else ():
            terminalreporter.write_line(f"drift {told}")
        for told in (*(f"expired: {entry.what}: {entry.why}" for entry in self._gate.expired), *self._told):
            terminalreporter.write_line(told)
        for line in summary(report, str(shown(self._path.with_suffix(".html")))):
            terminalreporter.write_line(line.text, **line.markup)


def _crashed(event: ScenarioFinished, report: pytest.TestReport) -> ScenarioFinished:
    return ScenarioFinished(
        event.provider,
        event.scenario,
        event.title,
        "error",
        event.exercised,
        event.violations,
        event.exchanges,
        event.seconds,
        report.longreprtext[-2000:],
    )


def _label(providers: list[Provider]) -> str:
    names = "+".join(provider.name.replace("/", "_") for provider in providers)
    return names if len(names) <= 40 else f"{len(providers)}-providers"
