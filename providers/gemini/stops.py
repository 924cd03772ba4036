"""Finish reasons of ``generateContent``, and what they mean in the contract (API reference, FinishReason)."""

from collections.abc import Mapping
from typing import Final

from harness.contract.events import StopReason
from providers._shared.stops import Stop, read_stop, with_calls

STOPS: Final[Mapping[str, Stop]] = {
    "STOP": Stop("end_turn", "natural end or a stop sequence of the request; also said beside function calls"),
    "MAX_TOKENS": Stop("max_tokens", "the limit of the request"),
    "SAFETY": Stop("content_filtered", "the vendor's safety filter"),
    "RECITATION": Stop("content_filtered", "too close to a text that exists"),
    "LANGUAGE": Stop("content_filtered", "withheld for a language that is not supported"),
    "BLOCKLIST": Stop("content_filtered", "forbidden terms"),
    "PROHIBITED_CONTENT": Stop("content_filtered", "prohibited content"),
    "SPII": Stop("content_filtered", "sensitive personal information"),
    "IMAGE_SAFETY": Stop("content_filtered", "the safety filter, of an image"),
    "IMAGE_PROHIBITED_CONTENT": Stop("content_filtered", "prohibited content of an image"),
    "IMAGE_RECITATION": Stop("content_filtered", "an image too close to one that exists"),
    "IMAGE_OTHER": Stop("content_filtered", "an image was withheld, no reason given"),
    "NO_IMAGE": Stop("content_filtered", "an image was due and there is none"),
    "MODEL_ARMOR": Stop("guardrail_intervened", "the caller's own Model Armor template"),
    "MALFORMED_FUNCTION_CALL": Stop("content_filtered", "the service withholds a call that it could not read"),
    "MALFORMED_RESPONSE": Stop("content_filtered", "the service withholds output that it could not read"),
    "UNEXPECTED_TOOL_CALL": Stop("content_filtered", "a call of an undeclared function was withheld"),
    "MISSING_THOUGHT_SIGNATURE": Stop("content_filtered", "withheld, as a signature of the history is missing"),
    "OTHER": Stop("content_filtered", "stopped for a reason that is not told: no answer to rely on"),
    "ESCALATION": Stop("content_filtered", "filtered by a rule of the vendor"),
    "PUP_LIMITED_DISABLED": Stop("content_filtered", "the vendor's policy on use"),
    "TOO_MANY_TOOL_CALLS": Stop("max_tokens", "cut by a limit, of calls instead of tokens"),
    "CONTINUATION": Stop("max_tokens", "cut: more would come for a continuation token"),
}

#: blockReason of prompts that were refused; all others count as the vendor's filter
_GUARDRAILS: Final = frozenset({"MODEL_ARMOR"})

#: said of calls that came all the same, which the caller's loop can answer: it knows what to say of an unknown tool
_CALLS_STAND: Final = frozenset({"UNEXPECTED_TOOL_CALL"})


def stop_reason(word: str, *, called: bool, complete: bool) -> StopReason:
    """The contract's stop reason. Complete calls win over STOP, and over nothing else that ended the reply early."""
    told = read_stop(STOPS, "STOP" if called and word in _CALLS_STAND else word)
    return with_calls(told, called=called, complete=complete)


def block_reason(word: str) -> StopReason:
    """The stop reason of a reply that is empty because the prompt was refused."""
    return "guardrail_intervened" if word in _GUARDRAILS else "content_filtered"
