"""Replies, tools and media that the named scenarios share."""

from dataclasses import replace
from typing import Any, Final

from harness.contract.content import ToolSpec
from harness.contract.events import StopReason
from harness.dialects.base import Dialect
from harness.dialects.reply import Block, Citation, Reasoning, RedactedReasoning, Reply, Text, ToolUse, Usage
from harness.provider import Provider
from harness.scenarios.strategies import make_id

#: an image of one pixel
PNG: Final = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360f8cf500f0003860180c8a3bd3c0000000049454e44ae426082"
)
PDF: Final = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"

WEATHER: Final[ToolSpec] = {
    "name": "get_weather",
    "description": "Tells the weather of a place.",
    "inputSchema": {
        "json": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "The place, e.g. Zürich."},
                "days": {"type": "integer"},
                "title": {"type": "string", "enum": ["Mr", "Ms"]},
            },
            "required": ["city"],
        }
    },
}
CLOCK: Final[ToolSpec] = {
    "name": "clock",
    "description": "Tells the time.",
    "inputSchema": {"json": {"type": "object", "properties": {}}},
}


def usage(dialect: Dialect, count_in: int = 11, count_out: int = 7) -> Usage:
    """Plain usage."""
    return Usage(count_in, count_out, count_in + count_out if dialect.shape.total else None)


def cached_usage(dialect: Dialect) -> Usage:
    """Usage with every counter that the dialect has."""
    shape = dialect.shape
    read = 100 if shape.cache_read else None
    write = 20 if shape.cache_write else None
    cached = (read or 0) + (write or 0)
    whole = 11 + cached if shape.input_includes_cache else 11
    total = whole + 7 + (0 if shape.input_includes_cache else cached)
    return Usage(whole, 7, total if shape.total else None, read, write)


def call(dialect: Dialect, number: int = 1, name: str = "get_weather", **value: Any) -> ToolUse:
    """A tool call with an id of the dialect's pattern."""
    return ToolUse.of(make_id(dialect.shape.tool_id_pattern, number), name, value)


def signed(dialect: Dialect, *calls: ToolUse) -> list[ToolUse]:
    """The calls, of which the first has a signature where the dialect has them: services sign one of several."""
    first = replace(calls[0], signature="c2lnbmVkIGNhbGw=") if dialect.shape.signed_calls else calls[0]
    return [first, *calls[1:]]


def said(dialect: Dialect, text: str = "Hello, wörld 🙂. How are you?") -> Reply:
    """A plain text reply."""
    return Reply((Text(text),), usage=usage(dialect), latency_ms=latency(dialect))


def called(dialect: Dialect, *calls: ToolUse, text: str = "Let me see.") -> Reply:
    """A reply that says something and then calls tools."""
    blocks: tuple[Block, ...] = (Text(text), *calls) if text else calls
    return Reply(blocks, "tool_use", usage=usage(dialect), latency_ms=latency(dialect))


def latency(dialect: Dialect) -> int | None:
    """What the service measured, in milliseconds, where it tells any."""
    return 321 if dialect.shape.latency else None


def rich(provider: Provider, dialect: Dialect) -> Reply:
    """Every kind of block that the adapter declares and the dialect can say."""
    abilities, shape = provider.capabilities, dialect.shape
    signature = "c2lnbmF0dXJl" if shape.signed in (True, None) and abilities.signatures else None
    blocks: list[Block] = []
    if abilities.reasoning and Reasoning in shape.blocks:
        blocks.append(Reasoning("First I think.", signature or ("c2ln" if shape.signed else None)))
    if abilities.redacted and RedactedReasoning in shape.blocks:
        blocks.append(RedactedReasoning(b"\x00\x01hidden\xff"))
    blocks.append(Text("The answer is 42 – 日本."))
    if abilities.tools:
        blocks += signed(dialect, call(dialect, 1, city="Zürich", days=2), call(dialect, 2, name="clock"))
    stop: StopReason = "tool_use" if abilities.tools else "end_turn"
    return Reply(tuple(blocks), stop, usage=cached_usage(dialect), latency_ms=latency(dialect))


def cited(dialect: Dialect) -> Reply:
    """Text with citations of every kind of location that the dialect has, and without what it may leave out."""
    shape = dialect.shape
    places: dict[str, dict[str, Any]] = {
        "documentChar": {"documentIndex": 0, "start": 3, "end": 17},
        "documentPage": {"documentIndex": 0, "start": 1, "end": 2},
        "documentChunk": {"documentIndex": 1, "start": 0, "end": 1},
        "searchResultLocation": {"searchResultIndex": 0, "start": 0, "end": 1},
        "web": {"url": "https://example.com/a", "domain": "example.com"},
    }
    told = [Citation(f"Source of {kind}", "It says so.", {kind: places[kind]}) for kind in shape.citation_locations]
    if shape.partial_citations:
        told += [replace(told[0], **{field: None}) for field in ("title", "source", "location")]
    texts = tuple(Text(f"Claim {number}.", (citation,)) for number, citation in enumerate(told))
    return Reply((Text("As the sources say: "), *texts), usage=usage(dialect), latency_ms=latency(dialect))
