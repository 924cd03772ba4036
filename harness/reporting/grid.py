"""A matrix of scenarios and adapters in lines of a terminal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import ascii_lowercase
from typing import Final

from rich.cells import cell_len, set_cell_size

from harness.reporting.scenarios import ScenarioRow
from harness.reporting.text import cut, folded
from harness.reporting.verdicts import Label

_WORDS: Final[Mapping[Label, str]] = {
    "pass": "ok",
    "fail": "FAIL",
    "warn": "warn",
    "note": "note",
    "expected": "exp.",
    "unscored": "new",
    "not_applicable": "n/a",
    "not_exercised": "-",
}
Lines = Iterator[tuple[str, Label | None]]

#: cells of the first column, and the fewest of the others
_FIRST: Final = 18
_CELL: Final = 5


def scenario_lines(rows: Sequence[ScenarioRow], width: int, head: str) -> Lines:
    """Lines of at most ``width`` cells, each with the worst that it tells of, if that is more than a pass.

    Adapters are columns under their names where there is room, else under letters that are told first; a block of
    columns for each page of them. ``head`` says what a row is.
    """
    if not rows:
        return
    names = list(rows[0].labels)
    named = max(_CELL + 1, *(cell_len(cut(name, width)) + 2 for name in names))
    if _FIRST + len(names) * named <= width:
        yield from _block(head, rows, {name: cut(name, width) for name in names}, named)
    else:
        most = min((width - _FIRST) // _CELL, len(ascii_lowercase))
        for start in range(0, len(names), most):
            page = dict(zip(names[start : start + most], ascii_lowercase, strict=False))
            legend = "  ".join(f"{letter} {cut(name, width // 2)}" for name, letter in page.items())
            yield from ((line, None) for line in folded(legend, width, len(page)))
            yield from _block(head, rows, page, _CELL)
    for row in rows:
        if row.spared:
            yield cut(f"  n/a  {row.name}: {row.otherwise}", width), None


def _block(
    head: str, rows: Sequence[ScenarioRow], heads: Mapping[str, str], cell: int
) -> Iterator[tuple[str, Label | None]]:
    yield _line(head, heads.values(), cell), None
    for row in rows:
        labels = [row.labels[name] for name in heads]
        worst = next((label for label in ("fail", "warn") if label in labels), None)
        yield _line(f"  {row.name}", (_WORDS[label] for label in labels), cell), worst


def _line(first: str, cells: Iterable[str], width: int) -> str:
    return (set_cell_size(cut(first, _FIRST), _FIRST) + "".join(_right(text, width) for text in cells)).rstrip()


def _right(text: str, width: int) -> str:
    return " " * (width - cell_len(text)) + text
