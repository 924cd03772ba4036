"""TOOL: calls come out once each, with their id, name and input."""

import json
from typing import Any, Final

from harness.checks.findings import Findings
from harness.checks.observation import Observation
from harness.contract.assembler import BrokenInput
from harness.dialects.reply import ToolUse


def check_tools(seen: Observation, findings: Findings) -> None:
    """The calls of a legal reply, in order."""
    reply = seen.expected
    if reply is None or seen.error is not None or not seen.provider.capabilities.tools:
        return
    wanted = [call for call in reply.tools if call.complete]
    met = [block["toolUse"] for block in seen.content if "toolUse" in block]
    whole = [call for call in met if isinstance(call.get("input"), dict)]
    if len(wanted) < len(reply.tools):
        _check_truncated(seen, len(wanted), whole, findings)
    elif wanted or met:
        broken = [call["input"].text for call in met if isinstance(call.get("input"), BrokenInput)]
        findings.expect("TOOL-INPUT-JSON", not broken, broken, "one JSON object each")
        findings.expect("TOOL-COUNT", len(met) == len(wanted), _names(met), [call.name for call in wanted])
    if wanted and len(whole) == len(wanted):
        _check_calls(wanted, whole, findings)


def _names(calls: list[Any]) -> list[Any]:
    return [call.get("name") for call in calls]


def _check_truncated(seen: Observation, complete: int, whole: list[Any], findings: Findings) -> None:
    """A call that the length limit cut is not among the complete ones, and the stop reason tells of the limit."""
    findings.expect(
        "TOOL-TRUNCATED",
        len(whole) <= complete and seen.assembled.stop_reason == "max_tokens",
        f"{len(whole)} complete calls, stop {seen.assembled.stop_reason}",
        f"{complete} complete calls, stop max_tokens",
    )


def _check_calls(wanted: list[ToolUse], met: list[Any], findings: Findings) -> None:
    given = [(call.id, heard.get("toolUseId")) for call, heard in zip(wanted, met, strict=True)]
    if any(call_id for call_id, _ in given):
        wrong = [pair for pair in given if pair[0] and pair[0] != pair[1]]
        findings.expect("TOOL-ID", not wrong, [heard for _, heard in wrong], [call_id for call_id, _ in wrong])
    if not all(call_id for call_id, _ in given):
        made = [heard for call_id, heard in given if not call_id]
        findings.expect("TOOL-ID-MADE", all(isinstance(i, str) and i for i in made), made, "an id each")
    names = [call.name for call in wanted]
    findings.expect("TOOL-NAME", _names(met) == names, _names(met), names)
    inputs = [canonical(heard.get("input")) for heard in met]
    told = [canonical(call.input) for call in wanted]
    findings.expect("TOOL-INPUT", inputs == told, inputs, told)
    _check_signatures(wanted, met, findings)


def _check_signatures(wanted: list[ToolUse], met: list[Any], findings: Findings) -> None:
    told = [call.signature for call in wanted]
    kept = [heard.get("reasoningSignature") for heard in met]
    if any(told) or any(kept):
        findings.expect("REASON-CALL-SIGNATURE", kept == told, kept, told)


def canonical(value: Any) -> str:
    """JSON text by which values are compared: 1, 1.0 and true differ, the order of keys does not matter."""
    return _CANONICAL.encode(value)


_CANONICAL: Final = json.JSONEncoder(sort_keys=True, ensure_ascii=False, default=repr)
