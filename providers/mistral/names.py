"""Ids that the service takes."""

from typing import Final

from providers._shared.wire_names import Alphabet

#: the service's own 400 for ``messages[].tool_calls[].id``: nine letters and digits, no more and no fewer
CALL_IDS: Final = Alphabet("a-zA-Z0-9", 9, shortest=9)
