"""Replies and styles for these tests: a rich reply, one style for each option, and hypothesis strategies for both."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from harness.dialects.anthropic_messages import DIALECT
from harness.dialects.reply import Citation, Reasoning, RedactedReasoning, Reply, Text, ToolUse, Usage, json_text

LOCATIONS: Mapping[str, Mapping[str, Any]] = {
    "documentChar": {"documentIndex": 0, "start": 3, "end": 9},
    "documentPage": {"documentIndex": 1, "start": 1, "end": 2},
    "documentChunk": {"documentIndex": 2, "start": 0, "end": 1},
    "searchResultLocation": {"searchResultIndex": 0, "start": 0, "end": 1},
    "web": {"url": "https://example.com/a"},
}

RICH = Reply(
    blocks=(
        Reasoning("Think of é, 😀 and \u2028.", "c2lnbmF0dXJl"),
        RedactedReasoning(b"\x00\xffencrypted"),
        Text('Hello "wörld"\n\\ and \u2029 😀'),
        Text("cited", tuple(Citation("Title", "quoted", {tag: place}) for tag, place in LOCATIONS.items())),
        Reasoning("", "b21pdHRlZA=="),
        ToolUse("toolu_01A", "weather", '{"city":"Zürich","days":[1,2.5,null,true]}'),
        ToolUse("toolu_01B", "now", "{}"),
    ),
    stop="tool_use",
    usage=Usage(21, 9, cache_read=4, cache_write=6),
)

#: every option beside the usual ones, one at a time, and the usual style itself
STYLES: tuple[Mapping[str, str], ...] = (
    {},
    *({axis.name: option} for axis in DIALECT.axes for option in axis.names[1:]),
)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
some_text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
tool_ids = st.from_regex(DIALECT.shape.tool_id_pattern, fullmatch=True)
tool_names = st.from_regex(r"[a-zA-Z0-9_-]{1,20}", fullmatch=True)
locations = st.sampled_from([{tag: place} for tag, place in LOCATIONS.items()])
citations = st.builds(Citation, st.none() | texts, some_text, locations)
counters = st.none() | st.integers(0, 10**6)
usages = st.builds(Usage, st.integers(0, 10**6), st.integers(0, 10**6), st.none(), counters, counters)

tool_uses = st.builds(
    ToolUse, tool_ids, tool_names, st.dictionaries(texts, json_values, max_size=3).map(json_text) | st.just("")
)
blocks = st.one_of(
    st.builds(Text, texts, st.lists(citations, max_size=2).map(tuple)),
    tool_uses,
    st.builds(Reasoning, texts, some_text),
    st.builds(RedactedReasoning, st.binary(max_size=12)),
)


@st.composite
def replies(draw: st.DrawFn) -> Reply:
    """A reply inside the dialect's shape."""
    row = draw(st.sampled_from(DIALECT.stops))
    drawn = draw(st.lists(blocks, max_size=4))
    if row.with_tools is not None:
        drawn = [block for block in drawn if not isinstance(block, ToolUse)]
    if row.with_tools:
        drawn.append(draw(tool_uses))
    return Reply(tuple(drawn), row.means, draw(st.sampled_from([row.wire, _short(row.wire)])), draw(usages))


def _short(wire: str) -> str | None:
    """None for a meaning's usual value, which need not be named."""
    usual = {row.means: row.wire for row in reversed(DIALECT.stops)}
    return None if wire in usual.values() else wire


styles = st.fixed_dictionaries({}, optional={axis.name: st.sampled_from(axis.names) for axis in DIALECT.axes})
