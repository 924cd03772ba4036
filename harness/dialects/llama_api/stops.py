"""``stop_reason``: the three values of the schema."""

from typing import Final

from harness.contract.events import STOP_REASONS
from harness.dialects.base import StopRow

_DOC: Final = "doc: Llama API reference, completion message: stop_reason"

STOPS: Final[tuple[StopRow, ...]] = (
    StopRow("stop", "end_turn", frozenset({"end_turn"}), _DOC, with_tools=False),
    StopRow("tool_calls", "tool_use", frozenset({"tool_use"}), _DOC, with_tools=True),
    StopRow("length", "max_tokens", frozenset({"max_tokens"}), _DOC),
    StopRow("unheard_of", "end_turn", STOP_REASONS, _DOC, with_tools=False, common=False, known=False),
)
