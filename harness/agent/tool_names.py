"""The tool's name as a model decorates it: with quotes, brackets, a signature, its description."""

import re
from collections.abc import Collection
from typing import Final

_MARKS: Final = " \t\r*`\"'“”‘’"
#: what a list of tools shows behind a name
_BEHIND: Final = re.compile(r"\s*[(\[{<].*|\s+[-–—#].*|[:：,]\s.*|[.,;:。，]+\Z", re.DOTALL)
_BRACKETS: Final = re.compile(r"[(\[{<](?P<name>[^()\[\]{}<>]+)[)\]}>]")
_NO_TOOL: Final = re.compile(
    r"(?:none|n/?a|null|nil|nothing|not applicable|no (?:more |further )?(?:action|tool)s?)"
    r"(?: (?:is |are )?(?:needed|required|necessary|available))?",
    re.IGNORECASE,
)


def tool_name(text: str, names: Collection[str] = ()) -> str:
    """The name that a line holds; the longest of ``names`` that it begins with, if there is one."""
    bare = _undecorated(text)
    known = [name for name in names if text.strip() == name or _begins(bare, name)]
    return max(known, key=len) if known else _undecorated(_BEHIND.sub("", bare, count=1))


def _undecorated(text: str) -> str:
    bare = text.strip(_MARKS)
    wrapped = _BRACKETS.match(bare)
    return wrapped["name"].strip(_MARKS) if wrapped else bare


def _begins(text: str, name: str) -> bool:
    return text.startswith(name) and not re.match(r"[\w-]", text[len(name) : len(name) + 1])


def is_no_tool(name: str) -> bool:
    """Whether a model names no tool by it, as in ``Action: None``."""
    return not name or _NO_TOOL.fullmatch(name) is not None
