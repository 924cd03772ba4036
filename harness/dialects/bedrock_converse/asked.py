"""A well-formed request, laid out for the rules about what its parts mean to each other."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Placed:
    """A content block, with the place of its turn and its own."""

    turn: int
    at: int
    role: str
    kind: str
    value: Any

    @property
    def path(self) -> str:
        """The JSON path of the block's value."""
        return f"messages[{self.turn}].content[{self.at}].{self.kind}"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request whose form is sound."""

    model: str
    body: Mapping[str, Any]
    turns: Sequence[Mapping[str, Any]]
    blocks: Sequence[Placed]
    tools: Mapping[str, Any]

    @classmethod
    def of(cls, model: str, body: Mapping[str, Any]) -> "Asked":
        """Lay the blocks of all turns out in one row."""
        turns = body.get("messages", ())
        blocks = [
            Placed(turn, at, message["role"], kind, value)
            for turn, message in enumerate(turns)
            for at, block in enumerate(message["content"])
            for kind, value in block.items()
        ]
        return cls(model, body, turns, blocks, body.get("toolConfig", {}))

    def of_kind(self, kind: str) -> Iterator[Placed]:
        """The blocks of one kind."""
        return (block for block in self.blocks if block.kind == kind)

    def is_of(self, families: Iterable[str]) -> bool:
        """Whether the model's id names one of the families."""
        return any(family in self.model for family in families)

    @property
    def thinks(self) -> bool:
        """Whether a Claude model is told to think with a fixed budget."""
        thinking = self.body.get("additionalModelRequestFields", {}).get("thinking")
        return self.is_of(CLAUDE) and isinstance(thinking, dict) and thinking.get("type") == "enabled"


CLAUDE: Final = ("anthropic.", "claude")
NOVA: Final = ("amazon.nova",)

GUIDE: Final = "Amazon Bedrock user guide, Converse"
