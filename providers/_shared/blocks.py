"""One block open at a time, though the wire may tell several at once.

The block at the head of the line is open and its deltas go out as they come. A block that starts while the open one may
still grow waits in line, with its deltas, until that one has ended: nothing is lost, nothing is mixed. A block that
says nothing is not told.
"""

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import cast

from harness.contract.events import BlockStartBody, DeltaBody, StreamEvent, ToolUseStart


@dataclass(eq=False, slots=True)
class Block:
    """A block of a reply, from its start on the wire until its last event was told."""

    kind: str
    #: what has come and was not told yet
    queue: list[DeltaBody] = field(default_factory=list)
    begun: bool = False
    #: the wire said that the block is over
    stopped: bool = False
    ended: bool = False

    def start(self) -> BlockStartBody | None:
        """How the block is announced; None while there is nothing to announce, or it is not known how."""
        return {} if self.queue else None

    def complete(self) -> bool:
        """Whether the block is over as soon as the next one stands in line, without a word of the wire."""
        return False

    def settle(self) -> None:
        """Nothing more will come: make up what is missing."""


@dataclass(eq=False, slots=True)
class ToolBlock(Block):
    """A call whose name and id come with its start."""

    tool: ToolUseStart = field(kw_only=True)

    def start(self) -> BlockStartBody | None:
        """Announced at once: a call without input is a call."""
        return {"toolUse": self.tool}


@dataclass(eq=False, slots=True)
class Saying(Block):
    """Text or reasoning of a protocol without ends of blocks: it is over as soon as anything else begins."""

    def complete(self) -> bool:
        """Always."""
        return True


class BlockWriter:
    """Turns deltas of blocks into events. :meth:`take` hands out what has become ready."""

    def __init__(self) -> None:
        self.events: list[StreamEvent] = []
        self.begun = False
        self._line: deque[Block] = deque()
        self._index = 0

    @property
    def last(self) -> Block | None:
        """The block that began last and has not ended."""
        return self._line[-1] if self._line else None

    def begin(self) -> None:
        """``messageStart``, once; comes by itself before the first block."""
        if not self.begun:
            self.begun = True
            self.events.append({"messageStart": {"role": "assistant"}})

    def add(self, block: Block, *, behind: Block | None = None) -> None:
        """Put a new block in the line: at its end, or next to one that stands in it."""
        place = len(self._line) if behind is None else self._line.index(behind) + 1
        self._line.insert(place, block)

    def write(self, block: Block, delta: DeltaBody) -> None:
        """Add a delta to a block in the line, one whose :meth:`Block.complete` does not depend on it."""
        if block.begun and block is self._line[0]:  # nearly every delta comes this way
            self.events.append({"contentBlockDelta": {"contentBlockIndex": self._index, "delta": delta}})
        else:
            block.queue.append(delta)
            self.advance()

    def stop(self, block: Block) -> None:
        """The wire says that a block in the line is over."""
        block.stopped = True
        self.advance()

    def advance(self) -> None:
        """Hand on what can be handed on."""
        while self._line:
            head = self._line[0]
            self._drain(head)
            if not (head.stopped or (len(self._line) > 1 and head.complete())):
                return
            self._end(head)

    def close(self) -> None:
        """End every block: the reply is over."""
        while self._line:
            self._end(self._line[0])

    def take(self) -> list[StreamEvent]:
        """The events since the last call."""
        events, self.events = self.events, []
        return events

    def _drain(self, block: Block) -> None:
        if not block.begun:
            start = block.start()
            if start is None:
                return
            self.begin()
            self.events.append({"contentBlockStart": {"contentBlockIndex": self._index, "start": start}})
            block.begun = True
        for delta in block.queue:
            self.events.append({"contentBlockDelta": {"contentBlockIndex": self._index, "delta": delta}})
        block.queue.clear()

    def _end(self, block: Block) -> None:
        block.settle()
        self._drain(block)
        if block.begun:
            self.events.append(cast("StreamEvent", {"contentBlockStop": {"contentBlockIndex": self._index}}))
            self._index += 1
        block.ended = True
        self._line.popleft()


class KeyedWriter(BlockWriter):
    """Blocks that the wire tells apart by a key, which is the number of the block in most protocols."""

    def __init__(self) -> None:
        super().__init__()
        self._open: dict[Hashable, Block] = {}

    def at(self, key: Hashable) -> Block | None:
        """The block with this key that the wire has not stopped."""
        return self._open.get(key)

    def open(self, key: Hashable, block: Block) -> Block:
        """A block starts. One that is open under its key has ended, and the new one comes next to it."""
        before = self._open.get(key)
        self._open[key] = block
        self.add(block, behind=before)
        if before is not None:
            before.stopped = True
        self.advance()
        return block

    def end(self, key: Hashable) -> None:
        """The block with this key, if there is one, is over."""
        block = self._open.pop(key, None)
        if block is not None:
            self.stop(block)
