"""Values of ``stop_reason`` and what each may be told as."""

from typing import Final

from harness.contract.events import STOP_REASONS, StopReason
from harness.dialects.base import StopRow
from harness.dialects.reply import Reply

_DOC = "Handling stop reasons"

STOPS: Final[tuple[StopRow, ...]] = (
    StopRow("end_turn", "end_turn", frozenset({"end_turn"}), _DOC, with_tools=False),
    StopRow("tool_use", "tool_use", frozenset({"tool_use"}), _DOC, with_tools=True),
    StopRow("max_tokens", "max_tokens", frozenset({"max_tokens"}), _DOC),
    StopRow("stop_sequence", "stop_sequence", frozenset({"stop_sequence"}), _DOC, with_tools=False),
    StopRow(
        "refusal",
        "content_filtered",
        frozenset({"content_filtered", "guardrail_intervened"}),
        f"{_DOC}: streaming classifiers intervened; laravel-ai#881",
    ),
    # The reply is cut as by max_tokens, only by another limit.
    StopRow(
        "model_context_window_exceeded",
        "max_tokens",
        frozenset({"max_tokens"}),
        f"{_DOC}; turnstone#1162",
        with_tools=False,
        common=False,
    ),
    # The contract has no word for a turn that the server wants continued: its blocks are whole, its task is not.
    StopRow(
        "pause_turn",
        "end_turn",
        frozenset({"end_turn", "max_tokens"}),
        f"{_DOC}; agenc-core#2111",
        with_tools=False,
        common=False,
        resumable=True,
    ),
    StopRow(
        "compaction",
        "end_turn",
        frozenset({"end_turn", "max_tokens"}),
        "BetaStopReason of the anthropic SDK",
        with_tools=False,
        common=False,
    ),
    # Not a value of today: the API adds values, and an adapter must survive the next one.
    StopRow(
        "unheard_of",
        "end_turn",
        STOP_REASONS,
        "Versioning: new values of enum-like outputs",
        with_tools=False,
        common=False,
        known=False,
    ),
)

#: the usual value of each meaning
_USUAL: Final[dict[str, str]] = {row.means: row.wire for row in reversed(STOPS)}
_MEANINGS: Final[dict[str, StopReason]] = {row.wire: row.means for row in STOPS}

#: what the vendor has no word for reads as the end of the turn, with the value kept in ``wire_stop``
_OTHERWISE: Final[StopReason] = "end_turn"


def wire_stop(reply: Reply) -> str:
    """The value to send. Raises ValueError for a reason that this vendor cannot give."""
    wire = reply.wire_stop or _USUAL.get(reply.stop)
    if wire is None:
        raise ValueError(f"this vendor has no stop reason for {reply.stop}")
    return wire


def read_stop(wire: str) -> tuple[StopReason, str | None]:
    """``stop`` and ``wire_stop`` of a reply."""
    means = _MEANINGS.get(wire, _OTHERWISE)
    return means, None if _USUAL[means] == wire else wire
