"""``finish_reason``: every value that is documented or recorded, and what an adapter may make of it.

Left out are the words of a reply that did not end but broke off (OpenRouter's ``error``, Z.AI's ``network_error``,
DeepSeek's ``insufficient_system_resource``, vLLM's ``abort``): an adapter may well raise, so no reply ends with them.
"""

from collections.abc import Iterable

from harness.contract.events import STOP_REASONS, StopReason
from harness.dialects.base import StopRow
from harness.dialects.reply import Block, Refusal, Reply, ToolUse

_OPENAI = "doc: OpenAI API reference, the chat completion object: choices.finish_reason"
_ZAI = "doc: Z.AI API reference, chat completion: choices.finish_reason"
_TGI = "doc: text-generation-inference, FinishReason"

_FILTERED = frozenset({"content_filtered", "guardrail_intervened"})
_ENDED = frozenset({"end_turn"})
_CUT = frozenset({"max_tokens"})
_TOOLS = frozenset({"tool_use"})


def _rare(
    wire: str, means: StopReason, accepts: frozenset[str], evidence: str, with_tools: bool | None = False
) -> StopRow:
    return StopRow(wire, means, accepts, evidence, with_tools, common=False)


#: A meaning's usual value is its first row that fits the reply. ``stop`` has three rows: with tool calls it means
#: tool_use, beside a refusal content_filtered (the reply says so itself), else end_turn; a row is found by wire
#: value *and* meaning.
STOPS: tuple[StopRow, ...] = (
    StopRow("stop", "end_turn", _ENDED, _OPENAI, with_tools=False),
    StopRow("tool_calls", "tool_use", _TOOLS, _OPENAI, with_tools=True),
    StopRow("length", "max_tokens", _CUT, _OPENAI),
    StopRow("content_filter", "content_filtered", _FILTERED, _OPENAI, with_tools=False),
    StopRow("stop", "tool_use", _TOOLS, "vercel-workflow#1387", with_tools=True),
    _rare("stop", "content_filtered", _FILTERED | _ENDED, "doc: OpenAI structured outputs guide, refusals"),
    _rare("function_call", "tool_use", _TOOLS, _OPENAI, with_tools=True),
    _rare("eos", "end_turn", _ENDED, "together-chat/traceloop+openllmetry__test_chat_test_together_chat_legacy.yaml"),
    _rare("eos_token", "end_turn", _ENDED, _TGI),
    _rare("stop_sequence", "stop_sequence", frozenset({"stop_sequence", "end_turn"}), _TGI),
    _rare("end_turn", "end_turn", _ENDED, "ayai-gpt-nexus#2"),
    _rare("end_turn", "tool_use", _TOOLS, "ayai-gpt-nexus#2", True),
    _rare("model_context_window_exceeded", "max_tokens", _CUT, "earendil-works-pi#1868", None),
    _rare("sensitive", "content_filtered", _FILTERED, _ZAI),
    # Not a value of today, but servers add values, and an adapter must survive the next one.
    StopRow("unheard_of", "end_turn", STOP_REASONS, _OPENAI, with_tools=False, common=False, known=False),
)


def wire_value(stops: Iterable[StopRow], reply: Reply) -> str:
    """The ``finish_reason`` that says the reply's end. Raises ValueError when the protocol has none for it."""
    if reply.wire_stop is not None:
        return reply.wire_stop
    return _usual(stops, reply.stop, with_tools=bool(reply.tools))


def meaning(stops: Iterable[StopRow], wire: str, blocks: Iterable[Block]) -> tuple[StopReason, str | None]:
    """``stop`` and ``wire_stop`` of a reply that ended with ``wire``. Raises ValueError for an unknown value."""
    blocks, stops = tuple(blocks), tuple(stops)
    with_tools = any(isinstance(block, ToolUse) for block in blocks)
    refused = not with_tools and any(isinstance(block, Refusal) for block in blocks)
    rows = [row for row in stops if row.wire == wire and _fits(row, with_tools)]
    row = next((row for row in rows if refused and row.means == "content_filtered"), rows[0] if rows else None)
    if row is None:
        raise ValueError(f"unknown finish_reason {wire!r} {'with' if with_tools else 'without'} tool calls")
    return row.means, None if _usual(stops, row.means, with_tools=with_tools) == wire else wire


def _usual(stops: Iterable[StopRow], means: str, *, with_tools: bool) -> str:
    for row in stops:
        if row.means == means and _fits(row, with_tools):
            return row.wire
    raise ValueError(f"no finish_reason says {means!r} {'with' if with_tools else 'without'} tool calls")


def _fits(row: StopRow, with_tools: bool) -> bool:
    return row.with_tools is None or row.with_tools is with_tools
