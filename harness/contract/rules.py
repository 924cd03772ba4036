"""The rules: what an adapter owes its caller.

``rules.toml`` is the table, one row a rule, in the order in which reports show them.
"""

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final, Literal

from harness.contract.capabilities import Profile

Level = Literal["MUST", "SHOULD", "MAY"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    ``level`` is MUST where the contract or the vendor leaves no doubt, SHOULD where it is good practice, MAY for what
    is only reported. ``profile`` is the claim that brings the rule in, and ``needs`` are the features without which it
    cannot show (see :mod:`harness.features`). ``title`` reads as what must hold, ``why`` as what happens otherwise,
    ``fix`` as what to do where an adapter breaks it; ``evidence`` names public reports, ``answers`` the field's generic
    findings that the rule is an answer to.
    """

    id: str
    level: Level
    profile: Profile
    title: str
    why: str
    evidence: str
    fix: str = ""
    answers: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    @property
    def family(self) -> str:
        """The part of the id before its first hyphen."""
        return self.id.partition("-")[0]

    def applies(self, profiles: Collection[str], features: Collection[str]) -> bool:
        """Whether an adapter that claims these profiles and has these features owes the rule."""
        return self.profile in profiles and all(feature in features for feature in self.needs)


def _load() -> Mapping[str, Rule]:
    table = tomllib.loads(files("harness.contract").joinpath("rules.toml").read_text(encoding="utf-8"))
    return {
        rule_id: Rule(id=rule_id, **{key: _frozen(value) for key, value in row.items()})
        for rule_id, row in table.items()
    }


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


RULES: Final[Mapping[str, Rule]] = _load()

FAMILIES: Final[tuple[str, ...]] = tuple(dict.fromkeys(rule.family for rule in RULES.values()))
