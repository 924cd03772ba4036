"""From what a framework tells of a reply to contract events. The borders of blocks are made here.

Text and reasoning are told as they come, up to the first call. What is told from then on, and the calls, are read off
the message that the framework itself has put together, since only it says when a call is whole.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Literal

from harness.contract.events import StreamEvent

Kind = Literal["text", "reasoning", "call"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A block, or what is new of one. ``key`` tells the blocks of a reply apart where a framework numbers them.

    ``text`` is a call's input, as JSON text. ``name`` and ``id`` are a call's; reasoning and calls have signatures.
    """

    kind: Kind
    text: str = ""
    key: Any = None
    name: str = ""
    id: str = ""
    signature: str | None = None
    redacted: bytes | None = None


class Telling:
    """The events of one reply."""

    def __init__(self) -> None:
        self._open: tuple[Kind, Any] | None = None
        self._told: list[int] = []
        self._calling = False

    def start(self) -> Iterator[StreamEvent]:
        """The reply begins."""
        yield {"messageStart": {"role": "assistant"}}

    def live(self, pieces: Iterable[Piece]) -> Iterator[StreamEvent]:
        """What is new in text and reasoning, up to the first call."""
        for piece in pieces:
            self._calling = self._calling or piece.kind == "call"
            if not self._calling and _deltas(piece):
                yield from self._fragment(piece)

    def rest(self, blocks: Iterable[Piece]) -> Iterator[StreamEvent]:
        """What the whole message holds beyond what was told of it. A call with an empty text has no arguments."""
        for place, block in enumerate(_held(blocks)):
            if place >= len(self._told):
                yield from self._whole(block, place)
            elif left := block.text[self._told[place] :]:
                yield from self._fragment(Piece(block.kind, left, key=(self._open or (None, None))[1]))
        yield from self._close()

    def _whole(self, block: Piece, place: int) -> Iterator[StreamEvent]:
        if block.kind != "call":
            yield from self._fragment(replace(block, key=("rest", place)))
            return
        yield from self._close()
        self._open = "call", place
        start: Any = {"name": block.name, "toolUseId": block.id}
        if block.signature:
            start["reasoningSignature"] = block.signature
        yield {"contentBlockStart": {"start": {"toolUse": start}}}
        yield {"contentBlockDelta": {"delta": {"toolUse": {"input": block.text}}}}

    def _fragment(self, piece: Piece) -> Iterator[StreamEvent]:
        place = piece.kind, piece.key
        if self._open != place:
            yield from self._close()
            self._open = place
            self._told.append(0)
            yield {"contentBlockStart": {"start": {}}}
        self._told[-1] += len(piece.text)
        for delta in _deltas(piece):
            yield {"contentBlockDelta": {"delta": delta}}

    def _close(self) -> Iterator[StreamEvent]:
        if self._open is not None:
            self._open = None
            yield {"contentBlockStop": {}}


def _deltas(piece: Piece) -> list[Any]:
    """The deltas of a piece of text or reasoning; none of an empty one."""
    if piece.kind == "text":
        return [{"text": piece.text}] if piece.text else []
    told = {"text": piece.text, "signature": piece.signature, "redactedContent": piece.redacted}
    return [{"reasoningContent": {name: value}} for name, value in told.items() if value]


def _held(blocks: Iterable[Piece]) -> Iterator[Piece]:
    """The blocks that hold anything; neighbours of one kind and key are one block."""
    held = (block for block in blocks if block.kind == "call" or _deltas(block))
    for (kind, _), group in groupby(held, key=lambda block: (block.kind, block.key)):
        first, *others = group
        if kind == "text":
            yield replace(first, text="".join(each.text for each in (first, *others)))
        else:
            yield from (first, *others)


def ending(stop_reason: str | None, usage: Mapping[str, int] | None) -> Iterator[StreamEvent]:
    """The end of a reply. A reply whose end nobody told has none."""
    if stop_reason is not None:
        yield {"messageStop": {"stopReason": stop_reason}}
    if usage is not None:
        counts: Any = dict(usage)
        yield {"metadata": {"usage": counts, "metrics": {"latencyMs": 0}}}
