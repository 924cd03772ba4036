"""Replies and styles for the tests: drawn ones, and a few that hold every kind of block."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from harness.dialects.base import Axis, Style
from harness.dialects.openai_responses import DIALECT
from harness.dialects.reply import Block, Citation, Reasoning, Refusal, Reply, Text, ToolUse, Usage, json_text

IDS = [f"call_{letter * 24}" for letter in "abcdef"]
USAGE = Usage(120, 35, 155, 64, 3)
WEB = Citation("A title", None, {"web": {"url": "https://example.com/ä"}})
FILE = Citation("ai.pdf", None, None)

PLAIN = Reply((Text('Grüße, 世界! \u2028 "x" \\ 🙂'),), "end_turn", None, USAGE)
CALLS = Reply(
    (
        Text("Let me look."),
        ToolUse.of(IDS[0], "get_weather", {"city": "Zürich", "days": [1, 2.5, None]}),
        ToolUse.of(IDS[1], "now", {}),
        Text("And again."),
        ToolUse.of(IDS[2], "get_weather", {"city": "Bern"}),
    ),
    "tool_use",
    None,
    USAGE,
)
REFUSED = Reply((Refusal("I cannot help with that."),), "content_filtered", "completed", USAGE)
THOUGHT = Reply(
    (Reasoning("First… then…"), Reasoning("Ünd so.", "gAAAAA=="), Text("So."), *CALLS.tools), "tool_use", None, USAGE
)
SEALED = Reply((Reasoning("", "gAAAAA=="), Text("So.")), "end_turn", None, USAGE)
CITED = Reply((Text("One. "), Text("Two.", (WEB, FILE)), Text("Three.", (WEB,))), "end_turn", None, USAGE)
CUT = Reply((Text("I write."), ToolUse(IDS[0], "write", '{"text": "abc')), "max_tokens", None, USAGE)
CUT_TEXT = Reply((Text("Once upon"),), "max_tokens", None, USAGE)
FILTERED = Reply((), "content_filtered", None, USAGE)
SHORT = Reply((Text("x"),), usage=Usage(3, 4))
SAMPLES = (PLAIN, CALLS, REFUSED, THOUGHT, SEALED, CITED, CUT, CUT_TEXT, FILTERED, SHORT)

words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
names = st.from_regex(r"[a-zA-Z0-9_-]{1,12}", fullmatch=True)
scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
values: st.SearchStrategy[Any] = st.recursive(
    scalars | words, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3), max_leaves=6
)
arguments = st.one_of(st.just(""), st.just("{}"), st.dictionaries(words, values, max_size=3).map(json_text))
seals = st.sampled_from([None, "c2ln", "EqRk+/=", "gAAAAA-_=="])


@st.composite
def usages(draw: st.DrawFn) -> Usage | None:
    read, written, fresh, output = (draw(st.integers(0, 10_000)) for _ in range(4))
    return draw(
        st.sampled_from(
            [
                None,
                Usage(fresh, output),
                Usage(fresh, output, fresh + output),
                Usage(fresh + read, output, None, read),
                Usage(fresh + read + written, output, fresh + read + written + output + 7, read, written),
            ]
        )
    )


def blocks_strategy(place: int) -> st.SearchStrategy[Block]:
    """Any block; calls at different places have different ids."""
    cited = st.lists(st.sampled_from([WEB, FILE]), max_size=2).map(tuple)
    return st.one_of(
        st.builds(Text, words, cited),
        st.builds(Refusal, words),
        st.builds(Reasoning, words, seals),
        st.just(Reasoning("", "c2ln")),
        st.builds(ToolUse, st.just(IDS[place]), names, arguments),
    )


@st.composite
def replies(draw: st.DrawFn) -> Reply:
    """Replies inside the shape, with every stop value, also the rare ones."""
    blocks = [draw(blocks_strategy(place)) for place in range(draw(st.integers(0, len(IDS))))]
    called = any(isinstance(block, ToolUse) for block in blocks)
    row = draw(st.sampled_from([row for row in DIALECT.stops if row.with_tools in (None, called)]))
    last = blocks[-1] if blocks else None
    if row.means == "max_tokens" and isinstance(last, ToolUse) and draw(st.booleans()):
        blocks[-1] = ToolUse(last.id, last.name, draw(st.sampled_from(['{"a', '{"é": [1, ', "["])))
    return Reply(tuple(blocks), row.means, row.wire, draw(usages()))


@st.composite
def styles(draw: st.DrawFn, axes: tuple[Axis, ...] = DIALECT.axes) -> Style:
    """Any option of any axes."""
    chosen = draw(st.lists(st.sampled_from(axes), unique_by=lambda axis: axis.name, max_size=len(axes)))
    return {axis.name: draw(st.sampled_from(axis.names)) for axis in chosen}


def single_styles() -> Iterator[dict[str, str]]:
    """The usual style, and every other option alone."""
    yield {}
    for axis in DIALECT.axes:
        for name in axis.names[1:]:
            yield {axis.name: name}


def double_styles() -> Iterator[dict[str, str]]:
    """Every two unusual options of different axes."""
    for first, second in combinations(single_styles(), 2):
        if not first.keys() & second.keys():
            yield first | second
