"""What the suite is made of."""

from collections.abc import Callable
from dataclasses import dataclass

from harness.bench import Bench
from harness.laboratory import Laboratory
from harness.provider import Provider


@dataclass(frozen=True, slots=True)
class Case:
    """One item of the suite."""

    provider: Provider
    id: str
    title: str
    rules: tuple[str, ...]
    run: Callable[[Laboratory, Bench], None]

    @property
    def name(self) -> str:
        """The node id, e.g. ``bedrock-tools-parallel``."""
        return f"{self.provider.name}-{self.id}"
