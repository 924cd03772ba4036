"""Replies and styles for the tests: drawn ones, and a few that hold every kind of block."""

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from harness.dialects.base import Style
from harness.dialects.ollama_chat import DIALECT
from harness.dialects.reply import Block, Reasoning, Reply, Text, ToolUse, Usage, json_text

IDS = ["call_2k7ryu9k", "call_gsiiy8py", "call_00000000", "call_zzzzzzzz"]
USAGE = Usage(120, 35)

PLAIN = Reply((Text('Grüße, <b>世界</b> & \u2028 \x85 "x" \\ 🙂'),), "end_turn", None, USAGE, 321)
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
    321,
)
THOUGHT = Reply((Reasoning("First… then…"), Text("So."), *CALLS.tools), "tool_use", None, USAGE, 1)
CUT = Reply((Text("and so"),), "max_tokens", None, USAGE, 40)
LOADED = Reply((), "end_turn", "load")
SAMPLES = (PLAIN, CALLS, THOUGHT, CUT, LOADED, Reply((Reasoning("x"),)), Reply((Text("x"),)))

words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
names = st.from_regex(r"[a-zA-Z0-9_-]{1,12}", fullmatch=True)
scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
values: st.SearchStrategy[Any] = st.recursive(
    scalars | words, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3), max_leaves=6
)
arguments = st.one_of(st.just(""), st.just("{}"), st.dictionaries(words, values, max_size=3).map(json_text))
usages = st.none() | st.builds(Usage, st.integers(0, 9000), st.integers(0, 9000))


@st.composite
def replies(draw: st.DrawFn) -> Reply:
    """Replies inside the shape, with every stop value, also the rare ones."""
    blocks: list[Block] = [kind(draw(words)) for kind in (Reasoning, Text) if draw(st.booleans())]
    calls = [ToolUse(IDS[at], draw(names), draw(arguments)) for at in range(draw(st.integers(0, 4)))]
    row = draw(st.sampled_from([row for row in DIALECT.stops if row.with_tools in (None, bool(calls))]))
    latency = draw(st.none() | st.integers(0, 90_000))
    return Reply((*blocks, *calls), row.means, row.wire, draw(usages), latency)


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
