"""What a session is asked to record, checked before any call."""

from pathlib import Path

import pytest

from harness.cassettes.budget import Budget, parse_budget
from harness.cassettes.emulator import Emulator
from harness.cassettes.service import MissingKeyError, service_of, stand_in
from harness.provider import Provider
from harness.suite.recording import Recording, RecordMode


def recording_of(config: pytest.Config, folder: Path, providers: list[Provider]) -> Recording | None:
    """The recording that the options ask for; None where the service is never called. Raises UsageError."""
    mode = RecordMode(config.getoption("--record-mode") or RecordMode.NONE)
    if mode is RecordMode.NONE:
        return None
    if config.getoption("numprocesses", None) or hasattr(config, "workerinput"):
        raise pytest.UsageError("--record-mode records in one process: leave out -n")
    try:
        budget = parse_budget(config.getoption("--record-limit"))
    except ValueError:
        told = config.getoption("--record-limit")
        raise pytest.UsageError(f"--record-limit takes CALLS or CALLS,TOKENS, e.g. 50,20000, not {told!r}") from None
    model = config.getoption("--record-model")
    if config.getoption("--record-emulated"):
        return emulated(mode, folder, providers, budget, model)
    services = {}
    missing = []
    for provider in providers:
        try:
            services[provider.name] = service_of(provider)
        except MissingKeyError as error:
            missing.append(str(error))
    if missing:
        raise pytest.UsageError("; ".join(missing))
    return Recording(mode, folder, services, budget, model)


def emulated(
    mode: RecordMode, folder: Path, providers: list[Provider], budget: Budget, model: str | None = None
) -> Recording:
    """A recording of the stand-in for the services."""
    emulator = Emulator()
    services = {provider.name: stand_in(provider, emulator.base_url) for provider in providers}
    return Recording(mode, folder, services, budget, model, emulator)
