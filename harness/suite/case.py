"""What the suite is made of."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from harness.bench import Bench
from harness.laboratory import Laboratory
from harness.provider import Provider


@dataclass(frozen=True, slots=True)
class Origin:
    """The failure that a case runs again: its repro file, its scenario, and the rule that was broken."""

    file: Path
    scenario: str
    rule: str


@dataclass(frozen=True, slots=True)
class Case:
    """One item of the suite. ``origin`` is that of a case from a repro file."""

    provider: Provider
    id: str
    title: str
    rules: tuple[str, ...]
    run: Callable[[Laboratory, Bench], None]
    origin: Origin | None = None

    @property
    def name(self) -> str:
        """The node id, e.g. ``bedrock-tools-parallel``."""
        return f"{self.provider.name}-{self.id}"

    @property
    def scenario(self) -> str:
        """The scenario that is run: the case's own, or that of the failure that it runs again."""
        return self.origin.scenario if self.origin else self.id
