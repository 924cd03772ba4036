"""Bedrock's stop reasons, and which of the contract's an adapter may make of them."""

from collections.abc import Mapping
from typing import Final

from harness.contract.events import StopReason
from harness.dialects.base import StopRow
from harness.dialects.reply import Reply

_MODEL = "Amazon Bedrock service model, bedrock-runtime: StopReason"


def _same(reason: StopReason, evidence: str, *, with_tools: bool | None = False, common: bool = True) -> StopRow:
    return StopRow(reason, reason, frozenset({reason}), evidence, with_tools, common)


STOPS: Final[tuple[StopRow, ...]] = (
    _same("end_turn", "bedrock-converse/traceloop+openllmetry__test_meta_test_meta_converse.yaml"),
    _same(
        "tool_use",
        "bedrock-converse/langchain-ai+langchain-aws__aws_test_agent_loop_v0.yaml.gz",
        with_tools=True,
    ),
    _same(
        "max_tokens",
        "bedrock-converse/Arize-ai+openinference__should-handle-tool-configuration.json",
        with_tools=None,
    ),
    _same("stop_sequence", _MODEL),
    _same(
        "guardrail_intervened",
        "bedrock-converse/traceloop+openllmetry__test_guardrails_test_guardrail_converse.yaml",
    ),
    _same("content_filtered", _MODEL),
    StopRow(
        "end_turn",
        "tool_use",
        frozenset({"tool_use"}),
        "strands#1827: a reply that holds calls has them run, whatever its stop reason",
        with_tools=True,
        common=False,
    ),
    StopRow(
        "tool_use",
        "end_turn",
        frozenset({"end_turn"}),
        "strands-rl/strands-env#252: tool_use that closes a message without any call",
        with_tools=False,
        common=False,
    ),
    StopRow(
        "model_context_window_exceeded",
        "max_tokens",
        frozenset({"max_tokens"}),
        f"{_MODEL}; Amazon Bedrock API reference, Converse: the reply filled the context window",
        common=False,
    ),
    StopRow(
        "malformed_model_output",
        "content_filtered",
        frozenset({"content_filtered", "end_turn"}),
        f"{_MODEL}: no reason of the contract says it; what the model wrote was left out",
        with_tools=False,
        common=False,
    ),
    StopRow(
        "malformed_tool_use",
        "content_filtered",
        frozenset({"content_filtered", "end_turn"}),
        f"{_MODEL}: no reason of the contract says it; the call was left out",
        with_tools=False,
        common=False,
    ),
)


def _usual_values() -> Mapping[StopReason, str]:
    values: dict[StopReason, str] = {}
    for row in STOPS:
        values.setdefault(row.means, row.wire)
    return values


_USUAL: Final = _usual_values()
_MEANINGS: Final = {(row.wire, row.with_tools): row.means for row in reversed(STOPS)}


def wire_stop(reply: Reply) -> str:
    """The vendor's value. Raises ValueError for a reason that Bedrock never gives."""
    wire = reply.wire_stop or _USUAL.get(reply.stop)
    if wire is None:
        raise ValueError(f"Bedrock has no stop reason for {reply.stop!r}")
    return wire


def read_stop(wire: str, *, with_tools: bool) -> tuple[StopReason, str | None]:
    """What a value means, and the value itself where it is not that meaning's usual one.

    Raises KeyError for an unknown value.
    """
    means = _MEANINGS.get((wire, with_tools))
    if means is None:
        means = _MEANINGS.get((wire, None)) or _MEANINGS[wire, not with_tools]
    return means, None if _USUAL[means] == wire else wire
