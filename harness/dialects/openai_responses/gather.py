"""What the events of a stream have told of its items so far."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.dialects.base import DecodeError
from harness.dialects.openai_responses.citations import from_wire
from harness.dialects.openai_responses.parts import BETWEEN_PARTS
from harness.dialects.reply import Block, Citation, Reasoning, Refusal, Text, ToolUse

Json = Mapping[str, Any]


# --- whole items ------------------------------------------------------------------------------------------------------


def blocks_of(item: Json) -> tuple[Block, ...]:
    """The blocks of an output item; none for an item that is the server's own affair."""
    read = _ITEMS.get(str(item.get("type")))
    return tuple(read(item)) if read else ()


def _message(item: Json) -> Iterator[Block]:
    for part in item.get("content") or ():
        read = _PARTS.get(str(part.get("type")))
        if read and (block := read(part)).text:
            yield block


def _reasoning(item: Json) -> Iterator[Block]:
    parts = [*(item.get("summary") or ()), *(item.get("content") or ())]
    text = BETWEEN_PARTS.join(part["text"] for part in parts if part.get("text"))
    seal = item.get("encrypted_content") or None
    if text or seal:
        yield Reasoning(text, seal)


def _call(item: Json) -> Iterator[Block]:
    yield ToolUse(item.get("call_id") or "", item.get("name") or "", item.get("arguments") or "")


_ITEMS: Mapping[str, Callable[[Json], Iterator[Block]]] = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": _call,
}
_PARTS: Mapping[str, Callable[[Json], Text | Refusal]] = {
    "output_text": lambda part: Text(part.get("text") or "", citations(part.get("annotations") or ())),
    "refusal": lambda part: Refusal(part.get("refusal") or ""),
}


def citations(annotations: Any) -> tuple[Citation, ...]:
    """The citations among annotations."""
    return tuple(citation for annotation in annotations if (citation := from_wire(annotation)))


# --- events -----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Part:
    kind: str
    pieces: list[str] = field(default_factory=list)
    #: the whole text, once something said it; whether the part itself was called done
    text: str | None = None
    done: bool = False
    sources: list[Json] = field(default_factory=list)

    def end(self, text: str) -> None:
        """Take the whole text. Raises DecodeError when it is not what deltas, or an earlier event, said."""
        said = "".join(self.pieces) if self.text is None else self.text
        if said and said != text:
            raise DecodeError(f"told as {said[:80]!r}, but done as {text[:80]!r}")
        self.text = text

    def block(self) -> Text | Refusal | Reasoning:
        """The block of the part."""
        text = "".join(self.pieces) if self.text is None else self.text
        made: Text | Refusal | Reasoning = _KINDS[self.kind](text)
        return Text(text, citations(self.sources)) if isinstance(made, Text) else made


_KINDS: Mapping[str, Callable[[str], Any]] = {"text": Text, "refusal": Refusal, "reasoning": Reasoning}


@dataclass(slots=True)
class _Item:
    added: Json = field(default_factory=dict)
    done: Json | None = None
    parts: list[_Part] = field(default_factory=list)
    by_index: dict[tuple[str, int], _Part] = field(default_factory=dict)
    arguments: _Part = field(default_factory=lambda: _Part("arguments"))

    def part(self, kind: str, event: Json, wanted: Callable[[_Part], bool]) -> _Part:
        """The part that an event belongs to: by its index, or else the last one, if that is ``wanted``."""
        index = event.get("summary_index", event.get("content_index"))
        if index is not None:
            key = (kind, index)
            return self.by_index[key] if key in self.by_index else self._new(kind, key)
        last = self.parts[-1] if self.parts else None
        return last if last and last.kind == kind and wanted(last) else self._new(kind, None)

    def _new(self, kind: str, key: tuple[str, int] | None) -> _Part:
        part = _Part(kind)
        self.parts.append(part)
        if key:
            self.by_index[key] = part
        return part

    def blocks(self) -> tuple[Block, ...]:
        """The blocks of the item: as it was when done, or else as its parts told them."""
        if self.done is not None:
            said = blocks_of(self.done)
            self._agree(said)
            return said
        if self.added.get("type") == "function_call":
            text = self.arguments.text
            told = {**self.added, "arguments": "".join(self.arguments.pieces) if text is None else text}
            return blocks_of(told)
        return tuple(self._told())

    def _told(self) -> Iterator[Text | Refusal | Reasoning]:
        """What the parts told; those of reasoning are one block."""
        blocks = [block for part in self.parts if (block := part.block()).text]
        thoughts = [block.text for block in blocks if isinstance(block, Reasoning)]
        if thoughts:
            yield Reasoning(BETWEEN_PARTS.join(thoughts))
        yield from (block for block in blocks if not isinstance(block, Reasoning))

    def _agree(self, said: tuple[Block, ...]) -> None:
        told = [block.text for block in self._told()]
        done = [block.arguments if isinstance(block, ToolUse) else block.text for block in said]  # type: ignore[union-attr]
        arguments = self.arguments.text or "".join(self.arguments.pieces)
        told += [arguments] if arguments else []
        if told and told != done:
            raise DecodeError(f"told as {told!r}, but done as {done!r}")


class Gathered:
    """The items that a stream has told of, in the order of the output."""

    def __init__(self) -> None:
        self._items: dict[int | str, _Item] = {}

    def take(self, event: Json) -> None:
        """Take an event; one that is not known says nothing."""
        take = _TAKE.get(str(event.get("type")))
        if take:
            take(self._item_of(event), event)

    def blocks(self) -> tuple[Block, ...]:
        """The blocks of all items."""
        indexed = all(isinstance(key, int) for key in self._items)
        keys = sorted(self._items, key=lambda key: key if isinstance(key, int) else 0) if indexed else self._items
        return tuple(block for key in keys for block in self._items[key].blocks())

    def _item_of(self, event: Json) -> _Item:
        named = event["item"].get("id") if "item" in event else event.get("item_id")
        return self._items.setdefault(event.get("output_index", str(named)), _Item())


def _added(item: _Item, event: Json) -> None:
    item.added = event["item"]


def _item_done(item: _Item, event: Json) -> None:
    item.done = event["item"]


def _part_added(item: _Item, event: Json) -> None:
    kind = _PART_KINDS.get(str(event["part"].get("type")))
    if kind:
        item.part(kind, event, lambda part: False)


def _part_done(item: _Item, event: Json) -> None:
    told = event["part"]
    kind = _PART_KINDS.get(str(told.get("type")))
    if kind:
        part = item.part(kind, event, lambda part: not part.done)
        part.end(told.get("refusal") or told.get("text") or "")
        part.done = True
        part.sources = list(told.get("annotations") or part.sources)


_PART_KINDS = {
    "output_text": "text",
    "refusal": "refusal",
    "summary_text": "reasoning",
    "reasoning_text": "reasoning",
}


def _delta(kind: str) -> Callable[[_Item, Json], None]:
    return lambda item, event: item.part(kind, event, _unsaid).pieces.append(event["delta"])


def _done(kind: str, name: str) -> Callable[[_Item, Json], None]:
    return lambda item, event: item.part(kind, event, _unsaid).end(event[name])


def _unsaid(part: _Part) -> bool:
    return part.text is None


def _annotation(item: _Item, event: Json) -> None:
    item.part("text", event, _unsaid).sources.append(event["annotation"])


_TAKE: Mapping[str, Callable[[_Item, Json], None]] = {
    "response.output_item.added": _added,
    "response.output_item.done": _item_done,
    "response.content_part.added": _part_added,
    "response.content_part.done": _part_done,
    "response.reasoning_part.added": _part_added,
    "response.reasoning_part.done": _part_done,
    "response.reasoning_summary_part.added": _part_added,
    "response.reasoning_summary_part.done": _part_done,
    "response.output_text.delta": _delta("text"),
    "response.output_text.done": _done("text", "text"),
    "response.output_text.annotation.added": _annotation,
    "response.refusal.delta": _delta("refusal"),
    "response.refusal.done": _done("refusal", "refusal"),
    "response.reasoning_summary_text.delta": _delta("reasoning"),
    "response.reasoning_summary_text.done": _done("reasoning", "text"),
    "response.reasoning_text.delta": _delta("reasoning"),
    "response.reasoning_text.done": _done("reasoning", "text"),
    "response.function_call_arguments.delta": lambda item, event: item.arguments.pieces.append(event["delta"]),
    "response.function_call_arguments.done": lambda item, event: item.arguments.end(event["arguments"]),
}
