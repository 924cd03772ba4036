"""All mutants: the faults of the miniatures that fit any adapter, and more."""

from collections.abc import Iterator
from typing import Final

from tests.miniatures.calls import ERRORS, OTHERS, REQUESTS
from tests.miniatures.looping import LOOPING
from tests.miniatures.miniature import Miniature
from tests.miniatures.replies import REPLIES
from tests.miniatures.schemas import SCHEMAS
from tests.mutation.asked import ASKED
from tests.mutation.failed import COUNTED, FAILED
from tests.mutation.mutant import Mutant, of_miniature
from tests.mutation.said import SAID

#: miniatures whose faults belong to the simple ones that other suites have been measured with, by title
_PEERS: Final = frozenset(
    {
        "a dropped text delta",
        "two deltas swapped",
        "a duplicated delta",
        "tool arguments cut",
        "usage doubled",
        "no metadata",
    }
)


def _of_miniatures() -> Iterator[Mutant]:
    """Their faults, each once; what they change in the body is of one protocol, and left out."""
    told: set[object] = set()
    for miniature in (*REPLIES, *ERRORS, *REQUESTS, *OTHERS, *SCHEMAS, *LOOPING):
        fault = (miniature.wrap, repr(miniature.settings), miniature.provider.__qualname__)
        if not _rewrites(miniature) and fault not in told:
            told.add(fault)
            yield of_miniature(miniature, peers=miniature.title in _PEERS)


def _rewrites(miniature: Miniature) -> bool:
    return miniature.rewrite is not Miniature.rewrite


MUTANTS: Final[tuple[Mutant, ...]] = (*_of_miniatures(), *SAID, *ASKED, *FAILED, *COUNTED)

#: no fault: what an adapter shows when it is wrapped is not held against a mutant
HANDED_ON: Final = Mutant(id="handed on", kind="other")


def excused(mutant: Mutant, rule: str) -> bool:
    """Whether a rule finds the way of wrapping: changes of events hand replies on when they are whole."""
    return rule == "CONTENT-INCREMENTAL" and mutant.kind == "event" and not mutant.quiet
