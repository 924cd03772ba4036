"""Frozen sets of requirements: the rules that a gate holds adapters to, however many rules are added later.

A set is a file of ``requirement_sets``, named by the month in which it was frozen, which lists ids of rules by level.
It is never edited. A rule that it does not list is reported as unscored; one whose level has changed since keeps the
level that the set gives it.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Final, get_args

from harness.contract.rules import RULES, Level, Rule

_FOLDER: Final = files("harness.contract").joinpath("requirement_sets")
_SUFFIX: Final = ".toml"


class UnknownRequirementsError(LookupError):
    """There is no such set; the message lists those that there are."""


@dataclass(frozen=True, slots=True)
class Requirements:
    """One set: the level of each of its rules, by id."""

    name: str
    levels: Mapping[str, Level]

    def scores(self, rule: str) -> bool:
        """Whether the set holds adapters to a rule."""
        return rule in self.levels

    def rule(self, rule: Rule) -> Rule:
        """The rule, with the level of the set."""
        return replace(rule, level=self.levels.get(rule.id, rule.level))


def requirement_sets() -> tuple[str, ...]:
    """The names of the sets, oldest first."""
    found = (entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(_SUFFIX))
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found))


@cache
def requirements(name: str) -> Requirements:
    """A set by its name. Raises UnknownRequirementsError."""
    if name not in requirement_sets():
        raise UnknownRequirementsError(f"unknown requirements {name!r}. There are: {', '.join(requirement_sets())}")
    table: dict[str, list[str]] = tomllib.loads((_FOLDER / f"{name}{_SUFFIX}").read_text(encoding="utf-8"))
    return Requirements(name, {rule: level for level in _LEVELS for rule in table.get(level, ())})


_LEVELS: Final[tuple[Level, ...]] = get_args(Level)


def freeze(rules: Mapping[str, Rule] = RULES) -> str:
    """A new set's file, of the rules as they are."""
    lines = ["# A frozen set of requirements. It is never edited: a later set takes its place."]
    for level in _LEVELS:
        members = [rule.id for rule in rules.values() if rule.level == level]
        lines += ["", f"{level} = [", *(f'    "{rule}",' for rule in members), "]"]
    return "\n".join(lines) + "\n"
