"""What the service accepts as names and ids.

Sources: the patterns of ``ToolName``, ``ToolUseId`` and ``DocumentBlock.name`` in the service's API reference.
"""

import re
from typing import Final

from providers._shared.wire_names import Alphabet

NAMES: Final = Alphabet("a-zA-Z0-9_-", 64)
CALL_IDS: Final = Alphabet("a-zA-Z0-9_.:-", 64)

_NOT_IN_DOCUMENT_NAME: Final = re.compile(r"[^a-zA-Z0-9()\[\]-]+")
_MAX_DOCUMENT_NAME: Final = 200


class DocumentNames:
    """The names of one request's documents, which must differ."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def sent(self, name: str | None) -> str:
        """A valid name that no earlier document of the request has."""
        wanted = _NOT_IN_DOCUMENT_NAME.sub(" ", name or "").strip() or "document"
        candidate, number = wanted[:_MAX_DOCUMENT_NAME].strip(), 1
        while candidate in self._taken:
            number += 1
            suffix = f"-{number}"
            candidate = wanted[: _MAX_DOCUMENT_NAME - len(suffix)].strip() + suffix
        self._taken.add(candidate)
        return candidate
