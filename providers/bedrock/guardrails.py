"""Guardrails: what is assessed, and what an intervention redacts."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from harness.contract.content import Messages
from harness.contract.events import StreamEvent
from providers._shared.content import is_blank
from providers.bedrock.content import Block, pick

INPUT_REDACTED: Final = "[User input redacted.]"
OUTPUT_REDACTED: Final = "[Assistant output redacted.]"

#: formats of images that guardrails assess
_GUARDED_IMAGES: Final = frozenset({"png", "jpeg"})


def guardrail_config(config: Mapping[str, Any], *, streaming: bool) -> Block | None:
    """The ``guardrailConfig`` member; only ConverseStream has a processing mode."""
    if not config.get("guardrail_id") or not config.get("guardrail_version"):
        return None
    mode = {"streamProcessingMode": config.get("guardrail_stream_processing_mode")} if streaming else {}
    return {
        "guardrailIdentifier": config["guardrail_id"],
        "guardrailVersion": config["guardrail_version"],
        "trace": config.get("guardrail_trace") or "enabled",
        **pick(mode, "streamProcessingMode"),
    }


def last_user_text(messages: Messages) -> int | None:
    """Index of the last user message that has text, which need not be the last one: tool results may follow."""
    found = (
        index
        for index in range(len(messages) - 1, -1, -1)
        if messages[index]["role"] == "user"
        and any(not is_blank(block.get("text")) for block in messages[index]["content"])
    )
    return next(found, None)


def guarded(block: Block) -> Block:
    """A formatted block as content to assess, where a guardrail can assess it."""
    if "text" in block:
        return {"guardContent": {"text": {"text": block["text"]}}}
    image = block.get("image")
    if image and image.get("format") in _GUARDED_IMAGES and "bytes" in image["source"]:
        return {"guardContent": {"image": image}}
    return block


def redactions(config: Mapping[str, Any], stop_reason: str | None, trace: Any) -> list[StreamEvent]:
    """Events that redact input and output, each as configured, when a guardrail blocked either."""
    if not _blocked(stop_reason, trace):
        return []
    events: list[StreamEvent] = []
    if config.get("guardrail_redact_input", True):
        message = config.get("guardrail_redact_input_message") or INPUT_REDACTED
        events.append({"redactContent": {"redactUserContentMessage": message}})
    if config.get("guardrail_redact_output", False):
        message = config.get("guardrail_redact_output_message") or OUTPUT_REDACTED
        events.append({"redactContent": {"redactAssistantContentMessage": message}})
    return events


def _blocked(stop_reason: str | None, trace: Any) -> bool:
    """Whether content was blocked, not only masked: the trace says so, else (it may be off) the stop reason does."""
    guardrail = (trace or {}).get("guardrail") or {}
    actions = set(_actions([guardrail.get("inputAssessment"), guardrail.get("outputAssessments")]))
    return "BLOCKED" in actions or (stop_reason == "guardrail_intervened" and "ANONYMIZED" not in actions)


def _actions(assessment: Any) -> Iterator[str]:
    """The actions taken anywhere in an assessment. ``detected`` may be absent: the action then speaks for itself."""
    if isinstance(assessment, list):
        for item in assessment:
            yield from _actions(item)
    elif isinstance(assessment, dict):
        if isinstance(assessment.get("action"), str) and assessment.get("detected") is not False:
            yield assessment["action"]
        for value in assessment.values():
            yield from _actions(value)
