"""Parts of items: texts that grow.

A service tells the same words up to four times: in deltas, when a part is done, when its item is done, and in the final
response. Each time goes out what is new, so that nothing is told twice, and nothing is lost where a service leaves out
some of these.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final, Literal, NamedTuple

from harness.contract.events import DeltaBody
from providers._shared.blocks import Block, BlockWriter
from providers.openai_responses.citations import citation

Kind = Literal["text", "refusal", "summary", "reasoning", "arguments"]

_WRAP: Final[Mapping[Kind, Callable[[str], DeltaBody]]] = {
    "text": lambda text: {"text": text},
    "refusal": lambda text: {"text": text},
    "summary": lambda text: {"reasoningContent": {"text": text}},
    "reasoning": lambda text: {"reasoningContent": {"text": text}},
    "arguments": lambda text: {"toolUse": {"input": text}},
}

#: parts of a message, by type: their kind, and the field of their words
_MESSAGE_PARTS: Final[Mapping[Any, tuple[Kind, str]]] = {
    "output_text": ("text", "text"),
    "refusal": ("refusal", "refusal"),
}


def delta_of(kind: Kind, text: str) -> DeltaBody:
    """A piece of a part as a delta."""
    return _WRAP[kind](text)


class Tells(IntEnum):
    """What an event tells of a part, in the order in which such events come."""

    MORE = 0
    #: the whole text
    TEXT = 1
    #: the whole part, with what belongs to the text
    PART = 2


class Told(NamedTuple):
    """A part as a whole."""

    kind: Kind
    text: str
    annotations: Sequence[Any] = ()


@dataclass(eq=False, slots=True)
class Part:
    """A text of an item that grows by deltas. ``key`` is its number in the item, None where the service tells none."""

    writer: BlockWriter
    block: Block
    kind: Kind
    key: Hashable
    pieces: list[str] = field(default_factory=list)
    cited: int = 0
    told: Tells = Tells.MORE

    @property
    def said(self) -> str:
        """What was told so far."""
        return "".join(self.pieces)

    def is_meant(self, key: Hashable, tells: Tells) -> bool:
        """Whether an event with this key speaks of this part. Without keys, each part is told once in each way."""
        if key is not None and self.key is not None:
            return key == self.key
        return self.told < max(tells, Tells.TEXT)

    def say(self, text: str) -> None:
        """More of the text."""
        self.pieces.append(text)
        self.writer.write(self.block, _WRAP[self.kind](text))

    def complete(self, whole: str, tells: Tells = Tells.TEXT) -> None:
        """The whole text: the rest goes out. Where it is another text than the deltas gave, they stand."""
        said, self.told = self.said, max(self.told, tells)
        if len(whole) > len(said) and whole.startswith(said) and not self.block.ended:
            self.say(whole[len(said) :])

    def cite(self, annotation: Any) -> None:
        """One more annotation of the text."""
        self.cited += 1
        if (delta := citation(annotation)) and not self.block.ended:
            self.writer.write(self.block, delta)

    def complete_told(self, told: Told) -> None:
        """The whole text, with all its annotations: those that were not told yet go out."""
        self.complete(told.text, Tells.PART)
        for annotation in told.annotations[self.cited :]:
            self.cite(annotation)


def told_part(content: Any) -> Told | None:
    """What a part of a message tells; None for parts that carry no words."""
    row = _MESSAGE_PARTS.get(content.get("type")) if isinstance(content, Mapping) else None
    text = content.get(row[1]) if row else None
    if row is None or not isinstance(text, str):
        return None
    annotations = content.get("annotations")
    return Told(row[0], text, annotations if isinstance(annotations, list) else ())
