"""Stop reasons of the Messages API, and what each is in the contract."""

import warnings
from collections.abc import Mapping
from typing import Final

from harness.contract.config import UnknownStopReasonWarning
from harness.contract.events import StopReason

#: https://docs.claude.com/en/api/handling-stop-reasons
STOP_REASONS: Final[Mapping[str, StopReason]] = {
    "end_turn": "end_turn",
    "max_tokens": "max_tokens",
    "stop_sequence": "stop_sequence",
    "tool_use": "tool_use",
    # The reply is not finished: the API paused a long loop of its own tools, or a compaction. What was cut off
    # must not look like an answer.
    "pause_turn": "max_tokens",
    "compaction": "max_tokens",
    # The model declined, or a classifier of the vendor stopped it.
    "refusal": "content_filtered",
    # Cut by a limit on length as well: of the window instead of the request.
    "model_context_window_exceeded": "max_tokens",
}

#: values that a complete tool call beside them contradicts
_YIELDING: Final = frozenset({"end_turn", "stop_sequence"})


def stop_reason(vendor: str | None, *, has_tool: bool) -> StopReason:
    """The contract's stop reason. ``has_tool`` says whether the reply has a tool call.

    An unknown or absent value warns.
    """
    known = STOP_REASONS.get(vendor or "")
    if known is None:
        warnings.warn(f"stop reason {vendor!r} is not known; taken as end_turn", UnknownStopReasonWarning, stacklevel=2)
        known = "end_turn"
    if has_tool and known in _YIELDING:
        return "tool_use"
    if known == "tool_use" and not has_tool:  # calls of the vendor's own tools are no calls of the contract
        return "end_turn"
    return known
