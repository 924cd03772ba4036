"""What a session holds adapters to: profiles, levels, a frozen set of requirements, and failures that are expected."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, get_args

import pytest

from harness.cassettes.storage import cassettes_in
from harness.contract.capabilities import Profile
from harness.contract.expected import ExpectationError, ExpectedFailure, read_expected, unknown
from harness.contract.requirements import UnknownRequirementsError, requirements
from harness.contract.rules import RULES
from harness.discovery import every_name
from harness.provider import Provider
from harness.reporting.events import GateInfo
from harness.reporting.verdicts import Scoring
from harness.scenarios.catalogue import CATALOGUE
from harness.scenarios.generated import PROPERTIES
from harness.suite.case import Case

PROFILES: Final[tuple[Profile, ...]] = get_args(Profile)


@dataclass(frozen=True, slots=True)
class Gate:
    """The options of a session. ``listed`` are the entries of the file of expected failures that still hold.

    ``file`` is that file; ``expired`` are its entries whose last day is past.
    """

    scoring: Scoring
    file: Path | None = None
    listed: tuple[ExpectedFailure, ...] = ()
    expired: tuple[ExpectedFailure, ...] = ()

    @property
    def info(self) -> GateInfo:
        """The gate, as reports tell it."""
        return self.scoring.gate

    def expected(self, provider: Provider) -> tuple[ExpectedFailure, ...]:
        """The expected failures of an adapter: of its record, and of the file."""
        recorded = (ExpectedFailure(rule, reason) for rule, reason in provider.expected.items())
        return (*recorded, *(entry for entry in self.listed if entry.of(provider.name)))

    def excused(self, provider: Provider, rule: str, scenario: str) -> bool:
        """Whether a breach is expected."""
        return any(entry.covers(rule, scenario) for entry in self.expected(provider))

    def judges(self, provider: Provider, rule: str) -> bool:
        """Whether a breach is told at all: the adapter claims the rule's profile, and can show what it is about."""
        profiles = self.scoring.profiles(provider.capabilities.profiles)
        return RULES[rule].profile in profiles and rule not in provider.cannot_show

    def binds(self, rule: str) -> bool:
        """Whether a breach that is not expected fails the run."""
        return self.scoring.weight(self.scoring.rule(RULES[rule])) == "fail"

    def takes(self, case: Case) -> bool:
        """Whether a case is about anything that was asked for."""
        asked = self.info.profiles
        return not asked or any(RULES[rule].profile in asked for rule in case.rules)


def gate_of(config: pytest.Config, providers: Iterable[Provider]) -> Gate:
    """The gate that the options describe. Raises UsageError for whatever they name and there is not."""
    info = GateInfo(
        _profiles(config), bool(config.getoption("strict", False)), config.getoption("--requirements") or ""
    )
    try:
        scoring = Scoring(info, requirements(info.requirements) if info.requirements else None)
    except UnknownRequirementsError as error:
        raise pytest.UsageError(f"--requirements: {error}") from None
    return _with_expected(config, Gate(scoring), providers)


def _profiles(config: pytest.Config) -> tuple[str, ...]:
    asked = [name.strip() for value in config.getoption("--profile") for name in value.split(",") if name.strip()]
    strange = sorted(set(asked) - set(PROFILES))
    if strange:
        raise pytest.UsageError(f"unknown profile {', '.join(strange)}. There are: {', '.join(PROFILES)}")
    return tuple(profile for profile in PROFILES if profile in asked)


def _with_expected(config: pytest.Config, gate: Gate, providers: Iterable[Provider]) -> Gate:
    given = config.getoption("--expected-failures")
    rewrites = [name for name in REWRITES if config.getoption(name)]
    if given is None:
        if rewrites:
            raise pytest.UsageError(f"{rewrites[0]} needs --expected-failures FILE")
        return gate
    path = Path(given)
    if not path.exists() and UPDATE in rewrites:
        return replace(gate, file=path)
    entries = _read(path)
    wrong = [*unknown(entries, {*every_name(), *(each.name for each in providers)}, _scenarios(providers))]
    if wrong:
        raise pytest.UsageError(f"{path}: {'; '.join(wrong)}")
    today = datetime.now(UTC).date()
    held = tuple(entry for entry in entries if not entry.expired(today))
    return replace(gate, file=path, listed=held, expired=tuple(entry for entry in entries if entry.expired(today)))


UPDATE: Final = "--expected-failures-update"
PRUNE: Final = "--expected-failures-prune"
REWRITES: Final = (UPDATE, PRUNE)


def _read(path: Path) -> tuple[ExpectedFailure, ...]:
    try:
        return read_expected(path)
    except (ExpectationError, OSError) as error:
        raise pytest.UsageError(f"--expected-failures: {error}") from None


def _scenarios(providers: Iterable[Provider]) -> Iterator[str]:
    yield from (scenario.id for scenario in CATALOGUE)
    yield from (prop.id for prop in PROPERTIES)
    for provider in providers:
        yield from (f"cassette-{name}" for name in cassettes_in(provider.cassettes)) if provider.cassettes else ()
