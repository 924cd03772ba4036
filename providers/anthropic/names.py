"""Tool names and call ids in the alphabets of the Messages API."""

import re
from collections.abc import Iterable
from typing import Final

#: what the API takes as a tool's name (Messages API reference, ``tools.name``)
_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_LONGEST: Final = 128
_ILLEGAL: Final = re.compile(r"[^a-zA-Z0-9_-]")


def wire_id(tool_use_id: str) -> str:
    """A call id in the API's alphabet: histories may hold ids that other vendors made."""
    return _ILLEGAL.sub("_", tool_use_id)


class ToolNames:
    """Names of tools on the wire, and back. Legal names stay as they are; others get a legal name of their own."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._wire: dict[str, str] = {}
        self._own: dict[str, str] = {}
        known = tuple(names)
        self._taken = {name for name in known if _NAME.fullmatch(name)}
        for name in known:
            self._own[self.wire(name)] = name

    def wire(self, name: str) -> str:
        """The name to send for a tool."""
        if _NAME.fullmatch(name):
            return name
        if name not in self._wire:
            self._wire[name] = self._legal(name)
        return self._wire[name]

    def own(self, wire_name: str) -> str:
        """The tool that the model calls by ``wire_name``."""
        return self._own.get(wire_name, wire_name)

    def _legal(self, name: str) -> str:
        legal = candidate = _ILLEGAL.sub("_", name)[:_LONGEST] or "_"
        number = 1
        while candidate in self._taken:
            number += 1
            suffix = f"_{number}"
            candidate = legal[: _LONGEST - len(suffix)] + suffix
        self._taken.add(candidate)
        return candidate
