"""Replies and styles for the tests: drawn ones, and a few that hold every kind of block."""

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from harness.dialects.base import Style
from harness.dialects.mistral_chat import DIALECT
from harness.dialects.reply import Block, Reasoning, Reply, Text, ToolUse, Usage, json_text

IDS = ["EscTeQY62", "aX2gaLIyo", "000000000", "zzzzzzzzz"]
USAGE = Usage(120, 35, 155, 64, None)

PLAIN = Reply((Text('Grüße, 世界! \u2028 \x85 "x" \\ 🙂'),), "end_turn", None, USAGE)
CALLS = Reply(
    (
        Text("Let me look."),
        ToolUse.of(IDS[0], "get_weather", {"city": "Zürich", "days": [1, 2.5, None]}),
        ToolUse.of(IDS[1], "now", {}),
        ToolUse.of(IDS[2], "get_weather", {"city": "Bern"}),
    ),
    "tool_use",
    None,
    USAGE,
)
JUST_CALLS = Reply(CALLS.tools, "tool_use", None, USAGE)
THOUGHT = Reply((Reasoning("First… then…"), Text("So."), *CALLS.tools), "tool_use", None, USAGE)
THOUGHT_ONLY = Reply((Reasoning("Hm."),), "max_tokens", None, Usage(3, 4, 7, 0))
CUT = Reply((ToolUse(IDS[0], "write", '{"text": "abc'),), "max_tokens", None, USAGE)
SAMPLES = (PLAIN, CALLS, JUST_CALLS, THOUGHT, THOUGHT_ONLY, CUT, Reply((Text("x"),)), Reply(()))

words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
names = st.from_regex(r"[a-zA-Z0-9_-]{1,12}", fullmatch=True)
scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
values: st.SearchStrategy[Any] = st.recursive(
    scalars | words, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3), max_leaves=6
)
arguments = st.one_of(st.just(""), st.just("{}"), st.dictionaries(words, values, max_size=3).map(json_text))
usages = st.sampled_from([None, Usage(10, 3), Usage(10, 3, 13), Usage(10, 3, None, 7), Usage(10, 3, 14, 0)])


@st.composite
def replies(draw: st.DrawFn) -> Reply:
    """Replies inside the shape, with every stop value, also the rare ones."""
    blocks: list[Block] = [kind(draw(words)) for kind in (Reasoning, Text) if draw(st.booleans())]
    calls = [ToolUse(IDS[at], draw(names), draw(arguments)) for at in range(draw(st.integers(0, 4)))]
    row = draw(st.sampled_from([row for row in DIALECT.stops if row.with_tools in (None, bool(calls))]))
    if row.means == "max_tokens" and calls and draw(st.booleans()):
        calls[-1] = ToolUse(calls[-1].id, calls[-1].name, draw(st.sampled_from(['{"a', '{"é": [1, ', "["])))
    return Reply((*blocks, *calls), row.means, row.wire, draw(usages))


@st.composite
def styles(draw: st.DrawFn) -> Style:
    """Any option of any axes."""
    chosen = draw(st.lists(st.sampled_from(DIALECT.axes), unique_by=lambda axis: axis.name))
    return {axis.name: draw(st.sampled_from(axis.names)) for axis in chosen}


def single_styles() -> Iterator[dict[str, str]]:
    """The usual style, and every other option alone."""
    yield {}
    for axis in DIALECT.axes:
        for name in axis.names[1:]:
            yield {axis.name: name}
