"""The rows of a file of bugs: real faults of Strands' adapters, with the versions that have them and mended them.

A row that cannot be used stays among the bugs and says why: one row that is odd costs nothing but itself.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from harness.bridges.strands import PROVIDERS

_EVERY: Final = tuple(name for name in PROVIDERS if name != "event_loop")
#: names of rows that stand for adapters
_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "all": _EVERY,
    "any": _EVERY,
    "strands": (),  # as in strands/bedrock
    "strict_schema": ("bedrock",),  # the one model class that uses it
    "streaming": ("event_loop",),
    "process_stream": ("event_loop",),
    "amazon_bedrock": ("bedrock",),
    "claude": ("anthropic",),
    "google": ("gemini",),
    "responses": ("openai_responses",),
    "llama_api": ("llamaapi",),
    "llama_cpp": ("llamacpp",),
    "mistralai": ("mistral",),
}
_BUT: Final = re.compile(r"^all_?(?:but|except)_(.+)$")
_BETWEEN: Final = re.compile(r"\s*(?:[/,;+|&]|\band\b)\s*")
_VERSION: Final = re.compile(r"^v?(\d+(?:\.\d+){1,3})$")
_UNFIXED: Final = frozenset({"", "none", "null", "-", "present", "unfixed", "unreleased"})


class BadBugsError(ValueError):
    """A file without a single row."""


@dataclass(frozen=True)
class Bug:
    """One bug; one that is ``unusable`` says why, and ``first_fixed`` is None where no version without it is known."""

    id: str
    provider: str
    category: str
    last_bad: str
    first_fixed: str | None = None
    title: str = ""
    trigger: str = ""
    observed: str = ""
    correct: str = ""
    unusable: str = ""

    @property
    def pair(self) -> bool:
        """Whether there are two versions to be compared."""
        return self.first_fixed is not None

    @property
    def present(self) -> bool:
        """Whether no version is known to have mended it."""
        return bool(self.last_bad) and not self.pair

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions to be tried: the bad one, then the good one where there is one."""
        return (self.last_bad, self.first_fixed) if self.first_fixed else (self.last_bad,)

    @property
    def providers(self) -> tuple[str, ...]:
        """The adapters that the bug is of, by the bridge's names, or by the row's where the bridge has none such."""
        return tuple(dict.fromkeys(each for name in _BETWEEN.split(self.provider) for each in _adapters(name)))

    @property
    def runs(self) -> list["Run"]:
        """What must be tried for the bug."""
        known = [provider for provider in self.providers if provider in PROVIDERS]
        return [Run(version, provider) for version in self.versions for provider in known]

    @property
    def words(self) -> str:
        """All that the row says of the bug itself."""
        return " ".join((self.title, self.trigger, self.observed))


def _adapters(name: str) -> tuple[str, ...]:
    plain = re.sub(r"[\s\-.]+", "_", name.strip().lower()).removeprefix("strands_")
    if but := _BUT.match(plain):
        out = _adapters(but[1])
        return tuple(each for each in _EVERY if each not in out)
    return _GROUPS.get(plain, (plain,))


def stand_ins(bug: Bug) -> Bug:
    """The bug as other model classes of the same protocols may have it, which were there before the row's own."""
    protocols = {PROVIDERS[provider].dialect for provider in bug.providers if provider in PROVIDERS}
    others = [name for name in _EVERY if PROVIDERS[name].dialect in protocols and name not in bug.providers]
    return replace(bug, provider="/".join(others))


@dataclass(frozen=True, slots=True)
class Run:
    """One adapter of one version, to be tried."""

    version: str
    provider: str


def read_bugs(lines: Iterable[str]) -> list[Bug]:
    """The bugs of a JSON Lines file, those that cannot be used among them. Raises BadBugsError for an empty file."""
    bugs: dict[str, Bug] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            bug = _bug(line, number)
            name = bug.id if bug.id not in bugs else f"{bug.id} (line {number})"
            bugs[name] = bug if name == bug.id else replace(bug, id=name)
    if not bugs:
        raise BadBugsError("no bugs in the file")
    return list(bugs.values())


def _bug(line: str, number: int) -> Bug:
    name = f"line {number}"
    try:
        row = json.loads(line)
    except ValueError as error:
        return Bug(name, "", "", "", unusable=f"the line is no JSON: {error}")
    if not isinstance(row, dict):
        return Bug(name, "", "", "", unusable=f"the line is no JSON object, but {type(row).__name__}")
    return _of_row(row, name)


def _of_row(row: Mapping[str, Any], name: str) -> Bug:
    told = {key: _text(row.get(key)) for key in ("title", "trigger", "observed", "correct")}
    bad, fixed = _version(row.get("last_bad")) or _still_in(row), _version(row.get("first_fixed"))
    bug = Bug(
        _text(row.get("id")) or name,
        _text(row.get("provider")),
        _text(row.get("category")) or "none",
        bad,
        fixed,
        **told,
    )
    return replace(bug, first_fixed=fixed or None, unusable=_unusable(bug))


def _still_in(row: Mapping[str, Any]) -> str:
    """The version that a field such as ``in_1_62_0`` says to have the bug."""
    named = (key[3:].replace("_", ".") for key, value in row.items() if key.startswith("in_") and value == "present")
    return next((_version(name) for name in named), "")


def _unusable(bug: Bug) -> str:
    """Why a row cannot be tried; empty where it can."""
    if not bug.provider:
        return "the row names no provider"
    if not any(name in PROVIDERS for name in bug.providers):
        return f"Strands has no model class {', '.join(bug.providers)}. There are: {', '.join(PROVIDERS)}"
    odd = [version for version in (bug.last_bad, bug.first_fixed or "0.0") if not _VERSION.match(version)]
    return f"no version: {', '.join(each or 'last_bad is missing' for each in odd)}" if odd else ""


def _version(value: object) -> str:
    text = _text(value)
    if text.lower() in _UNFIXED:
        return ""
    met = _VERSION.match(text)
    if met is None:
        return text
    parts = met[1].split(".")
    return ".".join([*parts, *["0"] * (3 - len(parts))])


def _text(value: object) -> str:
    """A field's value as text, whatever its type."""
    if value is None:
        return ""
    return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
