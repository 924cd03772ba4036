"""What the service accepts as names and ids, and the way there and back.

Sources: the patterns of ``ToolName``, ``ToolUseId`` and ``DocumentBlock.name`` in the service's API reference.
"""

import hashlib
import re
from collections.abc import Iterable
from typing import Final

_TOOL_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_NOT_IN_TOOL_NAME: Final = re.compile(r"[^a-zA-Z0-9_-]")
_TOOL_ID: Final = re.compile(r"[a-zA-Z0-9_.:-]{1,64}")
_NOT_IN_TOOL_ID: Final = re.compile(r"[^a-zA-Z0-9_.:-]")
_NOT_IN_DOCUMENT_NAME: Final = re.compile(r"[^a-zA-Z0-9()\[\]-]+")

_MAX_TOOL_NAME: Final = 64
_MAX_TOOL_ID: Final = 64
_MAX_DOCUMENT_NAME: Final = 200
_DIGEST: Final = 10


class ToolNames:
    """The tools of one request: each name as it is sent, unique, and back. Names that are valid are sent unchanged."""

    def __init__(self, names: Iterable[str]) -> None:
        distinct = dict.fromkeys(names)
        self._originals = {name: name for name in distinct if _TOOL_NAME.fullmatch(name)}
        self._sent = dict(self._originals)
        for name in distinct:
            if name not in self._sent:
                sent = self._free(_NOT_IN_TOOL_NAME.sub("_", name) or "tool")
                self._sent[name], self._originals[sent] = sent, name

    def _free(self, wanted: str) -> str:
        candidate, number = wanted[:_MAX_TOOL_NAME], 1
        while candidate in self._originals:
            number += 1
            suffix = f"_{number}"
            candidate = wanted[: _MAX_TOOL_NAME - len(suffix)] + suffix
        return candidate

    def sent(self, name: str) -> str:
        """The name on the wire."""
        return self._sent.get(name, name)

    def original(self, sent: str) -> str:
        """The name that the caller knows."""
        return self._originals.get(sent, sent)


def sent_tool_id(tool_use_id: str) -> str:
    """A call's id on the wire: the same for the same id, so that calls and results still pair."""
    if _TOOL_ID.fullmatch(tool_use_id):
        return tool_use_id
    digest = hashlib.sha256(tool_use_id.encode()).hexdigest()[:_DIGEST]
    return f"{_NOT_IN_TOOL_ID.sub('_', tool_use_id)[: _MAX_TOOL_ID - _DIGEST - 1]}-{digest}"


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
