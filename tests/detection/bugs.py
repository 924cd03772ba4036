"""The rows of a file of bugs: real faults of Strands' adapters, with the versions that have them and mended them."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness.bridges.strands import PROVIDERS

_EVERY: Final = tuple(name for name in PROVIDERS if name != "event_loop")
#: names of rows that stand for adapters
_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "all": _EVERY,
    "all-but-bedrock": tuple(name for name in _EVERY if name != "bedrock"),
    "strict_schema": ("bedrock",),  # the one model class that uses it
}

Version = Annotated[str, Field(pattern=r"^\d+(\.\d+){1,3}$")]


class BadBugsError(ValueError):
    """A file of bugs that cannot be used: one line a fault, each with the number of its line."""


class Bug(BaseModel):
    """One bug. ``first_fixed`` is None where no version without it is known."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: Annotated[str, Field(min_length=1)]
    provider: Annotated[str, Field(min_length=1)]
    category: Annotated[str, Field(min_length=1)]
    last_bad: Version
    first_fixed: Version | None = None
    title: str = ""
    trigger: str = ""
    observed: str = ""
    correct: str = ""
    in_1_62_0: Literal["fixed", "present", "unknown"] = "unknown"

    @property
    def pair(self) -> bool:
        """Whether there are two versions to be compared."""
        return self.first_fixed is not None

    @property
    def providers(self) -> tuple[str, ...]:
        """The adapters that the bug is of, by the bridge's names."""
        return tuple(dict.fromkeys(each for name in self.provider.split("/") for each in _GROUPS.get(name, (name,))))

    @property
    def words(self) -> str:
        """All that the row says of the bug itself."""
        return " ".join((self.title, self.trigger, self.observed))


@dataclass(frozen=True, slots=True)
class Run:
    """One adapter of one version, to be tried."""

    version: str
    provider: str


def runs(bugs: Iterable[Bug]) -> list[Run]:
    """What must be tried for the bugs, each once; the newest version first."""
    wanted = {
        Run(version, provider): None
        for bug in bugs
        for version in (bug.last_bad, bug.first_fixed)
        if version
        for provider in bug.providers
    }
    return sorted(wanted, key=lambda run: ([-int(part) for part in re.findall(r"\d+", run.version)], run.provider))


def read_bugs(lines: Iterable[str]) -> list[Bug]:
    """The bugs of a JSON Lines file. Raises BadBugsError."""
    bugs: dict[str, Bug] = {}
    faults: list[str] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            told = list(_faults(line, bugs))
            faults += [f"line {number}: {fault}" for fault in told]
    if faults:
        raise BadBugsError("\n".join(faults))
    if not bugs:
        raise BadBugsError("no bugs in the file")
    return list(bugs.values())


def _faults(line: str, bugs: dict[str, Bug]) -> Iterator[str]:
    """What is wrong with a line; a good one's bug is put among the others."""
    try:
        bug = Bug.model_validate(_object(line))
    except ValidationError as error:
        yield from (f"{'.'.join(map(str, met['loc']))}: {met['msg']}" for met in error.errors())
        return
    except ValueError as error:
        yield str(error)
        return
    if bug.id in bugs:
        yield f"id: {bug.id!r} is there twice"
    if unknown := [name for name in bug.providers if name not in PROVIDERS]:
        known = ", ".join((*PROVIDERS, *_GROUPS))
        yield f"provider: unknown {', '.join(unknown)}. There are: {known}, and several joined by '/'"
    bugs[bug.id] = bug


def _object(line: str) -> Any:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"no JSON: {error.msg} at column {error.colno}") from None
    if not isinstance(value, dict):
        raise ValueError(f"a JSON object is wanted, met {type(value).__name__}")
    return value
