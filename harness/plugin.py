"""The pytest plugin: options, collection of the suite, and the run events that every report is made of."""

import os
from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final

import pytest

_NEED_PROVIDER: Final = ("--scenario", "--profile", "--requirements", "--expected-failures", "--shard", "--examples")
SUITE: Final = Path(__file__).parent / "suite" / "conformance.suite"


_MANY: Final[Mapping[str, Any]] = {"action": "append", "default": []}
_FLAG: Final[Mapping[str, Any]] = {"action": "store_true"}

#: the options, in the order in which help shows them; pytest's own ``--strict`` is one of the gate as well
_OPTIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    "--provider": {
        **_MANY,
        "metavar": "NAME",
        "help": "adapter to try: a shipped name, module:ATTRIBUTE, or 'all'; repeatable, and takes commas",
    },
    "--scenario": {**_MANY, "metavar": "ID", "help": "run only this scenario; repeatable, and takes commas"},
    "--repro": {
        **_MANY,
        "metavar": "FILE",
        "help": "run just the failure of this repro file again; repeatable; --provider names another adapter than it "
        "does",
    },
    "--shard": {
        "metavar": "I/N",
        "help": "run one of N shares of about the same cost, e.g. 1/3; always the same ones, for machines in parallel",
    },
    "--examples": {
        **_MANY,
        "metavar": "DATABASE",
        "help": "where failing examples are kept for all machines: redis://HOST, github:OWNER/REPO (is only read), or "
        "a folder; repeatable",
    },
    "--profile": {
        **_MANY,
        "metavar": "NAME",
        "help": "judge the rules of this profile only; repeatable, and takes commas (default: all that are claimed)",
    },
    "--requirements": {
        "metavar": "SET",
        "help": "a frozen set of rules, e.g. 2026-12: later rules are reported as unscored",
    },
    "--expected-failures": {
        "metavar": "FILE",
        "help": "TOML file of failures that are known; one that passes fails the run",
    },
    "--expected-failures-update": {**_FLAG, "help": "add new failures to the file of expected ones"},
    "--expected-failures-prune": {**_FLAG, "help": "take failures that passed out of the file"},
    "--conformance-report": {"metavar": "DIR", "help": "folder for the run's report (default: reports)"},
    "--cassettes": {
        "metavar": "DIR",
        "help": "folder of recorded exchanges, one folder a provider (default: cassettes)",
    },
    "--record-limit": {
        "metavar": "CALLS[,TOKENS]",
        "help": "what a recording may cost (default: 200,100000)",
    },
    "--record-model": {"metavar": "MODEL", "help": "the model that is recorded"},
    "--record-emulated": {**_FLAG, "help": "record from the harness's own stand-in for the service, without keys"},
    "--record-mode": {
        "choices": ("none", "once", "new_episodes", "all", "rewrite"),
        "help": "when to call the real service with the keys of the environment (default: none)",
    },
}


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the options."""
    pluginmanager.register(Profiles(), "conformance-profiles")
    group = parser.getgroup("conformance", "conformance of model-provider adapters")
    known = {"--record-mode"} if _has_record_mode(pluginmanager) else set()
    for name, attributes in _OPTIONS.items():
        if name not in known:
            group.addoption(name, **attributes)


class Profiles:
    """Makes the profile ``nightly``, before hypothesis loads the one that was asked for."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Only where the suite is run: other tests have profiles of their own."""
        if _asked(config) and config.getoption("--hypothesis-profile", None) == "nightly":
            from harness.suite.nightly import register

            register()


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
