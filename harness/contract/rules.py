"""The rules: what an adapter owes its caller.

``rules.toml`` is the table, one row a rule, in the order in which reports show them.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final, Literal

from harness.contract.capabilities import Profile

Level = Literal["MUST", "SHOULD", "MAY"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    ``level`` is MUST where the contract or the vendor leaves no doubt, SHOULD where it is good practice,
    MAY for what is only reported. ``profile`` is the claim that brings the rule in. ``title`` reads as what must hold,
    ``why`` as what happens otherwise; ``evidence`` names public reports, and ``answers`` the field's generic findings
    that the rule is an answer to.
    """

    id: str
    level: Level
    profile: Profile
    title: str
    why: str
    evidence: str
    answers: tuple[str, ...] = ()

    @property
    def family(self) -> str:
        """The part of the id before its first hyphen."""
        return self.id.partition("-")[0]


def _load() -> Mapping[str, Rule]:
    table = tomllib.loads(files("harness.contract").joinpath("rules.toml").read_text(encoding="utf-8"))
    return {
        rule_id: Rule(id=rule_id, **(row | {"answers": tuple(row.get("answers", ()))}))
        for rule_id, row in table.items()
    }


RULES: Final[Mapping[str, Rule]] = _load()

FAMILIES: Final[tuple[str, ...]] = tuple(dict.fromkeys(rule.family for rule in RULES.values()))
