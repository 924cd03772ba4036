"""Replies to tell, drawn and fixed, and the styles to tell them in."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from harness.dialects.base import Style
from harness.dialects.bedrock_converse import DIALECT
from harness.dialects.reply import (
    Block,
    Citation,
    Guardrail,
    Reasoning,
    RedactedReasoning,
    Reply,
    Text,
    ToolUse,
    Usage,
)

texts = st.text(st.characters(codec="utf-8"), max_size=30)
counts = st.integers(0, 10**6)
maybe_counts = st.none() | counts

locations: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.builds(
        lambda kind, index, start: {kind: {"documentIndex": index, "start": start, "end": start + 5}},
        st.sampled_from(["documentChar", "documentPage", "documentChunk"]),
        st.integers(0, 3),
        st.integers(0, 99),
    ),
    st.just({"web": {"url": "https://example.com/a", "domain": "example.com"}}),
    st.just({"searchResultLocation": {"searchResultIndex": 0, "start": 0, "end": 1}}),
)
citations = st.builds(Citation, st.none() | texts, st.none() | texts, st.none() | locations)
tool_ids = st.from_regex(DIALECT.shape.tool_id_pattern, fullmatch=True)
tool_inputs = st.dictionaries(
    texts, st.none() | st.booleans() | st.integers(-5, 5) | texts | st.lists(texts, max_size=2), max_size=3
)
calls = st.builds(ToolUse.of, tool_ids, st.sampled_from(["f", "get_weather"]), tool_inputs)
blank_calls = st.builds(ToolUse, tool_ids, st.just("f"), st.sampled_from(["", " ", "{}"]))
cut_calls = st.builds(lambda call, at: replace(call, arguments=call.arguments[:at]), calls, st.integers(0, 6))
spoken = st.one_of(
    st.builds(Text, texts),
    st.builds(Text, texts, st.lists(citations, max_size=2).map(tuple)),
    st.builds(Reasoning, texts, st.none() | texts),
    st.builds(RedactedReasoning, st.binary(max_size=20)),
    calls,
    blank_calls,
)
usages = st.builds(Usage, counts, counts, maybe_counts, maybe_counts, maybe_counts)
guardrails = st.builds(Guardrail, st.booleans(), st.booleans())
stops = st.sampled_from([(row.means, row.wire) for row in DIALECT.stops])


def replies(*, stream: bool) -> st.SearchStrategy[Reply]:
    """Replies inside the dialect's shape, those that say nothing included."""
    blocks: st.SearchStrategy[Block] = spoken | cut_calls if stream else spoken
    return st.builds(
        lambda blocks, stop, usage, latency, guardrail: Reply(
            tuple(blocks), stop[0], stop[1], usage, latency, guardrail
        ),
        st.lists(blocks, max_size=4),
        stops,
        st.none() | usages,
        maybe_counts,
        st.none() | guardrails,
    )


styles: st.SearchStrategy[Style] = st.fixed_dictionaries(
    {}, optional={axis.name: st.sampled_from(axis.names) for axis in DIALECT.axes}
)

#: one option away from the usual style, on every axis
NEIGHBOURS: tuple[Style, ...] = ({}, *({axis.name: name} for axis in DIALECT.axes for name in axis.names[1:]))

CITED = tuple(
    Citation("a title", "the source's words", location)
    for location in (
        {"documentChar": {"documentIndex": 0, "start": 0, "end": 5}},
        {"documentChunk": {"documentIndex": 0, "start": 0, "end": 1}},
        {"web": {"url": "https://example.com/a", "domain": "example.com"}},
    )
)

#: replies that between them hold every member that Bedrock is recorded to send
RICH: tuple[Reply, ...] = (
    Reply(
        (
            Reasoning("thinking it over", "c2lnbmF0dXJl"),
            Reasoning("unsigned"),
            RedactedReasoning(b"\x00encrypted"),
            Text("Grüße aus Zürich ☀️, with a longer text"),
            Text("cited words", CITED),
            Text("", CITED[2:]),
            ToolUse.of("tooluse_AAAAAAAAAAAAAAAAAAAAAA", "get_weather", {"city": "Zürich"}),
            ToolUse("tooluse_BBBBBBBBBBBBBBBBBBBBBB", "now", "{}"),
        ),
        "tool_use",
        None,
        Usage(11, 236, None, 5, 1028),
        406,
    ),
    *(
        Reply((Text("Blocked."),), "guardrail_intervened", None, Usage(1, 2), 3, guardrail)
        for guardrail in (Guardrail(True, False), Guardrail(False, True), Guardrail(False, False))
    ),
)
