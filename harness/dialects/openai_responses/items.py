"""Output items: which blocks share one, and what an item looks like when it is added and when it is done."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from harness.dialects.openai_responses.manner import Manner
from harness.dialects.openai_responses.noise import NOISE, Noise
from harness.dialects.openai_responses.parts import paragraphs, part
from harness.dialects.reply import Block, Reasoning, Refusal, Reply, Text, ToolUse

Json = dict[str, Any]

_SUFFIX = "68c42e022c881948db7ed1cc2529f2e0202c9ad459e0d2"


@dataclass(frozen=True, slots=True)
class Item:
    """One output item. ``kind`` is its type on the wire, or ``noise``; ``place`` its index in the output."""

    kind: str
    place: int
    blocks: tuple[Block, ...] = ()
    noise: Noise | None = None

    @property
    def block(self) -> Any:
        """The only block of a reasoning item or a call."""
        return self.blocks[0]


def items_of(reply: Reply, manner: Manner) -> list[Item]:
    """The items of a reply in order, the server's own one before the last."""
    groups = list(_groups(reply.blocks, shared=manner.options["messages"] == "one_item"))
    noise = NOISE.get(manner.options["noise"])
    noisy = max(len(groups) - 1, 0) if noise else len(groups)
    items = [Item(_KINDS[type(group[0])], at + (at >= noisy), tuple(group)) for at, group in enumerate(groups)]
    if noise:
        items.insert(noisy, Item("noise", noisy, (), noise))
    return items


def _groups(blocks: Sequence[Block], *, shared: bool) -> Iterator[list[Block]]:
    group: list[Block] = []
    for block in blocks:
        joins = shared and group and isinstance(block, Text | Refusal) and isinstance(group[-1], Text | Refusal)
        if group and not joins:
            yield group
            group = []
        group.append(block)
    if group:
        yield group


_KINDS: Mapping[type[Block], str] = {
    Text: "message",
    Refusal: "message",
    Reasoning: "reasoning",
    ToolUse: "function_call",
}
_PREFIXES = {"message": "msg", "reasoning": "rs", "function_call": "fc"}


@cache
def _item_id(prefix: str, place: int, version: int) -> str:
    return f"{prefix}_{version:04x}{_SUFFIX[4:]}{place:02x}"


def sealed_anew(item: Item) -> Item:
    """The item with its reasoning encrypted once more: another signature of the same words."""
    if item.kind != "reasoning" or item.block.signature is None:
        return item
    return replace(item, blocks=(replace(item.block, signature=f"gAAAAABn{item.block.signature}"),))


# --- whole items ------------------------------------------------------------------------------------------------------


def done_item(item: Item, manner: Manner, status: str, version: int = 0) -> Json:
    """An item as it stands in the finished response."""
    return _DONE[item.kind](item, manner, status, wire_id(item, version))


def added_item(item: Item, manner: Manner, version: int = 0) -> Json:
    """An item as it is added to the response: without its content."""
    return _ADDED[item.kind](item, manner, "in_progress", wire_id(item, version))


def wire_id(item: Item, version: int = 0) -> str:
    """The id of an item; servers that change it while they speak have several versions."""
    return _item_id(item.noise.prefix if item.noise else _PREFIXES[item.kind], item.place, version)


def _message(item: Item, manner: Manner, status: str, own_id: str) -> Json:
    parts = [part(block, manner) for block in item.blocks]
    head = {"id": own_id, "type": "message", "status": status, "content": parts}
    return head | dict(manner.vendor.message) | {"role": "assistant"}


def _empty_message(item: Item, manner: Manner, status: str, own_id: str) -> Json:
    head = {"id": own_id, "type": "message", "status": status, "content": []}
    return head | dict(manner.vendor.message) | {"role": "assistant"}


def _reasoning(item: Item, manner: Manner, status: str, own_id: str) -> Json:
    told: Json = {"id": own_id, "type": "reasoning"}
    if manner.vendor.reasoning_status:
        told["status"] = status
    told |= _REASONED[manner.options["reasoning_as"]](paragraphs(item.block.text, manner))
    return told if item.block.signature is None else told | {"encrypted_content": item.block.signature}


def _empty_reasoning(item: Item, manner: Manner, status: str, own_id: str) -> Json:
    return {"id": own_id, "type": "reasoning", **({"status": status} if manner.vendor.reasoning_status else {})} | {
        "summary": []
    }


def _call(item: Item, manner: Manner, status: str, own_id: str) -> Json:
    return _empty_call(item, manner, status, own_id) | {"arguments": item.block.arguments}


def _empty_call(item: Item, manner: Manner, status: str, own_id: str) -> Json:
    call = item.block
    return {
        "id": own_id,
        "type": "function_call",
        "status": status,
        "arguments": "",
        "call_id": call.id,
        "name": call.name,
    }


def _noise(item: Item, manner: Manner, status: str, own_id: str) -> Json:
    assert item.noise is not None
    return {"id": own_id, **item.noise.item}


def _opened_noise(item: Item, manner: Manner, status: str, own_id: str) -> Json:
    assert item.noise is not None
    return {"id": own_id, **item.noise.item, **item.noise.opened}


Make = Callable[[Item, Manner, str, str], Json]
_DONE: Mapping[str, Make] = {"message": _message, "reasoning": _reasoning, "function_call": _call, "noise": _noise}
_ADDED: Mapping[str, Make] = {
    "message": _empty_message,
    "reasoning": _empty_reasoning,
    "function_call": _empty_call,
    "noise": _opened_noise,
}


def _as_summary(texts: list[str]) -> Json:
    return {"summary": [{"type": "summary_text", "text": text} for text in texts]}


def _as_content(texts: list[str]) -> Json:
    return {"summary": [], "content": [{"type": "reasoning_text", "text": text} for text in texts]}


_REASONED: Mapping[str, Callable[[list[str]], Json]] = {
    "summary": _as_summary,
    "content_parts": _as_content,
    "reasoning_parts": _as_content,
}
