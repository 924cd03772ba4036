"""The facts of a run that its reports open with, gathered from the machine it runs on."""

import platform
from collections.abc import Iterable
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from pydantic import JsonValue

from harness import __version__
from harness.contract.capabilities import Capabilities
from harness.contract.expected import ExpectedFailure
from harness.contract.rules import RULES
from harness.dialects import load_dialect
from harness.features import features
from harness.provider import Provider
from harness.reporting.events import GateInfo, ProviderInfo, RunStarted

ABSENT: Final = "not installed"
_ALL: Final = GateInfo()


def provider_info(provider: Provider, expected: Iterable[ExpectedFailure] = ()) -> ProviderInfo:
    """What a report says about an adapter; ``expected`` are its expected failures."""
    return ProviderInfo(
        name=provider.name,
        dialect=provider.dialect,
        profiles=provider.capabilities.profiles,
        features=features(provider, load_dialect(provider.dialect)),
        capabilities=_flags(provider.capabilities),
        sdk={distribution: _version(distribution) for distribution in provider.requires},
        expected=tuple(expected),
        cannot_show=provider.cannot_show,
    )


def run_started(
    run_id: str, started: str, command: str, providers: Iterable[ProviderInfo], gate: GateInfo = _ALL
) -> RunStarted:
    """The first event of a run; ``started`` is ISO 8601 in UTC."""
    return RunStarted(
        run_id=run_id,
        started=started,
        version=__version__,
        command=command,
        python=platform.python_version(),
        platform=f"{platform.system()} {platform.machine()}",
        providers=tuple(providers),
        gate=gate,
        rules=tuple(RULES),
    )


def _flags(capabilities: Capabilities) -> dict[str, JsonValue]:
    """Sets become sorted lists: JSON has no sets, and reports must not change from run to run."""
    return {name: sorted(flag) if isinstance(flag, frozenset) else flag for name, flag in asdict(capabilities).items()}


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ABSENT
