"""The pytest plugin: options, collection of the suite, and the run events that every report is made of."""

from pathlib import Path
from typing import Any, Final

import pytest

SUITE: Final = Path(__file__).parent / "suite" / "conformance.suite"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
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
        "--conformance-report",
        default=None,
        metavar="DIR",
        help="folder for the run's report (default: reports)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """With ``--provider``: find the providers, and collect the suite where no path was given."""
    if not config.getoption("--provider"):
        if config.getoption("--scenario"):
            raise pytest.UsageError("--scenario needs --provider")
        return
    from harness.suite.session import prepare

    prepare(config, SUITE)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The suite, where it was asked for."""
    if file_path != SUITE or not parent.config.getoption("--provider"):
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
