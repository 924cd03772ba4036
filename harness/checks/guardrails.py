"""REDACT: what a guardrail blocked is redacted, input and output independently."""

from typing import Any

from harness.checks.findings import Findings
from harness.checks.observation import Observation


def check_redaction(seen: Observation, findings: Findings) -> None:
    """Redaction events of a reply in which a guardrail stepped in, by the settings of the call."""
    reply = seen.expected
    if reply is None or reply.guardrail is None or seen.error is not None or not seen.provider.capabilities.guardrails:
        return
    config: Any = seen.exchange.call.config
    asked = {
        "REDACT-INPUT": ("redactUserContentMessage", reply.guardrail.input_blocked, "guardrail_redact_input", True),
        "REDACT-OUTPUT": (
            "redactAssistantContentMessage",
            reply.guardrail.output_blocked,
            "guardrail_redact_output",
            False,
        ),
    }
    for rule, (key, blocked, setting, default) in asked.items():
        wanted = blocked and config.get(setting, default)
        met = [event[key] for event in seen.assembled.redactions if event.get(key) is not None]
        findings.expect(rule, bool(met) == bool(wanted), f"{key} {met}", "redacted" if wanted else "not redacted")
