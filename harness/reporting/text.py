"""Text of unknown origin, made fit to print: adapters and servers under test choose much of what reports show."""

from typing import Final

from rich.cells import cell_len, set_cell_size

ELLIPSIS: Final = "…"


def printable(text: str, keep: str = "") -> str:
    """The text with every unprintable character escaped, so that it cannot steer a terminal or reorder a line.

    Line ends, escape sequences, bidirectional marks and lone surrogates are all unprintable; ``keep`` names exceptions.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else c.encode("unicode_escape").decode() for c in text)


def cut(text: str, width: int) -> str:
    """The text as one printable line of at most ``width`` terminal cells; what is left out leaves an ellipsis."""
    line = printable(text)
    if cell_len(line) <= width:
        return line
    return set_cell_size(line, width - 1).rstrip() + ELLIPSIS


def cut_front(text: str, width: int) -> str:
    """The end of the text where it is too wide for one line: the telling part of a path."""
    line = printable(text)
    while cell_len(line) > width:
        line = ELLIPSIS + line.removeprefix(ELLIPSIS)[1:]
    return line


def folded(text: str, width: int, lines: int) -> list[str]:
    """The text in at most ``lines`` printable lines of ``width`` cells, broken at spaces where there are any."""
    found: list[str] = []
    rest = printable(text).strip()
    while len(found) < lines - 1 and cell_len(rest) > width:
        head = set_cell_size(rest, width).rstrip()
        head = head[: _break(head, rest)]
        found.append(head.rstrip())
        rest = rest[len(head) :].lstrip()
    return [*found, cut(rest, width)] if rest or not found else found


def _break(head: str, text: str) -> int:
    """Where to end a line: after the last whole word, unless that leaves it less than half full."""
    space = head.rfind(" ") if text[len(head) : len(head) + 1] not in ("", " ") else len(head)
    return space if space > len(head) // 2 else len(head)
