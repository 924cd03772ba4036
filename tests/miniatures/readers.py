"""Miniatures of the rules about frameworks' readers: one that is right, and ones that break one thing."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from harness.bridges.strands.reading import Read
from harness.contract.assembler import Assembler
from harness.contract.events import StreamEvent
from harness.provider import Assemble, Provider
from tests.miniatures.miniature import Miniature


async def right(events: Sequence[StreamEvent]) -> Read:
    """Reads as the contract says."""
    read = _read(events)
    if read.stop_reason is None:
        raise EOFError("the stream broke off")
    return read


def _read(events: Sequence[StreamEvent]) -> Read:
    made = Assembler()
    for event in events:
        made.feed(event)
    made.finish()
    calls = any("toolUse" in block for block in made.message["content"])
    stop = "tool_use" if calls and made.stop_reason == "end_turn" else made.stop_reason
    return Read(made.message, stop, made.usage, made.metrics)


async def _lenient(events: Sequence[StreamEvent]) -> Read:
    """Takes whatever ends for an end."""
    read = _read(events)
    return replace(read, stop_reason=read.stop_reason or "end_turn")


async def _signatureless(events: Sequence[StreamEvent]) -> Read:
    """Knows no signatures."""
    read = await right(events)
    for block in read.message["content"]:
        text: Any = block.get("reasoningContent", {}).get("reasoningText", {})
        text.pop("signature", None)
    return read


async def _by_order(events: Sequence[StreamEvent]) -> Read:
    """Goes by the order of events, and not by their indexes."""
    return await right([_without_index(event) for event in events])


def _without_index(event: Any) -> Any:
    return {
        key: {name: value for name, value in body.items() if name != "contentBlockIndex"} for key, body in event.items()
    }


def reading_by(assemble: Assemble) -> Callable[[Provider], Provider]:
    """A record whose framework reads by a function."""
    return lambda record: replace(record, assemble=assemble)


READERS: Final = (
    Miniature("READ-EVENTS", "no signatures", "reading", provider=reading_by(_signatureless)),
    Miniature("READ-INDEX", "blocks by their order", "reading", provider=reading_by(_by_order)),
    Miniature("READ-CUT", "whatever ends is an end", "reading-cut", provider=reading_by(_lenient)),
)
