"""How a reply ended: the services' words, and what they mean."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from harness.contract.config import UnknownStopReasonWarning
from harness.contract.events import StopReason
from harness.contract.exceptions import IncompleteStreamError, ModelError, ModelResponseError, ModelThrottledException
from providers._shared.openai_chat.calls import Call


@dataclass(frozen=True, slots=True)
class Ending:
    """One ``finish_reason``: the stop reason, or the error of a reply that did not end but broke off."""

    means: StopReason | type[ModelError]
    source: str


#: by lower-case ``finish_reason``
ENDINGS: Final[Mapping[str, Ending]] = {
    "stop": Ending("end_turn", "OpenAI: natural end or a stop sequence of the request, which are not told apart"),
    "eos": Ending("end_turn", "Together: end-of-sequence token"),
    "end_turn": Ending("end_turn", "Anthropic's word, leaked by gateways"),
    "stop_sequence": Ending("stop_sequence", "Anthropic's word, leaked by gateways"),
    "length": Ending("max_tokens", "OpenAI: limit of the request or of the context"),
    "max_tokens": Ending("max_tokens", "Anthropic's and Gemini's word, leaked by gateways"),
    "model_length": Ending("max_tokens", "Mistral: the context window is full, so the reply is cut"),
    "model_context_window_exceeded": Ending("max_tokens", "Z.ai: the context window is full, so the reply is cut"),
    "tool_calls": Ending("tool_use", "OpenAI"),
    "function_call": Ending("tool_use", "OpenAI: the older form of tool_calls"),
    "tool_use": Ending("tool_use", "Anthropic's word, leaked by gateways"),
    "content_filter": Ending("content_filtered", "OpenAI, Azure, DeepSeek: content was left out by a filter"),
    "sensitive": Ending("content_filtered", "Z.ai: content was stopped by a filter"),
    "safety": Ending("content_filtered", "Gemini's word, leaked by gateways"),
    "refusal": Ending("content_filtered", "Anthropic's word, leaked by gateways"),
    "insufficient_system_resource": Ending(ModelThrottledException, "DeepSeek: interrupted, the system is overloaded"),
    "network_error": Ending(IncompleteStreamError, "Z.ai: interrupted by an error of the inference"),
    "abort": Ending(IncompleteStreamError, "vLLM, SGLang: the server dropped the request"),
    "error": Ending(ModelResponseError, "OpenRouter, Mistral: the generation failed"),
}


def stop_reason(finish_reason: str | None, calls: Sequence[Call], *, refused: bool) -> StopReason:
    """The stop reason of a reply that is over; raises the error of one that broke off.

    ``finish_reason`` is None when the service ended the reply without one. What was said wins over ``stop``: complete
    calls give ``tool_use``, a refusal ``content_filtered``. Nothing wins over a cut or a filter. A call whose arguments
    are no JSON object was cut, whatever the service says, and must not run.
    """
    told = _told(finish_reason)
    if told not in {"end_turn", "tool_use"}:
        return told
    if not all(call.name for call in calls):
        raise ModelResponseError("the reply has a tool call without a name")
    if calls:
        return "tool_use" if all(call.is_blank() or call.complete() for call in calls) else "max_tokens"
    if told == "tool_use":
        _warn(f"finish_reason {finish_reason!r} without a tool call is taken as end_turn")
    return "content_filtered" if refused else "end_turn"


def _told(finish_reason: str | None) -> StopReason:
    ending = ENDINGS.get(finish_reason.lower()) if finish_reason else ENDINGS["stop"]
    if ending is None:
        _warn(f"unknown finish_reason {finish_reason!r} is taken as stop")
        return "end_turn"
    if isinstance(ending.means, str):
        return ending.means
    raise ending.means(f"the service broke the reply off with finish_reason {finish_reason!r}")


def _warn(message: str) -> None:
    warnings.warn(message, UnknownStopReasonWarning, stacklevel=5)
