"""Hypothesis strategies: replies that a dialect can say, and conversations that a caller can send.

Replies stay inside the dialect's shape and the adapter's declared capabilities, so whatever is drawn must arrive.
"""

import random
import re
import string
from functools import lru_cache
from typing import Any, Final

from hypothesis import strategies as st

from harness.contract.capabilities import Capabilities
from harness.dialects.base import Dialect, Order, Shape, StopRow
from harness.dialects.reply import (
    Block,
    Citation,
    Reasoning,
    RedactedReasoning,
    Refusal,
    Reply,
    Text,
    ToolUse,
    Usage,
)

#: what text is made of: ordinary words, and everything that has broken a parser before
_PIECES: Final = (
    "a",
    "Hello",
    " ",
    "\n",
    "é",
    "日本",
    "🙂",
    '"',
    "\\",
    "{}",
    "\u2028",
    "\r\n",
    "data: [DONE]",
    "\t",
    "<b>",
    "\x85",
    "𝄞",
    "null",
    ": ",
    "\u00a0",
)

text_pieces: Final = st.lists(st.sampled_from(_PIECES), min_size=1, max_size=6).map("".join)
#: text with at least one visible character, since vendors refuse blank text in histories
texts: Final = text_pieces.map(lambda text: text if text.strip() else f"x{text}")
names: Final = st.sampled_from(("get_weather", "f", "search-web", "Tool_9", "a" * 64))

_scalars: Final = st.sampled_from((1, 0, -7, 1.5, True, False, None, "", "Paris", "é日🙂", 'say "hi"\n', 10**12))
_values: Final = st.one_of(
    _scalars, st.lists(_scalars, max_size=2), st.dictionaries(st.sampled_from("kéy"), _scalars, max_size=2)
)
_inputs: Final = st.dictionaries(st.sampled_from(("a", "city", "é", "output", "input")), _values, max_size=3)


_SIGNATURES: Final = ("c2ln", "EqRk+w==")


@lru_cache(maxsize=64)
def _alphabet(pattern: str) -> tuple[str, str, int]:
    """Prefix, letters and number of letters of an id pattern, which is a prefix and one counted class."""
    prefix, _, rest = pattern.partition("[")
    letters, _, count = rest.rpartition("]{")
    members = re.compile(f"[{letters}]")
    return prefix, "".join(c for c in string.printable if members.fullmatch(c)), int(count.rstrip("}"))


def make_id(pattern: str, number: int) -> str:
    """The id with a number: the same number gives the same id."""
    prefix, letters, count = _alphabet(pattern)
    pick = random.Random(number)  # noqa: S311 - nothing secret: ids must be the same in every run
    return prefix + "".join(pick.choices(letters, k=count))


def _tool_uses(shape: Shape) -> st.SearchStrategy[ToolUse]:
    ids = st.integers(0, 10**6).map(lambda number: make_id(shape.tool_id_pattern, number))
    signatures = st.sampled_from((None, *_SIGNATURES)) if shape.signed_calls else st.none()
    return st.builds(ToolUse.of, ids, names, _inputs, signatures)


def _citations(shape: Shape) -> st.SearchStrategy[Citation]:
    locations = st.sampled_from([_LOCATIONS[kind] for kind in shape.citation_locations])
    absent = (None,) if shape.partial_citations else ()
    titles, sources = st.sampled_from(("A title", "é", *absent)), st.sampled_from(("the source", "日本", *absent))
    return st.builds(Citation, titles, sources, locations)


_LOCATIONS: Final[dict[str, dict[str, Any]]] = {
    "documentChar": {"documentChar": {"documentIndex": 0, "start": 3, "end": 17}},
    "documentPage": {"documentPage": {"documentIndex": 0, "start": 1, "end": 2}},
    "documentChunk": {"documentChunk": {"documentIndex": 1, "start": 0, "end": 1}},
    "searchResultLocation": {"searchResultLocation": {"searchResultIndex": 0, "start": 0, "end": 1}},
    "web": {"web": {"url": "https://example.com/a", "domain": "example.com"}},
}


def _text_blocks(shape: Shape, abilities: Capabilities) -> st.SearchStrategy[Text]:
    if not (shape.citations and abilities.citations):
        return st.builds(Text, texts)
    cited = st.lists(_citations(shape), max_size=2).map(tuple)
    return st.one_of(st.builds(Text, texts), st.builds(Text, texts, cited))


def _reasoning(shape: Shape) -> st.SearchStrategy[Reasoning]:
    signatures = {
        True: st.sampled_from(_SIGNATURES),
        False: st.none(),
        None: st.sampled_from((None, "c2ln")),
    }[shape.signed]
    return st.builds(Reasoning, texts, signatures)


def _block_strategies(dialect: Dialect, abilities: Capabilities) -> dict[type[Block], st.SearchStrategy[Any]]:
    shape = dialect.shape
    able = {
        Reasoning: (abilities.reasoning, _reasoning(shape)),
        RedactedReasoning: (abilities.redacted, st.builds(RedactedReasoning, st.binary(min_size=1, max_size=8))),
        Text: (True, _text_blocks(shape, abilities)),
        Refusal: (True, st.builds(Refusal, texts)),
        ToolUse: (abilities.tools, _tool_uses(shape)),
    }
    return {kind: strategy for kind, (can, strategy) in able.items() if can and kind in shape.blocks}


def _distinct(blocks: list[Block]) -> list[Block]:
    """The blocks without calls whose id came before; filtering, Hypothesis would read this source for each draw."""
    calls = {block.id: block for block in reversed(blocks) if isinstance(block, ToolUse)}
    return [block for block in blocks if not isinstance(block, ToolUse) or calls[block.id] is block]


def _blocks(dialect: Dialect, abilities: Capabilities) -> st.SearchStrategy[tuple[Block, ...]]:
    kinds = _block_strategies(dialect, abilities)
    if dialect.shape.order is Order.ANY:
        return st.lists(st.one_of(*kinds.values()), min_size=1, max_size=4).map(_distinct).map(tuple)
    return _grouped(kinds)


def _grouped(kinds: dict[type[Block], st.SearchStrategy[Any]]) -> st.SearchStrategy[tuple[Block, ...]]:
    """Reasoning, text or refusal, and calls, each perhaps absent, but not all."""
    nothing: st.SearchStrategy[list[Block]] = st.builds(list)

    def perhaps(kind: type[Block]) -> st.SearchStrategy[list[Block]]:
        return st.one_of(nothing, kinds[kind].map(lambda block: [block])) if kind in kinds else nothing

    said = st.one_of(kinds[Text].map(lambda block: [block]), perhaps(Refusal))
    calls = st.lists(kinds[ToolUse], max_size=3).map(_distinct) if ToolUse in kinds else nothing
    parts = st.tuples(perhaps(Reasoning), said, calls)
    return parts.map(lambda groups: tuple(block for group in groups for block in group)).filter(bool)


def stop_rows(dialect: Dialect, *, tools: bool) -> tuple[StopRow, ...]:
    """The common stop rows by which a reply with or without calls can end."""
    rows = (row for row in dialect.stops if row.common and row.with_tools in (None, tools))
    return tuple(row for row in rows if tools or row.means != "tool_use")


def _usage(shape: Shape) -> st.SearchStrategy[Usage | None]:
    counts = st.integers(1, 5000)
    read = st.sampled_from((None, 7, 120)) if shape.cache_read else st.none()
    write = st.sampled_from((None, 11)) if shape.cache_write else st.none()
    return st.builds(_make_usage, st.just(shape), counts, counts, read, write)


def _make_usage(shape: Shape, count_in: int, count_out: int, read: int | None, write: int | None) -> Usage:
    cached = (read or 0) + (write or 0)
    whole_in = count_in + cached if shape.input_includes_cache else count_in
    total = whole_in + count_out + (0 if shape.input_includes_cache else cached) if shape.total else None
    return Usage(whole_in, count_out, total, read, write)


def replies(dialect: Dialect, abilities: Capabilities) -> st.SearchStrategy[Reply]:
    """Whole replies inside the dialect's shape and the adapter's capabilities."""
    latency = st.integers(1, 900) if dialect.shape.latency else st.none()
    parts = st.tuples(_blocks(dialect, abilities), st.integers(0, 99), _usage(dialect.shape), latency)
    return parts.map(lambda drawn: _end(dialect, *drawn))


def _end(dialect: Dialect, blocks: tuple[Block, ...], pick: int, usage: Usage | None, latency: int | None) -> Reply:
    tools = any(isinstance(block, ToolUse) for block in blocks)
    rows = stop_rows(dialect, tools=tools)
    if any(isinstance(block, Refusal) for block in blocks):
        rows = tuple(row for row in rows if row.means in ("end_turn", "tool_use")) or rows
    return ended(dialect, blocks, rows[pick % len(rows)], usage, latency)


def ended(
    dialect: Dialect, blocks: tuple[Block, ...], row: StopRow, usage: Usage | None, latency: int | None = None
) -> Reply:
    """A reply that ends by a row of the stop table."""
    tools = any(isinstance(block, ToolUse) for block in blocks)
    same = (other for other in dialect.stops if other.means == row.means and other.with_tools in (None, tools))
    return Reply(blocks, row.means, None if row is next(same) else row.wire, usage, latency)


#: numbers of styles and cuts; see :mod:`harness.scenarios.styles`
tellings: Final = st.integers(0, 2**20)
