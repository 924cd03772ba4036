"""``finishReason`` and ``promptFeedback.blockReason``: every documented value, and what an adapter may make of it."""

from collections.abc import Iterable
from typing import Final

from harness.contract.events import STOP_REASONS, StopReason
from harness.dialects.base import StopRow
from harness.dialects.reply import Block, Reply, ToolUse

_DOC: Final = "generateContent reference: FinishReason"
_ARMOR: Final = (
    "vertex-gemini/pydantic+pydantic-ai__test_google_test_google_model_armor_response_template_real_block.yaml"
)
_UNEXPECTED: Final = (
    "vertex-gemini/pydantic+pydantic-ai__test_multimodal_tool_returns_test_multimodal_tool_return_matrix_"
    "direct-binary-audio-google_vertex.yaml"
)
_FILTERED: Final = frozenset({"content_filtered", "guardrail_intervened"})


def _filter(wire: str, evidence: str = _DOC, *, common: bool = False) -> StopRow:
    return StopRow(wire, "content_filtered", _FILTERED, evidence, with_tools=False, common=common)


def _wordless(wire: str, evidence: str = _DOC) -> StopRow:
    """A failure for which the contract has no word: whatever is made of it, it is no end of the turn in silence."""
    return StopRow(wire, "end_turn", STOP_REASONS, evidence, with_tools=False, common=False, known=False)


#: A meaning's usual value is its first row that fits the reply. ``STOP`` and ``UNEXPECTED_TOOL_CALL`` have two rows
#: each: what they mean depends on whether the reply holds calls.
STOPS: Final[tuple[StopRow, ...]] = (
    StopRow("STOP", "end_turn", frozenset({"end_turn"}), _DOC, with_tools=False),
    StopRow("STOP", "tool_use", frozenset({"tool_use"}), f"{_DOC}; it is the same word with calls", with_tools=True),
    StopRow("MAX_TOKENS", "max_tokens", frozenset({"max_tokens"}), _DOC),
    _filter("SAFETY", common=True),
    _filter("RECITATION"),
    _filter("BLOCKLIST"),
    _filter("PROHIBITED_CONTENT"),
    _filter("SPII"),
    _filter("IMAGE_SAFETY"),
    _filter("IMAGE_PROHIBITED_CONTENT"),
    _filter("IMAGE_RECITATION"),
    _filter("MODEL_ARMOR", _ARMOR),
    # The call is there, to a function that was not declared: an agent answers it with an error, and the model mends it.
    StopRow("UNEXPECTED_TOOL_CALL", "tool_use", frozenset({"tool_use"}), _UNEXPECTED, with_tools=True, common=False),
    _wordless("UNEXPECTED_TOOL_CALL", "ai-dial-adapter-vertexai#490"),
    _wordless("MALFORMED_FUNCTION_CALL", "hermes-agent#83869; ai-dial-adapter-vertexai#490"),
    _wordless("OTHER"),
    _wordless("LANGUAGE"),
    _wordless("IMAGE_OTHER"),
    _wordless("NO_IMAGE"),
    _wordless("TOO_MANY_TOOL_CALLS"),
    _wordless("MISSING_THOUGHT_SIGNATURE"),
    _wordless("MALFORMED_RESPONSE"),
    _wordless("ESCALATION", "google-genai: FinishReason"),
    _wordless("PUP_LIMITED_DISABLED", "google-genai: FinishReason"),
    _wordless("CONTINUATION", "google-genai: FinishReason"),
    # Not a value of today, but the enum grows, and an adapter must survive the next one.
    _wordless("UNHEARD_OF"),
)

#: reasons for which a prompt can be blocked before there is a candidate, as far as a finishReason has the same name
BLOCK_REASONS: Final = frozenset({"SAFETY", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY", "MODEL_ARMOR"})


def wire_stop(reply: Reply) -> str:
    """The ``finishReason`` that says the reply's end. Raises ValueError when the vendor has none for it."""
    return reply.wire_stop or _usual(reply.stop, with_tools=bool(reply.tools))


def read_stop(wire: str, blocks: Iterable[Block]) -> tuple[StopReason, str | None]:
    """``stop`` and ``wire_stop`` of a reply that ended with ``wire``. Raises ValueError for an unknown value."""
    with_tools = any(isinstance(block, ToolUse) for block in blocks)
    rows = [row for row in STOPS if row.wire == wire]
    row = next((row for row in rows if _fits(row, with_tools)), rows[0] if rows else None)
    if row is None:
        raise ValueError(f"unknown finishReason {wire!r}")
    return row.means, None if _is_usual(row, with_tools) else wire


def read_block(reason: str) -> tuple[StopReason, str | None]:
    """``stop`` and ``wire_stop`` of a prompt that was blocked."""
    return "content_filtered", None if reason == "SAFETY" else reason


def _is_usual(row: StopRow, with_tools: bool) -> bool:
    return _fits(row, with_tools) and _usual(row.means, with_tools=with_tools) == row.wire


def _usual(means: str, *, with_tools: bool) -> str:
    for row in STOPS:
        if row.means == means and _fits(row, with_tools):
            return row.wire
    raise ValueError(f"no finishReason says {means!r} {'with' if with_tools else 'without'} calls")


def _fits(row: StopRow, with_tools: bool) -> bool:
    return row.with_tools is None or row.with_tools is with_tools
