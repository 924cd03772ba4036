"""Answers requests from a cassette, and knows what was asked that was not recorded, and the other way round."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from harness.cassettes.matching import differences, same
from harness.cassettes.model import End, Interaction
from harness.cassettes.scrub import Scrubber
from harness.dialects.base import WireRequest
from harness.endpoint.base import Delivery, EndpointLog
from harness.wire.cuts import Cut, CutKind, apply
from harness.wire.faults import Terminal

#: the chunks as they were recorded
AS_RECORDED: Final = Cut(CutKind.FRAMES)
#: what a request is answered with that was not recorded
_UNKNOWN: Final = 501


@dataclass
class Player:
    """Plays recorded exchanges. Like requests are answered in the order in which they were recorded.

    ``cut`` splits the recorded chunks anew. ``timed`` keeps the longest of the recorded silences before each chunk, by
    the endpoint's clock, so that the client's time-outs are at work.
    """

    interactions: Sequence[Interaction]
    scrubber: Scrubber = field(default_factory=Scrubber)
    cut: Cut = AS_RECORDED
    timed: bool = False
    #: requests that met no recording, in words
    misses: list[str] = field(default_factory=list)
    _played: dict[int, Delivery] = field(default_factory=dict)

    def rewound(self) -> "Player":
        """A player of the same recordings, none of which has been played."""
        return Player(self.interactions, self.scrubber, self.cut, self.timed)

    def respond(self, request: WireRequest) -> Delivery:
        """The recorded answer; one of status 501 where there is none."""
        asked = self.scrubber.request(request)
        delivery = self.find(asked)
        if delivery is None:
            self.misses.append(self._miss(asked))
            body = json.dumps({"error": {"message": self.misses[-1], "type": "not_recorded"}}).encode()
            return Delivery(_UNKNOWN, (("content-type", "application/json"),), (body,))
        return delivery

    def find(self, asked: WireRequest) -> Delivery | None:
        """The answer to a scrubbed request, which is used up by that; None where no recording is left."""
        for index, one in enumerate(self.interactions):
            if index not in self._played and same(asked, one.request):
                self._played[index] = self._delivery(one)
                return self._played[index]
        return None

    @property
    def last(self) -> Interaction:
        """The recording that was played last."""
        return self.interactions[list(self._played)[-1]]

    def unused(self) -> list[str]:
        """The recordings that nobody asked for, in words."""
        return [
            f"#{index + 1} {one.method} {one.target} was recorded and not asked for"
            for index, one in enumerate(self.interactions)
            if index not in self._played
        ]

    @staticmethod
    def partly_used(log: EndpointLog) -> list[str]:
        """The responses that were not read to their end, in words."""
        return [
            f"{seen.request.path}: {seen.delivered} of {len(seen.delivery.chunks)} chunks were read"
            for seen in log.exchanges
            if seen.delivered < len(seen.delivery.chunks)
        ]

    def _delivery(self, one: Interaction) -> Delivery:
        terminal = Terminal.COMPLETE if one.end is End.COMPLETE else Terminal.RESET
        gap = one.longest_silence if self.timed else 0.0
        return Delivery(one.status, one.headers, apply(self.cut, one.chunks), terminal, gap)

    def _miss(self, asked: WireRequest) -> str:
        """What was asked, and the recording that comes nearest: one that is left, if any is."""
        told = f"{asked.method} {asked.path} is not recorded"
        left = {i: one for i, one in enumerate(self.interactions) if i not in self._played}
        near = left or dict(enumerate(self.interactions))
        if not near:
            return f"{told}: the cassette is empty"
        found = {index: list(differences(asked, one.request)) for index, one in near.items()}
        index = min(found, key=lambda i: len(found[i]))
        if not found[index]:
            return f"{told} once more: #{index + 1} has been played already"
        more = f" and {len(found[index]) - 1} more" if len(found[index]) > 1 else ""
        return f"{told}; the nearest is #{index + 1}, but {found[index][0]}{more}"
