"""``finish_reason``: every value that is documented or recorded.

Left out is ``error``, the word of a reply that broke off: no reply ends with it, but a stream's error is told by it.
"""

from typing import Final

from harness.contract.events import STOP_REASONS
from harness.dialects.base import StopRow

_DOC: Final = "doc: Mistral API, chat completion: choices.finish_reason"
_CUT: Final = frozenset({"max_tokens"})

STOPS: Final[tuple[StopRow, ...]] = (
    StopRow("stop", "end_turn", frozenset({"end_turn"}), _DOC, with_tools=False),
    StopRow("tool_calls", "tool_use", frozenset({"tool_use"}), _DOC, with_tools=True),
    StopRow("length", "max_tokens", _CUT, _DOC),
    # The reply was cut by the model's context and not by the caller's limit.
    StopRow("model_length", "max_tokens", _CUT, _DOC, with_tools=False, common=False),
    # Not a value of today: the SDK itself lets unknown values through, and an adapter must survive the next one.
    StopRow("unheard_of", "end_turn", STOP_REASONS, _DOC, with_tools=False, common=False, known=False),
)
