"""Names and ids that the services of the family take."""

from typing import Final

from providers._shared.wire_names import Alphabet

#: OpenAI API reference, ``tools[].function.name`` and ``response_format.json_schema.name``
NAMES: Final = Alphabet("a-zA-Z0-9_-", 64)
#: the service's own 400 for ``messages[].tool_calls[].id``
CALL_IDS: Final = Alphabet(r"\s\S", 40)
