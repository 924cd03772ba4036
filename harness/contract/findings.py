"""The generic findings about adapters in the field, to which the rules are answers: ``findings.toml`` is the table."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final, Literal

from harness.contract.rules import RULES, Rule

Part = Literal["schemas", "ReAct"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. ``part`` is the part of the project that it belongs to where it is no matter of an adapter's rules.

    Those parts are schema conversion, and the text fallback for models without tools.
    """

    id: str
    name: str
    part: Part | None = None

    @property
    def answered_by(self) -> tuple[Rule, ...]:
        """The rules that answer it, in the order of their table."""
        return tuple(rule for rule in RULES.values() if self.id in rule.answers)


def _load() -> Mapping[str, Finding]:
    table = tomllib.loads(files("harness.contract").joinpath("findings.toml").read_text(encoding="utf-8"))
    return {finding_id: Finding(id=finding_id, **row) for finding_id, row in table.items()}


FINDINGS: Final[Mapping[str, Finding]] = _load()
