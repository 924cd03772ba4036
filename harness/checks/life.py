"""LIFE, CONFIG, STRUCT, TOKENS, STATE and CAPABILITY: how an adapter behaves around its replies."""

from typing import Final

from harness.checks.failure import check_name, is_slip, told
from harness.checks.findings import Findings
from harness.checks.observation import Observation
from harness.endpoint.watchdog import LoopBlockedError
from harness.exchange import Listen, Operation
from harness.wire.faults import FaultKind

#: how long the event loop may be blocked, in seconds
LONGEST_STALL: Final = 0.05


def check_life(seen: Observation, findings: Findings) -> None:
    """What a call leaves behind, and what it did to others meanwhile."""
    blocked = str(seen.error) if isinstance(seen.error, LoopBlockedError) else ""
    fault = seen.exchange.answer.fault
    if blocked or fault is None or fault.kind is not FaultKind.SILENCE:  # a silent service has a rule of its own
        findings.expect("LIFE-ENDS", not seen.timed_out, blocked or "the call did not end", "a reply or an error")
    findings.expect("LIFE-INPUTS", not seen.changed, f"changed: {', '.join(seen.changed)}", "inputs as they were")
    if blocked or not seen.exchange.pause:  # pieces that wait for a slow caller are read at one go, which is work
        met = blocked or f"blocked for {seen.stall * 1000:.0f} ms"
        findings.expect("LIFE-LOOP", seen.stall < LONGEST_STALL, met, "under 50 ms")
    findings.expect("LIFE-TASKS", not seen.tasks, f"tasks left: {seen.tasks}", "none")
    if seen.log.exchanges:
        _check_released(seen, findings)


_RELEASE_RULES: Final = {Listen.ALL: "LIFE-RELEASED", Listen.CLOSE: "LIFE-CLOSE", Listen.CANCEL: "LIFE-CANCEL"}


def _check_released(seen: Observation, findings: Findings) -> None:
    listen = seen.exchange.listen
    held = seen.log.unreleased
    findings.expect(_RELEASE_RULES[listen], held == 0, f"{held} responses neither read to the end nor closed", "none")
    if seen.interrupted:
        findings.expect("LIFE-CANCEL", seen.cancelled, told(seen.error), "CancelledError")


def check_mode(seen: Observation, findings: Findings) -> None:
    """The adapter asks for the mode that its settings choose, with one request."""
    if seen.exchange.call.operation is not Operation.STREAM or not seen.log.exchanges:
        return
    asked, wanted = seen.streamed, seen.exchange.stream
    findings.expect("CONFIG-MODE", asked == wanted, f"asked for {_MODES[asked]}", _MODES[wanted])


_MODES: Final = {True: "a streamed reply", False: "a whole reply"}


def check_structured(seen: Observation, findings: Findings) -> None:
    """The result of structured output."""
    if seen.exchange.call.operation is not Operation.STRUCTURED:
        return
    findings.exercise("STRUCT-EVENTS")
    for violation in seen.assembled.violations:
        findings.violate("STRUCT-EVENTS", f"{violation.rule}: {violation.met}", index=violation.index)
    refused = not seen.log.exchanges and seen.error is not None and not is_slip(seen.error)
    if not seen.exchange.legal or (refused and seen.exchange.call.samples):
        return  # a schema that is hard to send may be refused in words, by a rule of its own
    if seen.exchange.instance is None:
        findings.expect("STRUCT-INVALID", seen.error is not None, f"{seen.output!r}", "an exception")
        check_name(seen, findings)
        return
    place = "" if seen.output_last or not seen.outputs else ", and more behind it"
    met = f"{seen.outputs} outputs, the last {seen.output!r}{place}, {told(seen.error)}"
    wanted = seen.exchange.instances or (seen.exchange.instance,)
    right = seen.error is None and seen.outputs == 1 and seen.output_last and seen.output in wanted
    right |= bool(seen.exchange.instances) and seen.error is not None and not is_slip(seen.error)
    findings.expect("STRUCT-OUTPUT", right, met, seen.exchange.instance)


def check_tokens(seen: Observation, findings: Findings) -> None:
    """The result of count_tokens."""
    if seen.exchange.call.operation is Operation.COUNT and seen.exchange.legal:
        count = seen.output
        met = f"{count!r}, {told(seen.error)}"
        findings.expect("TOKENS-COUNT", isinstance(count, int) and count >= 1, met, "a whole number of at least 1")


def check_undeclared(seen: Observation, findings: Findings) -> None:
    """Blocks that arrive although the adapter does not declare them."""
    abilities = seen.provider.capabilities
    if seen.expected is None or seen.error is not None:
        return
    reasoning = any("reasoningText" in block.get("reasoningContent", {}) for block in seen.content)
    cited = any("citationsContent" in block for block in seen.content)
    works = [
        name
        for name, declared, met in (
            ("reasoning", abilities.reasoning, reasoning),
            ("citations", abilities.citations, cited),
        )
        if met and not declared
    ]
    findings.expect("CAPABILITY-UNDECLARED", not works, f"{works} works but is not declared", "declared capabilities")
