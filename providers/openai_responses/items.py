"""Output items under construction: their parts, and the blocks that these are told in."""

import abc
import json
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from harness.contract.events import BlockStartBody
from providers._shared.blocks import Block, BlockWriter
from providers._shared.call_ids import CallIds
from providers._shared.content import json_text
from providers.openai_responses.parts import Kind, Part, Tells, Told, delta_of, told_part

#: between the parts of one item's reasoning, which are paragraphs
_BETWEEN: Final = "\n\n"


class Common(NamedTuple):
    """What the items of one reply share. ``names`` maps tool names on the wire to the caller's."""

    writer: BlockWriter
    names: Mapping[str, str]
    ids: CallIds


class Item(abc.ABC):
    """An item, whose first block stands in the line from the start, so that blocks keep the order of items."""

    def __init__(self, common: Common) -> None:
        self.id: str | None = None
        self.index: int | None = None
        self.done = False
        self._writer = common.writer
        self._parts: list[Part] = []
        self._block = self._first_block(common)
        self._writer.add(self._block)

    def say(self, kind: Kind, key: Hashable, text: str) -> None:
        """A delta of the part with this key. What comes after the end of the item is nothing new."""
        if not self.done and (part := self.part(kind, key)) is not None:
            part.say(text)

    def complete(self, kind: Kind, key: Hashable, text: str) -> None:
        """The whole of a part."""
        if text and not self.done and (part := self.part(kind, key, Tells.TEXT)) is not None:
            part.complete(text)

    def close(self) -> None:
        """The item is over."""
        self.done = True
        for block in (self._block, *(part.block for part in self._parts)):
            if not block.ended:
                self._writer.stop(block)

    def begins(self, item: Mapping[str, Any]) -> None:
        """What tells the item from others."""
        self.id = self.id or item.get("id")

    def may_be(self, item: Mapping[str, Any]) -> bool:
        """Whether what is told under this item's place can be this item."""
        return not self.done or self.id == item.get("id")

    def differs(self, item: Mapping[str, Any]) -> bool:
        """Whether an item of the final response is certainly another than this."""
        return False

    @abc.abstractmethod
    def fill(self, item: Mapping[str, Any]) -> None:
        """The whole item: what is new in it goes out."""

    @abc.abstractmethod
    def part(self, kind: Kind, key: Hashable, tells: Tells = Tells.MORE) -> Part | None:
        """The part that is meant, a new one if need be; None where the item says it in another way already."""

    def _first_block(self, common: Common) -> Block:
        return Block("item")

    def _find(self, kind: Kind, key: Hashable, tells: Tells) -> Part | None:
        parts = (part for part in reversed(self._parts) if part.kind == kind and part.is_meant(key, tells))
        return next(parts, None)

    def _add(self, kind: Kind, key: Hashable, block: Block) -> Part:
        part = Part(self._writer, block, kind, key)
        self._parts.append(part)
        return part

    def _fill_parts(self, parts: Iterable[Told]) -> None:
        """Whole parts: each is the one that has said the same, else the next that has come, else a new one."""
        waiting = list(self._parts)
        for position, told in enumerate(parts):
            part = next((known for known in waiting if known.said == told.text), waiting[0] if waiting else None)
            if part is not None:
                waiting.remove(part)
            else:
                part = self.part(told.kind, ("whole", position))
            if part is not None:
                part.complete_told(told)


class Message(Item):
    """Text and refusals: a block for each part, since sources belong to parts."""

    @property
    def refused(self) -> bool:
        """Whether the model declined."""
        return any(part.kind == "refusal" for part in self._parts)

    def part(self, kind: Kind, key: Hashable, tells: Tells = Tells.MORE) -> Part:
        """The part that is meant; a new one that grows ends those before, whose sources have come by then."""
        grows, found = tells is Tells.MORE, self._find(kind, key, tells)
        if found is None or (grows and found.block.ended):
            return self._add(kind, key, self._next_block(grows=grows))
        return found

    def cite(self, key: Hashable, annotation: Any) -> None:
        """An annotation of the text with this key."""
        if not self.done:
            self.part("text", key, Tells.PART).cite(annotation)

    def complete_part(self, key: Hashable, told: Told) -> None:
        """A part as a whole, with its annotations."""
        if not self.done:
            self.part(told.kind, key, Tells.PART).complete_told(told)

    def fill(self, item: Mapping[str, Any]) -> None:
        """Parts of kinds that carry no words are passed over."""
        self._fill_parts(told for content in _mappings(item.get("content")) if (told := told_part(content)))

    def _next_block(self, *, grows: bool) -> Block:
        last = self._parts[-1].block if self._parts else self._block
        if not self._parts and not last.ended:
            return last
        block = Block("item")
        self._writer.add(block, behind=None if last.ended else last)
        if grows and not last.ended:
            self._writer.stop(last)
        return block


class Reasoning(Item):
    """One block, for all parts. Services that give summaries as well as the raw text are heard once."""

    _source: Kind | None = None
    _signed = False

    def part(self, kind: Kind, key: Hashable, tells: Tells = Tells.MORE) -> Part | None:
        """The part that is meant, behind a blank line unless it is the first."""
        if self._source not in (None, kind) or self._block.ended:
            return None
        if (part := self._find(kind, key, tells)) is not None:
            return part
        if self._parts:
            self._writer.write(self._block, delta_of(kind, _BETWEEN))
        self._source = kind
        return self._add(kind, key, self._block)

    def fill(self, item: Mapping[str, Any]) -> None:
        """Text, and the encrypted form as the signature: it is whole at the end of an item only."""
        found = ((kind, _texts(item.get(name))) for kind, name in _REASONING)
        kind, texts = next(((kind, texts) for kind, texts in found if texts and self._source in (None, kind)), _NOTHING)
        self._fill_parts(Told(kind, text) for text in texts)
        sealed = item.get("encrypted_content")
        if isinstance(sealed, str) and sealed and not self._signed and not self._block.ended:
            self._signed = True
            self._writer.write(self._block, {"reasoningContent": {"signature": sealed}})


@dataclass(eq=False, slots=True)
class _CallBlock(Block):
    """A call, which begins when its name and id are known."""

    ids: CallIds = field(kw_only=True)
    name: str = ""
    id: str = ""

    def start(self) -> BlockStartBody | None:
        """The id is waited for as well as the name: one made up too early would part the call from the service's."""
        return {"toolUse": {"name": self.name, "toolUseId": self.id}} if self.name and self.id else None

    def settle(self) -> None:
        """Give the call an id if the service gave none."""
        self.id = self.id or self.ids.unique(None)


class Call(Item):
    """A call of one of the caller's tools."""

    _block: _CallBlock

    def _first_block(self, common: Common) -> Block:
        self._names = common.names
        self.call_id = ""
        return _CallBlock("tool", ids=common.ids)

    @property
    def name(self) -> str:
        """The tool; empty while it is not known."""
        return self._block.name

    def is_complete(self) -> bool:
        """Whether the arguments are one JSON object; none at all mean an empty one."""
        said = "".join(part.said for part in self._parts)
        try:
            return not said.strip() or isinstance(json.loads(said), dict)
        except ValueError:
            return False

    def part(self, kind: Kind, key: Hashable, tells: Tells = Tells.MORE) -> Part:
        """The arguments."""
        return self._parts[0] if self._parts else self._add(kind, key, self._block)

    def may_be(self, item: Mapping[str, Any]) -> bool:
        """The ids of calls decide, where both are known."""
        told = item.get("call_id")
        return self.call_id == told if self.call_id and told else super().may_be(item)

    def differs(self, item: Mapping[str, Any]) -> bool:
        """Whether the item is certainly another call."""
        return bool(self.call_id and item.get("call_id")) and self.call_id != item["call_id"]

    def begins(self, item: Mapping[str, Any]) -> None:
        """Who is called, and the id."""
        super().begins(item)
        name, call_id, block = str(item.get("name") or ""), str(item.get("call_id") or ""), self._block
        block.name = block.name or self._names.get(name, name)
        if call_id and not self.call_id:
            self.call_id, block.id = call_id, block.ids.unique(call_id)
        self._writer.advance()

    def fill(self, item: Mapping[str, Any]) -> None:
        """The whole call."""
        self.begins(item)
        arguments = item.get("arguments")
        text = arguments if isinstance(arguments, str) else json_text(arguments) if arguments is not None else ""
        self.part("arguments", None).complete(text)


def _mappings(values: Any) -> list[Mapping[str, Any]]:
    return [value for value in values if isinstance(value, Mapping)] if isinstance(values, list) else []


def _texts(parts: Any) -> list[str]:
    return [text for part in _mappings(parts) if isinstance(text := part.get("text"), str) and text]


#: where an item holds reasoning, best first
_REASONING: Final[tuple[tuple[Kind, str], ...]] = (("reasoning", "content"), ("summary", "summary"))
_NOTHING: Final[tuple[Kind, list[str]]] = ("reasoning", [])

#: items that the contract has a form for, by type; of others, such as calls of built-in tools, nothing is told
ITEMS: Final[Mapping[str, type[Item]]] = {"message": Message, "reasoning": Reasoning, "function_call": Call}
