"""Replies and styles for the tests: drawn ones, and a few that hold every kind of block."""

from base64 import b64encode
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from harness.dialects.base import Axis, Style
from harness.dialects.gemini_generate import DIALECT, REST_DIALECT
from harness.dialects.reply import Block, Reasoning, Reply, Text, ToolUse, Usage, json_text

IDS = ("dv8szvqe", "j80tal12", "wxvlv0tv", "75p2opbh")
USAGE = Usage(120, 35, 155, 64)
ARGUMENTS = {"city": "Zürich", "days": [1, 2.5, None, True], "it's": {"deep": ["a", "é\n", ""]}, "a.b": "c"}


def call(number: int, value: dict[str, Any], signature: str | None = None, name: str = "get_weather") -> ToolUse:
    return ToolUse(IDS[number], name, json_text(value), signature)


PLAIN = Reply((Text('Grüße, 世界! \u2028 "x" \\ 🙂'),), "end_turn", None, USAGE)
CALLS = Reply(
    (Text("Let me look."), call(0, ARGUMENTS, "c2ln"), call(1, {}), call(2, {"city": "Bern"})), "tool_use", None, USAGE
)
THOUGHT = Reply(
    (
        Reasoning("First… then…", "c2ln"),
        Reasoning("And so."),
        Text("So."),
        Reasoning("Hm."),
        *CALLS.tools,
        Text("Wait."),
    ),
    "tool_use",
    None,
    USAGE,
)
CUT = Reply((Reasoning("I was thinking"),), "max_tokens", None, USAGE)
FILTERED = Reply((), "content_filtered", None, USAGE)
SAMPLES = (PLAIN, CALLS, THOUGHT, CUT, FILTERED, Reply((Text("x"),)), Reply((), "max_tokens"))

words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
names = st.from_regex(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,12}", fullmatch=True)
signatures = st.none() | st.binary(min_size=1, max_size=9).map(lambda data: b64encode(data).decode())
scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
values: st.SearchStrategy[Any] = st.recursive(
    scalars | words, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3), max_leaves=6
)
arguments = st.one_of(st.just(""), st.just("{ }"), st.dictionaries(words, values, max_size=3).map(json_text))


@st.composite
def usages(draw: st.DrawFn) -> Usage | None:
    read, fresh, output = (draw(st.integers(0, 10_000)) for _ in range(3))
    return draw(
        st.sampled_from(
            [
                None,
                Usage(0, 0),
                Usage(fresh, output),
                Usage(fresh, 0, fresh),
                Usage(fresh + read, output, None, read),
                Usage(fresh, output, fresh + output + 7, 0),
            ]
        )
    )


@st.composite
def replies(draw: st.DrawFn) -> Reply:
    """Replies inside the shape, with every stop value, also the rare ones."""
    thoughts = st.builds(Reasoning, words, signatures)
    calls = st.builds(ToolUse, st.just("unset"), names, arguments, signatures)
    drawn: list[Block] = draw(st.lists(st.one_of(thoughts, st.builds(Text, words), calls), max_size=4))
    blocks = [
        ToolUse(IDS[place], block.name, block.arguments, block.signature) if isinstance(block, ToolUse) else block
        for place, block in enumerate(drawn)
    ]
    with_tools = any(isinstance(block, ToolUse) for block in blocks)
    row = draw(st.sampled_from([row for row in DIALECT.stops if row.with_tools in (None, with_tools)]))
    return Reply(tuple(blocks), row.means, row.wire, draw(usages()))


@st.composite
def styles(draw: st.DrawFn, axes: tuple[Axis, ...] = REST_DIALECT.axes) -> Style:
    """Any option of any axes."""
    chosen = draw(st.lists(st.sampled_from(axes), unique_by=lambda axis: axis.name, max_size=len(axes)))
    return {axis.name: draw(st.sampled_from(axis.names)) for axis in chosen}


def single_styles(axes: tuple[Axis, ...] = DIALECT.axes) -> Iterator[dict[str, str]]:
    """The usual style, and every other option alone."""
    yield {}
    for axis in axes:
        for name in axis.names[1:]:
            yield {axis.name: name}
