"""Ids that the API takes; names are those of Chat Completions."""

from typing import Final

from providers._shared.wire_names import Alphabet

#: the service's own 400 for ``input[].call_id``
CALL_IDS: Final = Alphabet(r"\s\S", 64)
