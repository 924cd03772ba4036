"""STREAM, STOP, USAGE and PARITY: the order of events, and how a reply ends."""

from typing import Any, Final

from harness.checks.findings import Findings
from harness.checks.observation import Observation
from harness.checks.tools import canonical
from harness.contract.events import STOP_REASONS
from harness.dialects.base import Dialect, StopRow
from harness.dialects.reply import Reply, Usage
from harness.exchange import Operation

_ALWAYS: Final = (
    "STREAM-EVENT-SHAPE",
    "STREAM-START-FIRST",
    "STREAM-START-ONCE",
    "STREAM-START-ROLE",
    "STREAM-BLOCK-OVERLAP",
    "STREAM-BLOCK-UNOPENED",
    "STREAM-BLOCK-UNCLOSED",
    "STREAM-BLOCK-INDEX",
    "STREAM-DELTA-KIND",
    "STREAM-AFTER-STOP",
    "STREAM-STOP-ONCE",
    "STREAM-METADATA-ORDER",
    "STREAM-METADATA-ONCE",
    "STREAM-AFTER-METADATA",
)
_WITH_TOOLS: Final = ("STREAM-TOOL-BEGIN", "STREAM-TOOL-IDENTITY")


def check_order(seen: Observation, findings: Findings) -> None:
    """What the state machine says of every stream, finished or not; structured output has a rule of its own for it."""
    if seen.exchange.call.operation is Operation.STRUCTURED:
        return
    findings.violations += seen.assembled.violations
    findings.exercise(*(violation.rule for violation in seen.assembled.violations))
    if seen.expected is None or not seen.events:
        return
    findings.exercise(*_ALWAYS, *(("STREAM-STOP-MISSING",) if seen.error is None else ()))
    if seen.expected.tools:
        findings.exercise(*_WITH_TOOLS)
    if len(seen.expected.tools) > 1:
        findings.exercise("STREAM-TOOL-ID-UNIQUE")


def stop_row(dialect: Dialect, reply: Reply) -> StopRow:
    """The row of the dialect's stop table by which a reply ends."""
    rows = (row for row in dialect.stops if row.means == reply.stop and reply.wire_stop in (None, row.wire))
    return next(row for row in rows if row.with_tools in (None, bool(reply.tools)))


def check_stop(seen: Observation, findings: Findings) -> None:
    """The stop reason of a legal reply."""
    reply = seen.expected
    met = seen.assembled.stop_reason
    if reply is None or seen.error is not None or met is None:
        return
    row = stop_row(seen.dialect, reply)
    if row.known:
        findings.expect("STOP-KNOWN", met in STOP_REASONS, f"{met!r} for {row.wire!r}", sorted(STOP_REASONS))
        if met in STOP_REASONS:
            right = met in row.accepts or _contradicts(reply, met) or _is_cut(reply, met)
            findings.expect("STOP-MAPPED", right, f"{met} for {row.wire!r}", " or ".join(sorted(row.accepts)))
    else:
        told = met != "end_turn" or any(row.wire in warning for warning in seen.warnings)
        findings.expect("STOP-UNKNOWN", told, f"{met} for {row.wire!r}, without a warning", "a warning that names it")
    if seen.provider.capabilities.tools:
        _check_stop_tools(reply, met, findings)


def _contradicts(reply: Reply, met: str) -> bool:
    """Whether the vendor's word goes against the calls or the lack of them, and was handed on: STOP-TOOLS tells it."""
    return reply.wire_stop is not None and {met, reply.stop} == {"end_turn", "tool_use"}


def _is_cut(reply: Reply, met: str) -> bool:
    """Whether a call was cut and the reply was told as cut, though the vendor's word says nothing of a limit.

    llama.cpp's /v1/responses says ``completed`` of a reply that its token limit cut within a call.
    """
    return met == "max_tokens" and not all(call.complete for call in reply.tools)


def _check_stop_tools(reply: Reply, met: str, findings: Findings) -> None:
    if reply.tools and reply.stop == "tool_use" and not _is_cut(reply, met):
        findings.expect("STOP-TOOLS", met == "tool_use", f"{met} after {len(reply.tools)} complete calls", "tool_use")
    elif not reply.tools:
        findings.expect("STOP-TOOLS", met != "tool_use", "tool_use without a call", "another reason")


def check_usage(seen: Observation, findings: Findings) -> None:
    """The token counts of a legal reply."""
    reply = seen.expected
    if reply is None or seen.error is not None:
        return
    met: Any = seen.assembled.usage
    if reply.usage is None:
        findings.expect("USAGE-INVENTED", not met or not any(_counts(met)), met, "no counts")
    else:
        findings.expect("USAGE-REPORTED", met is not None, "no usage", reply.usage)
    if met is not None and _check_form(met, findings) and reply.usage is not None:
        _check_counts(seen, reply.usage, met, findings)
    if seen.assembled.metrics is not None or met is not None:
        _check_latency(seen, reply, findings)


def _counts(usage: Any) -> list[Any]:
    return [usage.get(key) for key in ("inputTokens", "outputTokens", "totalTokens")]


def _check_form(met: Any, findings: Findings) -> bool:
    well_formed = all(isinstance(count, int) and count >= 0 for count in _counts(met))
    findings.expect("USAGE-FORM", well_formed, met, "three whole numbers of at least 0")
    return well_formed


def _check_counts(seen: Observation, told: Usage, met: Any, findings: Findings) -> None:
    cached = (told.cache_read or 0) + (told.cache_write or 0)
    # Both conventions are in use: cached tokens inside the input count, or beside it.
    inputs = {told.input, told.input - cached if seen.dialect.shape.input_includes_cache else told.input + cached}
    findings.expect("USAGE-INPUT", met["inputTokens"] in inputs, met["inputTokens"], told.input)
    findings.expect("USAGE-OUTPUT", met["outputTokens"] == told.output, met["outputTokens"], told.output)
    totals = {count + told.output for count in inputs} | ({told.total} if told.total is not None else set())
    findings.expect("USAGE-TOTAL", met["totalTokens"] in totals, met["totalTokens"], sorted(totals))
    for count, key in ((told.cache_read, "cacheReadInputTokens"), (told.cache_write, "cacheWriteInputTokens")):
        if count:
            findings.expect("USAGE-CACHE", met.get(key) == count, f"{key} {met.get(key)}", count)


def _check_latency(seen: Observation, reply: Reply, findings: Findings) -> None:
    if reply.latency_ms is None and seen.dialect.shape.latency:
        return  # the service's measure is the one to hand on, and it is missing
    metrics: Any = seen.assembled.metrics or {}
    met = metrics.get("latencyMs")
    measured = isinstance(met, int) and met >= 0 and isinstance(metrics.get("timeToFirstByteMs", 0), int)
    wanted = reply.latency_ms
    findings.expect("USAGE-LATENCY", measured and wanted in (None, met), dict(metrics), wanted or "a whole number")


def check_parity(streamed: Observation, whole: Observation, findings: Findings) -> None:
    """The same reply, streamed and whole, gives the same message."""
    if streamed.error is not None or whole.error is not None:
        return
    for what, one, other in (
        ("message", canonical(streamed.content), canonical(whole.content)),
        ("stop reason", streamed.assembled.stop_reason, whole.assembled.stop_reason),
        ("usage", streamed.assembled.usage, whole.assembled.usage),
    ):
        findings.expect("PARITY-MESSAGE", one == other, f"{what} streamed {one}", f"as whole: {other}")
