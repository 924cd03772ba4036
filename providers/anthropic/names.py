"""Names and ids that the Messages API takes."""

from typing import Final

from providers._shared.wire_names import Alphabet

#: Messages API reference, ``tools.name``
NAMES: Final = Alphabet("a-zA-Z0-9_-", 128)
#: the API's own 400 for ``tool_use.id``; it tells no limit of the length
CALL_IDS: Final = Alphabet("a-zA-Z0-9_-")
