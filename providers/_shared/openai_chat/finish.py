"""How a reply ended: the services' words, and what they mean."""

from collections.abc import Mapping, Sequence
from typing import Final

from harness.contract.events import StopReason
from harness.contract.exceptions import IncompleteStreamError, ModelResponseError, ModelThrottledException
from providers._shared.openai_chat.calls import Call
from providers._shared.stops import Stop, read_stop, warn_stop

#: by lower-case ``finish_reason``
ENDINGS: Final[Mapping[str, Stop]] = {
    "stop": Stop("end_turn", "OpenAI: natural end or a stop sequence of the request, which are not told apart"),
    "eos": Stop("end_turn", "Together: end-of-sequence token"),
    "end_turn": Stop("end_turn", "Anthropic's word, leaked by gateways"),
    "stop_sequence": Stop("stop_sequence", "Anthropic's word, leaked by gateways"),
    "length": Stop("max_tokens", "OpenAI: limit of the request or of the context"),
    "max_tokens": Stop("max_tokens", "Anthropic's and Gemini's word, leaked by gateways"),
    "model_length": Stop("max_tokens", "Mistral: the context window is full, so the reply is cut"),
    "model_context_window_exceeded": Stop("max_tokens", "Z.ai: the context window is full, so the reply is cut"),
    "tool_calls": Stop("tool_use", "OpenAI"),
    "function_call": Stop("tool_use", "OpenAI: the older form of tool_calls"),
    "tool_use": Stop("tool_use", "Anthropic's word, leaked by gateways"),
    "content_filter": Stop("content_filtered", "OpenAI, Azure, DeepSeek: content was left out by a filter"),
    "sensitive": Stop("content_filtered", "Z.ai: content was stopped by a filter"),
    "safety": Stop("content_filtered", "Gemini's word, leaked by gateways"),
    "refusal": Stop("content_filtered", "Anthropic's word, leaked by gateways"),
    "insufficient_system_resource": Stop(ModelThrottledException, "DeepSeek: interrupted, the system is overloaded"),
    "network_error": Stop(IncompleteStreamError, "Z.ai: interrupted by an error of the inference"),
    "abort": Stop(IncompleteStreamError, "vLLM, SGLang: the server dropped the request"),
    "error": Stop(ModelResponseError, "OpenRouter, Mistral: the generation failed"),
}


def stop_reason(finish_reason: str | None, calls: Sequence[Call], *, refused: bool) -> StopReason:
    """The stop reason of a reply that is over; raises the error of one that broke off.

    ``finish_reason`` is None when the service ended the reply without one. What was said wins over ``stop``: complete
    calls give ``tool_use``, a refusal ``content_filtered``. Nothing wins over a cut or a filter. A call whose arguments
    are no JSON object was cut, whatever the service says, and must not run.
    """
    told = read_stop(ENDINGS, (finish_reason or "stop").lower())
    if told not in {"end_turn", "tool_use"}:
        return told
    if not all(call.name for call in calls):
        raise ModelResponseError("the reply has a tool call without a name")
    if calls:
        return "tool_use" if all(call.is_blank() or call.complete() for call in calls) else "max_tokens"
    if told == "tool_use":
        warn_stop(f"finish_reason {finish_reason!r} without a tool call is taken as end_turn")
    return "content_filtered" if refused else "end_turn"
