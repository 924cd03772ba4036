"""Expected failures: rules that an adapter is known to break, listed so that only changes fail a run.

A file of them is TOML, one ``[[expected]]`` table a failure::

    [[expected]]
    rule = "TOOL-ID"                # an id of the table of rules
    provider = "strands/bedrock"    # a name or a pattern, such as strands/*; all adapters of the run when left out
    scenario = "tools-parallel"     # a name or a pattern; all scenarios when left out
    reason = "ids are made anew on each turn"
    link = "https://…"              # optional: the report of it
    expires = 2027-01-31            # optional: the last day on which the failure is expected

Adapters and scenarios may be several, joined by commas. The failure is then expected of every one of the adapters, and
in at least one of the scenarios.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, ClassVar, Final

from pydantic import ConfigDict

from harness.contract.rules import RULES

ANY: Final = "*"


class ExpectationError(ValueError):
    """A file of expected failures that cannot be used: the file, the entry by number, and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class ExpectedFailure:
    """One failure that is known.

    ``provider`` and ``scenario`` are shell patterns, or several joined by commas; ``expires`` is an ISO date, or empty.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)

    rule: str
    reason: str
    provider: str = ANY
    scenario: str = ANY
    link: str = ""
    expires: str = ""

    @property
    def what(self) -> str:
        """The rule, and the scenario where one is named."""
        return self.rule if self.scenario == ANY else f"{self.rule} in {self.scenario}"

    @property
    def why(self) -> str:
        """The reason, with its link."""
        return f"{self.reason} ({self.link})" if self.link else self.reason

    @property
    def one_scenario(self) -> bool:
        """Whether it names a single scenario."""
        return not any(sign in self.scenario for sign in "*?[,")

    def of(self, provider: str) -> bool:
        """Whether it is about an adapter."""
        return any(fnmatchcase(provider, pattern) for pattern in _patterns(self.provider))

    def covers(self, rule: str, scenario: str) -> bool:
        """Whether a breach of the rule, met in the scenario, is the expected one."""
        return rule == self.rule and any(fnmatchcase(scenario, pattern) for pattern in _patterns(self.scenario))

    def expired(self, today: date) -> bool:
        """Whether its last day is past."""
        return bool(self.expires) and date.fromisoformat(self.expires) < today


def _patterns(names: str) -> list[str]:
    return [name.strip() for name in names.split(",")]


def read_expected(path: Path) -> tuple[ExpectedFailure, ...]:
    """The entries of a file, in its order. Raises ExpectationError, and OSError."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ExpectationError(f"{path}: no TOML: {error}") from None
    strange = sorted(set(table) - {"expected"})
    entries = table.get("expected", [])
    if strange or not isinstance(entries, list):
        raise ExpectationError(
            f"{path}: expected [[expected]] tables alone, met {', '.join(strange) or 'another type'}"
        )
    return tuple(_entry(f"{path}: entry {number}", row) for number, row in enumerate(entries, 1))


def _entry(place: str, row: object) -> ExpectedFailure:
    if not isinstance(row, dict):
        raise ExpectationError(f"{place}: expected a table, met {row!r}")
    wrong = [*_wrong(row)]
    if wrong:
        raise ExpectationError(f"{place}: {'; '.join(wrong)}")
    return ExpectedFailure(**{name: str(value) for name, value in row.items()})


def _wrong(row: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"unknown key {name!r}" for name in row if name not in _KEYS)
    yield from (f"{name} is missing" for name in ("rule", "reason") if name not in row)
    for name, kind in _KEYS.items():
        if name in row and (type(row[name]) is not kind or not row[name]):
            yield f"{name} must be a {_NAMES[kind]}, met {row[name]!r}"
    if isinstance(row.get("rule"), str) and row["rule"] not in RULES:
        yield f"there is no rule {row['rule']!r}"


_KEYS: Final[Mapping[str, type]] = {
    "rule": str,
    "provider": str,
    "scenario": str,
    "reason": str,
    "link": str,
    "expires": date,
}
_NAMES: Final[Mapping[type, str]] = {str: "text that is not empty", date: "date, such as 2027-01-31"}


def unknown(entries: Iterable[ExpectedFailure], providers: Iterable[str], scenarios: Iterable[str]) -> Iterator[str]:
    """What entries name and nothing answers to: a misspelt name must not look like a failure that went away."""
    known = {"provider": tuple(providers), "scenario": tuple(scenarios)}
    for number, entry in enumerate(entries, 1):
        for kind, names in known.items():
            for pattern in _patterns(getattr(entry, kind)):
                if not any(fnmatchcase(name, pattern) for name in names):
                    yield f"entry {number} ({entry.what}): there is no {kind} {pattern!r}"
