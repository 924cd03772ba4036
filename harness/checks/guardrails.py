"""REDACT: what a guardrail blocked is redacted, input and output independently."""

from typing import Any

from harness.checks.findings import Findings
from harness.checks.observation import Observation


def check_redaction(seen: Observation, findings: Findings) -> None:
    """Redaction events of a reply in which a guardrail stepped in, by the settings of the call.

    What was blocked is redacted if the settings say so, and nothing is that they do not. Whether one side is redacted
    for what was blocked on the other is left to the adapter: a blocked prompt's reply is the guardrail's own words.
    """
    reply = seen.expected
    if reply is None or reply.guardrail is None or seen.error is not None or not seen.provider.capabilities.guardrails:
        return
    config: Any = seen.exchange.call.config
    any_blocked = reply.guardrail.input_blocked or reply.guardrail.output_blocked
    sides = {
        "REDACT-INPUT": ("redactUserContentMessage", reply.guardrail.input_blocked, "guardrail_redact_input", True),
        "REDACT-OUTPUT": (
            "redactAssistantContentMessage",
            reply.guardrail.output_blocked,
            "guardrail_redact_output",
            False,
        ),
    }
    for rule, (key, blocked, setting, default) in sides.items():
        asked = bool(config.get(setting, default)) and any_blocked
        met = [event[key] for event in seen.assembled.redactions if event.get(key) is not None]
        right = bool(met) if asked and blocked else asked or not met
        findings.expect(rule, right, f"{key} {met}", "redacted" if asked else "not redacted")
