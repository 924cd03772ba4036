"""Stop reasons of the Converse API, and what they mean in the contract."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from harness.contract.config import UnknownStopReasonWarning
from harness.contract.events import StopReason


@dataclass(frozen=True, slots=True)
class Stop:
    """A reading of a stop reason. ``yields``: complete tool calls say more than it does."""

    reason: StopReason
    why: str
    yields: bool = False


STOPS: Final[Mapping[str, Stop]] = {
    "end_turn": Stop("end_turn", "the same, but some models say it beside calls", yields=True),
    "stop_sequence": Stop("stop_sequence", "the same; a call that is complete must still be answered", yields=True),
    "tool_use": Stop("tool_use", "the same"),
    "max_tokens": Stop("max_tokens", "the same"),
    "guardrail_intervened": Stop("guardrail_intervened", "the same"),
    "content_filtered": Stop("content_filtered", "the same"),
    "model_context_window_exceeded": Stop("max_tokens", "the reply was cut off, by the window and not by the limit"),
    "malformed_model_output": Stop("content_filtered", "the service withholds output that it could not read"),
    "malformed_tool_use": Stop("content_filtered", "the service withholds a call that it could not read"),
}

_UNKNOWN: Final = Stop("end_turn", "nothing says that the reply is cut off", yields=True)


def stop_reason(vendor: str | None, *, calls: bool) -> StopReason:
    """The contract's stop reason; ``calls``: the reply has tool calls, all of them complete."""
    stop = STOPS.get(vendor or "")
    if stop is None:
        warnings.warn(f"unknown stop reason {vendor!r}", UnknownStopReasonWarning, stacklevel=2)
        stop = _UNKNOWN
    if calls and stop.yields:
        return "tool_use"
    return stop.reason
