"""One test session with ``--provider``: its providers, its laboratory, and its report."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from harness.discovery import UnknownProviderError, find, missing
from harness.laboratory import Laboratory
from harness.provider import Provider
from harness.repro.model import ReproError
from harness.suite.case import Case
from harness.suite.cases import cases
from harness.suite.examples import Examples, ExamplesError, examples_of
from harness.suite.gate import Gate, gate_of
from harness.suite.items import SuiteCollector, missing_sdk
from harness.suite.record_options import recording_of
from harness.suite.recorder import Plan, Recorder
from harness.suite.recording import Recording
from harness.suite.replay import with_cassettes
from harness.suite.repros import ReproFile, adapters, read_files, repro_cases
from harness.suite.shards import GENERATED, Shard
from harness.suite.watching import Watcher

PROVIDERS: Final = pytest.StashKey[list[Provider]]()
LABORATORY: Final = pytest.StashKey[Laboratory]()
GATE: Final = pytest.StashKey[Gate]()
RECORDING: Final = pytest.StashKey[Recording | None]()
REPROS: Final = pytest.StashKey[list[ReproFile]]()
SHARD: Final = pytest.StashKey[Shard | None]()
EXAMPLES: Final = pytest.StashKey[Examples | None]()
#: the run's report, without its suffix; repro files are written into the folder of that name
REPORT: Final = pytest.StashKey[Path]()


def prepare(config: pytest.Config, suite: Path) -> None:
    """Find the providers, make the laboratory, and record the run unless another process does."""
    config.stash[REPROS] = _repros(config)
    providers = _found(config)
    config.stash[SHARD] = _shard(config)
    config.stash[EXAMPLES] = _examples(config)
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
    if not hasattr(config, "workerinput") and not config.option.collectonly:
        plan = _plan(config)
        config.pluginmanager.register(Recorder(config, plan), "conformance-recorder")
        config.pluginmanager.register(Watcher(config, plan.scenarios), "conformance-progress")


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


_WITHOUT_REPRO: Final = ("--scenario", "--profile", "--expected-failures", "--record-mode", "--shard", "--examples")


def _shard(config: pytest.Config) -> Shard | None:
    told = config.getoption("--shard")
    try:
        return None if told is None else Shard.parse(told)
    except ValueError as error:
        raise pytest.UsageError(f"--shard {error}") from None


def _examples(config: pytest.Config) -> Examples | None:
    shard = config.stash[SHARD]
    try:
        return examples_of(config.getoption("--examples"), shard.count if shard else 1)
    except ExamplesError as error:
        raise pytest.UsageError(f"--examples {error}") from None


def _report(config: pytest.Config, providers: list[Provider]) -> Path:
    """Where the run is told of, without a suffix: named by the time, in the process that has the workers if any."""
    if hasattr(config, "workerinput"):
        return Path(config.workerinput["conformance_report"])
    folder = Path(config.getoption("--conformance-report") or _home(config) / "reports")
    share = f"-{config.stash[SHARD]}" if config.stash[SHARD] else ""
    return folder.absolute() / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{_label(providers)}{share}"


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
    return partial(cases, examples=config.stash[EXAMPLES]) if recording is None else recording.cases


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
    made.shard = parent.config.stash[SHARD]
    made.folder = parent.config.stash[REPORT]
    examples = parent.config.stash[EXAMPLES]
    made.everywhere = GENERATED if examples else frozenset()  # each share draws examples of its own
    made.hosts = (recording.hosts if recording else frozenset()) | (examples.hosts if examples else frozenset())
    return made


def _plan(config: pytest.Config) -> Plan:
    """What the session sets out to do, as its recorder needs to know it."""
    recording = config.stash[RECORDING]
    gate, providers = config.stash[GATE], config.stash[PROVIDERS]
    return Plan(
        report=config.stash[REPORT],
        gate=gate,
        providers=providers,
        scenarios={item: told for each in providers for item, told in _items(config, each)},
        whole=not any((_selected(config), config.stash[REPROS], config.stash[SHARD], recording)),
        remarks=lambda: [f"drift {told}" for told in recording.drift] if recording is not None else [],
    )


def _items(config: pytest.Config, provider: Provider) -> Iterator[tuple[str, tuple[str, str]]]:
    """The node ids of an adapter's items, each with adapter and scenario."""
    if missing(provider):
        yield missing_sdk(provider), (provider.name, "sdk")
        return
    selected = _selected(config)
    for case in filter(config.stash[GATE].takes, plan_of(config)(provider)):
        if not selected or case.id in selected:
            yield case.name, (provider.name, case.id)


def _label(providers: list[Provider]) -> str:
    names = "+".join(provider.name.replace("/", "_") for provider in providers)
    return names if len(names) <= 40 else f"{len(providers)}-providers"
