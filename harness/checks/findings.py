"""What checks find: which rules were exercised, and how they were broken."""

from collections.abc import Callable
from dataclasses import dataclass, field

from harness.checks.observation import Observation
from harness.contract.rules import RULES
from harness.contract.violations import Violation


@dataclass
class Findings:
    """The yield of all checks on one observation, or on several."""

    exercised: set[str] = field(default_factory=set)
    violations: list[Violation] = field(default_factory=list)

    def exercise(self, *rules: str) -> None:
        """Note that the rules were put to the test."""
        self.exercised.update(rules)

    def violate(self, rule: str, met: str, wanted: str | None = None, index: int | None = None) -> None:
        """Note a breach."""
        self.exercised.add(rule)
        self.violations.append(Violation(rule, met, index, wanted))

    def expect(self, rule: str, holds: bool, met: object, wanted: object = None) -> None:
        """Put a rule to the test. ``met`` and ``wanted`` are shown when it does not hold."""
        self.exercised.add(rule)
        if not holds:
            self.violate(rule, shown(met), None if wanted is None else shown(wanted))

    @property
    def broken(self) -> dict[str, list[Violation]]:
        """The violations by rule, in the order of the table of rules."""
        found: dict[str, list[Violation]] = {}
        for violation in sorted(self.violations, key=lambda v: _ORDER[v.rule]):
            found.setdefault(violation.rule, []).append(violation)
        return found


_ORDER = {rule: place for place, rule in enumerate(RULES)}

Check = Callable[[Observation, Findings], None]


def shown(value: object, limit: int = 160) -> str:
    """A value for a report, cut to ``limit`` characters."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
