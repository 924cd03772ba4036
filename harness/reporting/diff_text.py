"""A comparison of two runs as lines for a terminal, and as Markdown for a pull request."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich.cells import cell_len, set_cell_size

from harness.reporting.diff import Kind, Move, ProviderDiff, RunDiff, Side, notes
from harness.reporting.markup import code, inline, table
from harness.reporting.text import cut, folded
from harness.reporting.verdicts import LABELS

WIDTH: Final = 80

_HEADINGS: Final[Mapping[Kind, str]] = {
    "worse": "Worse",
    "better": "Better",
    "new": "New rules",
    "changed": "Otherwise changed",
    "untried": "Not in both runs",
}
#: kinds that are counted, and not listed one by one: a run of a few scenarios leaves out hundreds of rules
_COUNTED: Final[frozenset[Kind]] = frozenset({"untried"})
_WORDS: Final[Mapping[str, str]] = {"not_applicable": "n/a"} | {
    label: label.replace("_", " ") for label in LABELS if label != "not_applicable"
}


def text(diff: RunDiff) -> Iterator[str]:
    """Lines of at most 80 cells."""
    yield from _columns(("adapter", "SDK", "old", "new", "passes", "worse", "better"), list(_table(diff)))
    yield from (line for note in notes(diff) for line in folded(f"note: {note}", WIDTH, 3))
    for kind, heading in _HEADINGS.items():
        moves = [] if kind in _COUNTED else list(diff.of(kind))
        if moves:
            yield ""
            yield f"{heading}:"
        for provider, move in moves:
            yield from _told(provider, move)
    yield ""
    yield totals(diff)


def totals(diff: RunDiff) -> str:
    """The counts of each kind, in one line."""
    counts = {kind: sum(1 for _ in diff.of(kind)) for kind in _HEADINGS}
    told = [f"{count} {_HEADINGS[kind].lower()}" for kind, count in counts.items() if count or kind == "worse"]
    return ", ".join(told)


def _told(provider: ProviderDiff, move: Move) -> Iterator[str]:
    yield cut(f"  {provider.name:<12} {move.subject:<22} {_arrow(move)}", WIDTH)
    yield cut(f"      {move.title}", WIDTH)
    if move.scenarios:
        yield cut(f"      in {_few(move.scenarios)}", WIDTH)
    if move.met:
        yield cut(f"      met {move.met}", WIDTH)


def _arrow(move: Move) -> str:
    old, new = (_WORDS.get(word, word) for word in (move.old, move.new))
    return f"{old} -> {new}" if old != new else f"{new}, in more scenarios"


def _few(names: Sequence[str], most: int = 3) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _table(diff: RunDiff) -> Iterator[tuple[str, ...]]:
    """A row for each distribution of each adapter; the adapter's own numbers stand in its first row."""
    for provider in diff.providers:
        passes = f"{_passes(provider.old)} -> {_passes(provider.new)}"
        numbers = (passes, str(provider.count("worse")), str(provider.count("better")))
        for place, (name, versions) in enumerate(provider.sdk.items() or [("", ("", ""))]):
            first = place == 0
            yield (provider.name if first else "", name, *(v or "none" for v in versions), *(numbers if first else ()))


def _passes(side: Side) -> int:
    return side.report.counts["pass"]


def _columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns as wide as they need to be; the first two give way where that is too wide."""
    filled = [[*row, *[""] * (len(head) - len(row))] for row in (head, *rows)]
    widths = [max(cell_len(row[column]) for row in filled) for column in range(len(head))]
    spare = WIDTH - 2 * (len(widths) - 1) - sum(widths[2:])
    widths[:2] = [min(width, max(8, spare // 2)) for width in widths[:2]]
    for row in filled:
        cells = (set_cell_size(cut(text, width), width) for text, width in zip(row, widths, strict=True))
        yield cut("  ".join(cells).rstrip(), WIDTH)


def markdown(diff: RunDiff) -> Iterator[str]:
    """A document of tables."""
    yield from ("## Conformance: what moved", "", f"{totals(diff).capitalize()}.", "")
    rows = ([inline(cell) for cell in row] + [""] * (7 - len(row)) for row in _table(diff))
    yield from table(("adapter", "SDK", "old", "new", "passes", "worse", "better"), rows)
    yield from (f"* {inline(note)}" for note in notes(diff))
    for kind, heading in _HEADINGS.items():
        if kind not in _COUNTED:
            yield from _section(heading, list(diff.of(kind)))


def _section(heading: str, moves: Sequence[tuple[ProviderDiff, Move]]) -> Iterator[str]:
    if not moves:
        return
    yield from ("", f"### {heading}", "")
    head = ("adapter", "rule", "what must hold", "verdict", "scenarios", "met")
    yield from table(head, (_cells(provider, move) for provider, move in moves))


def _cells(provider: ProviderDiff, move: Move) -> tuple[str, ...]:
    return (
        inline(provider.name),
        code(move.subject),
        inline(move.title),
        inline(_arrow(move)),
        inline(_few(move.scenarios)),
        code(move.met, 120) if move.met else "",
    )
