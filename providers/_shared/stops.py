"""Stop reasons: a service's words, and what they mean."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from harness.contract.config import UnknownStopReasonWarning
from harness.contract.events import StopReason
from harness.contract.exceptions import ModelError


@dataclass(frozen=True, slots=True)
class Stop:
    """A reading of one word: the stop reason, or the error of a reply that did not end but broke off."""

    means: StopReason | type[ModelError]
    why: str


#: what complete calls say more than: they must be answered
_YIELDING: Final = frozenset({"end_turn", "stop_sequence"})


def read_stop(stops: Mapping[str, Stop], word: str | None) -> StopReason:
    """What a service's word means. An unknown or absent one warns, and is taken as end_turn.

    Raises the error of a reply that broke off.
    """
    stop = stops.get(word or "")
    if stop is None:
        warn_stop(f"stop reason {word!r} is not known and is taken as end_turn")
        return "end_turn"
    if isinstance(stop.means, str):
        return stop.means
    raise stop.means(f"the service broke the reply off with {word!r}")


def with_calls(told: StopReason, *, called: bool, complete: bool) -> StopReason:
    """What calls make of a stop reason: complete ones win over an ordinary end, and there is no tool_use without one.

    ``called`` says whether the reply has calls that the caller must run, ``complete`` whether all of them came whole.
    """
    if called and complete and told in _YIELDING:
        return "tool_use"
    return "end_turn" if told == "tool_use" and not called else told


def warn_stop(message: str) -> None:
    """Warn of a stop reason that cannot be taken at its word."""
    warnings.warn(message, UnknownStopReasonWarning, stacklevel=3)
