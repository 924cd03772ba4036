"""REDACT: what a guardrail blocked is redacted, input and output independently."""

from typing import Any

from harness.checks.findings import Findings
from harness.checks.observation import Observation
from harness.dialects.reply import Guardrail


def check_redaction(seen: Observation, findings: Findings) -> None:
    """Redaction events of a reply in which a guardrail stepped in, by the settings of the call.

    What was blocked is redacted if the settings say so, and nothing is that they do not. Whether one side is redacted
    for what was blocked on the other is left to the adapter: a blocked prompt's reply is the guardrail's own words.
    """
    guardrail = _guardrail(seen)
    if guardrail is None or seen.error is not None or not seen.provider.capabilities.guardrails:
        return
    config: Any = seen.exchange.call.config
    any_blocked = guardrail.input_blocked or guardrail.output_blocked
    sides = {
        "REDACT-INPUT": ("redactUserContentMessage", guardrail.input_blocked, "guardrail_redact_input", True),
        "REDACT-OUTPUT": (
            "redactAssistantContentMessage",
            guardrail.output_blocked,
            "guardrail_redact_output",
            False,
        ),
    }
    for rule, (key, blocked, setting, default) in sides.items():
        asked = bool(config.get(setting, default)) and any_blocked
        met = [event[key] for event in seen.assembled.redactions if event.get(key) is not None]
        right = bool(met) if asked and blocked else asked or not met
        findings.expect(rule, right, f"{key} {met}", "redacted" if asked else "not redacted")


def _guardrail(seen: Observation) -> Guardrail | None:
    """What the guardrail did, where it can be known.

    Without a trace only the stop reason tells that it stepped in, so that what it blocked must be redacted to be safe;
    whether words that it only masked are redacted as well, is left to the adapter.
    """
    if seen.expected is None:
        return None
    if seen.expected.guardrail is not None:
        return seen.expected.guardrail
    untold = seen.exchange.answer.reply.guardrail
    return untold if untold is not None and (untold.input_blocked or untold.output_blocked) else None
