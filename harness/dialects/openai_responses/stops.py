"""How a response ends: ``status``, or the reason in ``incomplete_details``.

A wire value here is ``completed``, or the reason of an incomplete response. Left out are the statuses of responses that
broke off or were called off (``failed``, ``cancelled``), and the reason ``steered``, which only WebSockets know.
"""

from harness.contract.events import STOP_REASONS
from harness.dialects.base import StopRow

COMPLETED = "completed"

_STATUS = "doc: OpenAI API reference, the response object: status"
_REASON = "doc: OpenAI API reference, the response object: incomplete_details.reason"

_FILTERED = frozenset({"content_filtered", "guardrail_intervened"})

#: ``completed`` has three rows: with calls it means tool_use, beside a refusal content_filtered (the reply says so
#: itself), else end_turn; a row is found by wire value *and* meaning.
STOPS: tuple[StopRow, ...] = (
    StopRow(COMPLETED, "end_turn", frozenset({"end_turn"}), _STATUS, with_tools=False),
    StopRow(COMPLETED, "tool_use", frozenset({"tool_use"}), _STATUS, with_tools=True),
    StopRow("max_output_tokens", "max_tokens", frozenset({"max_tokens"}), _REASON),
    StopRow("content_filter", "content_filtered", _FILTERED, _REASON, with_tools=False),
    StopRow(
        COMPLETED,
        "content_filtered",
        _FILTERED,
        "doc: OpenAI structured outputs guide, refusals",
        with_tools=False,
        common=False,
    ),
    # The service documents the name alone: the reply was cut by some limit, or it said all that it might.
    StopRow("max_messages", "max_tokens", frozenset({"max_tokens", "end_turn"}), _REASON, False, common=False),
    # Not a value of today, but servers add values, and an adapter must survive the next one.
    StopRow("unheard_of", "end_turn", STOP_REASONS, _REASON, with_tools=False, common=False, known=False),
)
