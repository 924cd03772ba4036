"""Text of unknown origin in Markdown: shown as it is, and never as markup."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from harness.reporting.text import cut, printable

_MARKS: Final = re.compile(r"[\\`*_{}\[\]()#+!|~$:@^=-]")
_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def inline(text: str, width: int = 300) -> str:
    """The text in one line of at most ``width`` cells, with every mark escaped."""
    line = "".join(_ENTITIES.get(sign, sign) for sign in cut(text, width))
    return _MARKS.sub(lambda found: _escaped(found[0]), line)


def _escaped(mark: str) -> str:
    # GitHub reads no backslash within a name that it would link: @name, :smile:
    return f"&#{ord(mark)};" if mark in "@:|`$" else f"\\{mark}"


def code(text: str, width: int = 300) -> str:
    """The text in one line, as code; backticks become quotes, and bars are safe in tables."""
    return f"`{cut(text, width).replace('`', chr(39)).replace('|', '¦') or ' '}`"


def fenced(lines: Iterable[str]) -> Iterator[str]:
    """Lines as a block of code, whatever is in them; no line ends but between them."""
    told = [printable(line) for line in lines]
    longest = max((len(run) for line in told for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return iter([f"{fence}text", *told, fence])


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table of cells that are Markdown already; nothing where there are no rows."""
    told = [_row(cells) for cells in rows]
    if told:
        yield from (_row(head), _row(["---"] * len(head)), *told, "")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
