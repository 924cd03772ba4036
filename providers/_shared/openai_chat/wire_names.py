"""Names and ids that the service accepts: pure functions of the caller's, so that call and result always agree.

Names are letters, digits, ``_`` and ``-``, at most 64 of them; ids are at most 40 characters (OpenAI API reference,
``tools[].function.name`` and the service's own 400 for ``messages[].tool_calls[].id``).
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Final

from harness.contract.content import ToolSpec

_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_FOREIGN: Final = re.compile(r"[^a-zA-Z0-9_-]")
_MAX_ID: Final = 40


def wire_name(name: str) -> str:
    """The name itself where the service accepts it, else a readable one with a digest that keeps it unique."""
    if _NAME.fullmatch(name):
        return name
    return f"{_FOREIGN.sub('_', name)[:55]}_{_digest(name)[:8]}"


def wire_id(call_id: str) -> str:
    """The id itself where it is short enough, else a digest."""
    return call_id if len(call_id) <= _MAX_ID else f"call_{_digest(call_id)[:32]}"


def own_names(tool_specs: Iterable[ToolSpec] | None) -> Mapping[str, str]:
    """From names on the wire back to the caller's, where they differ."""
    names = (spec["name"] for spec in tool_specs or ())
    return {wire_name(name): name for name in names if wire_name(name) != name}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
