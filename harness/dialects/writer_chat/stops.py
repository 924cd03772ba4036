"""``finish_reason``: the four values that Writer documents."""

from typing import Final

from harness.contract.events import STOP_REASONS
from harness.dialects.base import StopRow

_DOC: Final = "doc: Writer API reference, chat completion: choices.finish_reason"

STOPS: Final[tuple[StopRow, ...]] = (
    StopRow("stop", "end_turn", frozenset({"end_turn"}), _DOC, with_tools=False),
    StopRow("tool_calls", "tool_use", frozenset({"tool_use"}), _DOC, with_tools=True),
    StopRow("length", "max_tokens", frozenset({"max_tokens"}), _DOC),
    StopRow(
        "content_filter",
        "content_filtered",
        frozenset({"content_filtered", "guardrail_intervened"}),
        _DOC,
        with_tools=False,
    ),
    StopRow("unheard_of", "end_turn", STOP_REASONS, _DOC, with_tools=False, common=False, known=False),
)
