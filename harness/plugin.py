"""The pytest plugin: options, collection of the suite, and the run events that every report is made of."""

import os
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final

import pytest

_NEED_PROVIDER: Final = ("--scenario", "--profile", "--requirements", "--expected-failures", "--shard", "--examples")
SUITE: Final = Path(__file__).parent / "suite" / "conformance.suite"


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the options."""
    pluginmanager.register(Profiles(), "conformance-profiles")
    group = parser.getgroup("conformance", "conformance of model-provider adapters")
    group.addoption(
        "--provider",
        action="append",
        default=[],
        metavar="NAME",
        help="adapter to try: a shipped name, module:ATTRIBUTE, or 'all'; repeatable, and takes commas",
    )
    group.addoption(
        "--scenario",
        action="append",
        default=[],
        metavar="ID",
        help="run only this scenario; repeatable, and takes commas",
    )
    group.addoption(
        "--repro",
        action="append",
        default=[],
        metavar="FILE",
        help="run just the failure of this repro file again; repeatable; --provider names another adapter than it does",
    )
    group.addoption(
        "--shard",
        default=None,
        metavar="I/N",
        help="run one of N shares of about the same cost, e.g. 1/3; always the same ones, for machines in parallel",
    )
    group.addoption(
        "--examples",
        action="append",
        default=[],
        metavar="DATABASE",
        help="where failing examples are kept for all machines: redis://HOST, github:OWNER/REPO (is only read), or a "
        "folder; repeatable",
    )
    _add_gate(group)
    group.addoption(
        "--conformance-report",
        default=None,
        metavar="DIR",
        help="folder for the run's report (default: reports)",
    )
    group.addoption(
        "--cassettes",
        default=None,
        metavar="DIR",
        help="folder of recorded exchanges, one folder a provider (default: cassettes)",
    )
    group.addoption(
        "--record-limit",
        default=None,
        metavar="CALLS[,TOKENS]",
        help="what a recording may cost (default: 200,100000)",
    )
    group.addoption("--record-model", default=None, metavar="MODEL", help="the model that is recorded")
    group.addoption(
        "--record-emulated",
        action="store_true",
        help="record from the harness's own stand-in for the service, without keys",
    )
    if not _has_record_mode(pluginmanager):
        group.addoption(
            "--record-mode",
            default=None,
            choices=("none", "once", "new_episodes", "all", "rewrite"),
            help="when to call the real service with the keys of the environment (default: none)",
        )


class Profiles:
    """Makes the profile ``nightly``, before hypothesis loads the one that was asked for."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Only where the suite is run: other tests have profiles of their own."""
        if _asked(config) and config.getoption("--hypothesis-profile", None) == "nightly":
            from harness.suite.nightly import register

            register()


def _add_gate(group: pytest.OptionGroup) -> None:
    """Add the options of the gate. pytest's own ``--strict`` is one of them."""
    group.addoption(
        "--profile",
        action="append",
        default=[],
        metavar="NAME",
        help="judge the rules of this profile only; repeatable, and takes commas (default: all that are claimed)",
    )
    group.addoption(
        "--requirements",
        default=None,
        metavar="SET",
        help="a frozen set of rules, e.g. 2026-12: later rules are reported as unscored",
    )
    group.addoption(
        "--expected-failures",
        default=None,
        metavar="FILE",
        help="TOML file of failures that are known; one that passes fails the run",
    )
    group.addoption(
        "--expected-failures-update", action="store_true", help="add new failures to the file of expected ones"
    )
    group.addoption("--expected-failures-prune", action="store_true", help="take failures that passed out of the file")


def _has_record_mode(pluginmanager: pytest.PytestPluginManager) -> bool:
    """Whether pytest-recording adds the option: it is there already, or about to be loaded."""
    if pluginmanager.hasplugin("pytest_recording.plugin") or pluginmanager.hasplugin("recording"):
        return True
    autoload = not os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    awaited = any(entry.name == "recording" for entry in entry_points(group="pytest11"))
    return autoload and awaited and not pluginmanager.is_blocked("recording")


def _asked(config: pytest.Config) -> bool:
    return bool(config.getoption("--provider") or config.getoption("--repro"))


def pytest_configure(config: pytest.Config) -> None:
    """With ``--provider`` or ``--repro``: find the providers, and collect the suite where no path was given."""
    if not _asked(config):
        alone = [option for option in _NEED_PROVIDER if config.getoption(option)]
        if alone:
            raise pytest.UsageError(f"{alone[0]} needs --provider")
        return
    from harness.suite.session import prepare

    prepare(config, SUITE)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The suite, where it was asked for."""
    if file_path != SUITE or not _asked(parent.config):
        return None
    from harness.suite.session import collector

    return collector(parent, file_path)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Send a case's result along with its report, through xdist too."""
    report = yield
    result = getattr(item, "result", None)
    if call.when == "call" and result is not None:
        report.conformance = result.to_json()
    return report
