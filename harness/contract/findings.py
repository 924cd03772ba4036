"""The generic findings about adapters in the field, to which the rules are answers: ``findings.toml`` is the table."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from harness.contract.rules import RULES, Rule


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding."""

    id: str
    name: str

    @property
    def answered_by(self) -> tuple[Rule, ...]:
        """The rules that answer it, in the order of their table."""
        return tuple(rule for rule in RULES.values() if self.id in rule.answers)


def _load() -> Mapping[str, Finding]:
    table = tomllib.loads(files("harness.contract").joinpath("findings.toml").read_text(encoding="utf-8"))
    return {finding_id: Finding(id=finding_id, **row) for finding_id, row in table.items()}


FINDINGS: Final[Mapping[str, Finding]] = _load()
