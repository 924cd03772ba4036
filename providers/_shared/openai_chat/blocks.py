"""One block open at a time, though the wire may tell several at once.

The block at the head of the line is open and its deltas go out as they come. A block that starts while the open one may
still grow waits in line, with its deltas, until that one has ended: nothing is lost, nothing is mixed.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import cast

from harness.contract.events import BlockStartBody, DeltaBody, StreamEvent


@dataclass(eq=False, slots=True)
class Block:
    """Text or reasoning. It has ended as soon as anything else begins."""

    kind: str
    queue: list[DeltaBody] = field(default_factory=list)
    begun: bool = False
    ended: bool = False

    def start(self) -> BlockStartBody | None:
        """How the block is announced; None while that is not yet known."""
        return {}

    def complete(self) -> bool:
        """Whether the next block may begin."""
        return True

    def settle(self) -> None:
        """Nothing more will come: make up what is missing."""


class BlockWriter:
    """Turns deltas of blocks into events. :meth:`take` hands out what has become ready."""

    def __init__(self) -> None:
        self.events: list[StreamEvent] = []
        self._line: deque[Block] = deque()
        self._index = 0

    @property
    def last(self) -> Block | None:
        """The block that began last and has not ended."""
        return self._line[-1] if self._line else None

    def add(self, block: Block) -> None:
        """Put a new block at the end of the line."""
        self._line.append(block)

    def write(self, block: Block, delta: DeltaBody) -> None:
        """Add a delta to a block in the line."""
        block.queue.append(delta)
        self.advance()

    def advance(self) -> None:
        """Hand on what can be handed on."""
        while self._line:
            head = self._line[0]
            self._drain(head)
            if len(self._line) == 1 or not head.complete():
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
