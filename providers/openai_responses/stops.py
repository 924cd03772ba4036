"""How a response ended: its status, or the reason why it is incomplete."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from harness.contract.events import StopReason
from harness.contract.exceptions import IncompleteStreamError, ModelResponseError
from providers._shared.stops import Stop, read_stop, warn_stop
from providers.openai_responses.items import Call

#: by ``status``, and by ``incomplete_details.reason`` where the status is incomplete
STOPS: Final[Mapping[str, Stop]] = {
    "completed": Stop("end_turn", "OpenAI: natural end, or calls, or a refusal; the items say which"),
    "max_output_tokens": Stop("max_tokens", "OpenAI: limit of the request or of the context"),
    "max_tokens": Stop("max_tokens", "the word of Chat Completions, leaked by gateways"),
    "length": Stop("max_tokens", "the word of Chat Completions, leaked by gateways"),
    "content_filter": Stop("content_filtered", "OpenAI, Azure: content was left out by a filter"),
    "incomplete": Stop("max_tokens", "cut without a reason: the limits are what cuts a reply, and no call may run"),
    "cancelled": Stop("cancelled", "OpenAI: the response was cancelled"),
    "in_progress": Stop(IncompleteStreamError, "OpenAI: the response is not there yet"),
    "queued": Stop(IncompleteStreamError, "OpenAI: a response in the background is not there yet"),
}


def stop_reason(response: Mapping[str, Any], calls: Sequence[Call], *, refused: bool) -> StopReason:
    """The stop reason of a response that is over; raises the error of one that is not.

    What was said wins over ``completed``: complete calls give ``tool_use``, a refusal ``content_filtered``. Nothing
    wins over a cut or a filter. A call whose arguments are no JSON object was cut, whatever the service says, and must
    not run.
    """
    told = _told(response)
    if told != "end_turn":
        return told
    if not all(call.name for call in calls):
        raise ModelResponseError("the reply has a tool call without a name")
    if calls:
        return "tool_use" if all(call.is_complete() for call in calls) else "max_tokens"
    return "content_filtered" if refused else "end_turn"


def _told(response: Mapping[str, Any]) -> StopReason:
    status = response.get("status") or "completed"
    if status != "incomplete":
        return read_stop(STOPS, status)
    details = response.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, Mapping) else None
    if reason and reason not in STOPS:
        warn_stop(f"the response is incomplete by {reason!r}, which is not known and is taken as max_tokens")
        return "max_tokens"
    return read_stop(STOPS, reason or status)
