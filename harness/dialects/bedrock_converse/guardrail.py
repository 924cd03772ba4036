"""The guardrail trace: what a guardrail assessed, and what it blocked."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from harness.dialects.reply import Guardrail, json_text

GUARDRAIL_ID: Final = "gr1x9example"

#: a finding of each policy without its action, and how the policy holds it
_POLICIES: Final[Mapping[str, tuple[str, str, Mapping[str, Any], Mapping[str, Any]]]] = {
    "topic": ("topicPolicy", "topics", {"name": "Weather", "type": "DENY"}, {}),
    "content": (
        "contentPolicy",
        "filters",
        {"confidence": "HIGH", "filterStrength": "HIGH", "type": "INSULTS"},
        {},
    ),
    "word": ("wordPolicy", "customWords", {"match": "example"}, {"managedWordLists": []}),
    "sensitive": (
        "sensitiveInformationPolicy",
        "piiEntities",
        {"match": "Avenue Road 1", "type": "ADDRESS"},
        {"regexes": []},
    ),
    "grounding": (
        "contextualGroundingPolicy",
        "filters",
        {"score": 0.01, "threshold": 0.75, "type": "GROUNDING"},
        {},
    ),
}

_METRICS: Final[Mapping[str, Any]] = {
    "guardrailCoverage": {"textCharacters": {"guarded": 40, "total": 40}},
    "guardrailProcessingLatency": 195,
    "usage": {
        "contentPolicyUnits": 1,
        "contextualGroundingPolicyUnits": 0,
        "sensitiveInformationPolicyFreeUnits": 0,
        "sensitiveInformationPolicyUnits": 1,
        "topicPolicyUnits": 1,
        "wordPolicyUnits": 1,
    },
}


@lru_cache(maxsize=256)
def trace_json(guardrail: Guardrail, policy: str, findings: str, *, intervened: bool) -> str:
    """The trace as JSON text. A guardrail that stepped in and blocked nothing has masked something."""
    masked = intervened and not (guardrail.input_blocked or guardrail.output_blocked)
    trace: dict[str, Any] = {
        "actionReason": "Guardrail masked." if masked else "Guardrail blocked.",
        "inputAssessment": {GUARDRAIL_ID: _assessment(guardrail.input_blocked, policy, findings)},
    }
    if not guardrail.input_blocked or guardrail.output_blocked:
        assessment = _masked() if masked else _assessment(guardrail.output_blocked, policy, findings)
        trace["modelOutput"] = ["What the model said."]
        trace["outputAssessments"] = {GUARDRAIL_ID: [assessment]}
    return json_text({"guardrail": trace})


def _assessment(blocked: bool, policy: str, findings: str) -> dict[str, Any]:
    key, holder, finding, rest = _POLICIES[policy]
    found = [{"action": "NONE", "detected": True, **finding}] if findings == "observed_too" else []
    if blocked:
        detected = {} if findings == "undetected" else {"detected": True}
        found.append({"action": "BLOCKED", **detected, **finding})
    return {"invocationMetrics": _METRICS} | ({key: {holder: found, **rest}} if found else {})


def _masked() -> dict[str, Any]:
    key, holder, finding, rest = _POLICIES["sensitive"]
    return {
        "invocationMetrics": _METRICS,
        key: {holder: [{"action": "ANONYMIZED", "detected": True, **finding}], **rest},
    }


def read_guardrail(trace: Mapping[str, Any] | None) -> Guardrail | None:
    """What the trace says was blocked; None where it has no guardrail."""
    guardrail = (trace or {}).get("guardrail")
    if guardrail is None:
        return None
    return Guardrail(
        input_blocked="BLOCKED" in _actions(guardrail.get("inputAssessment")),
        output_blocked="BLOCKED" in _actions(guardrail.get("outputAssessments")),
    )


def _actions(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield value.get("action")
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _actions(inner)
