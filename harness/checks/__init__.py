"""What is judged: one file a rule family, and every check on every observation."""

from dataclasses import replace
from typing import Final, cast

from harness.checks.content import (
    check_citations,
    check_content,
    check_delivered,
    check_incremental,
    check_reasoning,
)
from harness.checks.ending import check_order, check_parity, check_stop, check_usage
from harness.checks.failure import check_errors, check_faults
from harness.checks.findings import Check, Findings
from harness.checks.guardrails import check_redaction
from harness.checks.life import check_life, check_mode, check_structured, check_tokens, check_undeclared
from harness.checks.observation import Observation
from harness.checks.react import check_run
from harness.checks.requests import check_acceptable, check_complete, check_unsupported
from harness.checks.schemas import check_schemas
from harness.checks.tools import check_tools
from harness.contract.assembler import Assembler

__all__ = ["CHECKS", "Check", "Findings", "Observation", "check_parity", "judge"]

CHECKS: Final[tuple[Check, ...]] = (
    check_delivered,
    check_order,
    check_content,
    check_incremental,
    check_tools,
    check_stop,
    check_usage,
    check_reasoning,
    check_citations,
    check_redaction,
    check_errors,
    check_faults,
    check_acceptable,
    check_complete,
    check_unsupported,
    check_schemas,
    check_mode,
    check_structured,
    check_tokens,
    check_life,
    check_undeclared,
)

#: what is judged of a run of the tool loop
RUNS: Final[tuple[Check, ...]] = (check_run,)

#: what is judged of a framework's own reading of the events
READINGS: Final[tuple[Check, ...]] = (
    check_delivered,
    check_content,
    check_tools,
    check_stop,
    check_usage,
    check_reasoning,
    check_citations,
)


def judge(seen: Observation) -> Findings:
    """All that the checks find on one observation."""
    findings = Findings()
    for check in CHECKS if seen.exchange.goal is None else RUNS:
        check(seen, findings)
    if seen.read_by_framework:
        _judge_reading(seen, findings)
    return findings


def _judge_reading(seen: Observation, findings: Findings) -> None:
    """What the framework's own reading of the events gets wrong, beyond what was wrong with the events."""
    again, found = replace(seen, error=seen.reading_error), Findings()
    again.assembled = cast("Assembler", seen.reading or seen.assembled)
    for check in READINGS:
        check(again, found)
    known = findings.broken
    findings.exercise(*found.exercised)
    for violation in found.violations:
        if violation.rule not in known:
            findings.violations.append(replace(violation, met=f"as the framework assembles it: {violation.met}"))
