"""CONTENT, REASON and CITE: what the model said arrives whole, once, in order."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from harness.checks.findings import Findings, shown
from harness.checks.observation import Observation
from harness.contract.content import ContentBlock
from harness.dialects.reply import Citation, Reasoning, RedactedReasoning, Refusal, Reply, Text, ToolUse


def check_delivered(seen: Observation, findings: Findings) -> None:
    """A legal reply raises nothing; what an adapter may refuse to ask, by another rule, has no reply."""
    refusable = bool(seen.undeclared or seen.exchange.call.samples)
    if seen.expected is not None and not seen.timed_out and (seen.log.exchanges or not refusable):
        findings.expect("CONTENT-DELIVERED", seen.error is None, f"{_told(seen.error)}", "the reply")


def _told(error: BaseException | None) -> str:
    return f"{type(error).__name__}: {error}" if error else "a reply"


def check_content(seen: Observation, findings: Findings) -> None:
    """Text, blocks and refusals of a legal reply."""
    reply = seen.expected
    if reply is None or seen.error is not None:
        return
    _check_text(seen, reply, findings)
    _check_blocks(seen, reply, findings)
    empty = seen.assembled.empty
    findings.expect("CONTENT-EMPTY", not empty, f"{empty} blocks without content", "no such block")


def _check_text(seen: Observation, reply: Reply, findings: Findings) -> None:
    said = "".join(block.text for block in reply.blocks if isinstance(block, Text))
    refused = "".join(block.text for block in reply.blocks if isinstance(block, Refusal))
    heard = "".join(text_of(block) for block in seen.content)
    if refused:
        words = "".join(block.text for block in reply.blocks if isinstance(block, Text | Refusal))
        surfaced = heard == words or (
            heard == said and seen.assembled.stop_reason in ("content_filtered", "guardrail_intervened")
        )
        findings.expect("CONTENT-REFUSAL", surfaced, f"text {shown(heard)}, stop {seen.assembled.stop_reason}", refused)
    elif said or heard:
        findings.expect("CONTENT-TEXT", heard == said, heard, said)


def _check_blocks(seen: Observation, reply: Reply, findings: Findings) -> None:
    # Whether a call that was cut is left out or kept is its own rule's matter, and moves no border of another kind.
    whole = all(call.complete for call in reply.tools)
    wanted = list(_merged(_wanted_kinds(seen, reply, calls=whole)))
    met = list(_merged(_met_kinds(seen, calls=whole)))
    if not any(isinstance(block, Refusal) for block in reply.blocks) and len(wanted) + len(met) > 0:
        findings.expect("CONTENT-BLOCKS", met == wanted, ", ".join(met) or "no block", ", ".join(wanted) or "no block")


def _wanted_kinds(seen: Observation, reply: Reply, *, calls: bool) -> Iterator[str]:
    for block in reply.blocks:
        if isinstance(block, Text):
            yield "text"
        elif isinstance(block, ToolUse) and calls:
            yield "tool"
        elif isinstance(block, Reasoning) and seen.provider.capabilities.reasoning:
            yield "reasoning"
        elif isinstance(block, RedactedReasoning) and seen.provider.capabilities.redacted:
            yield "redacted"


def _met_kinds(seen: Observation, *, calls: bool) -> Iterator[str]:
    abilities = seen.provider.capabilities
    counted = {"text": True, "tool": calls, "reasoning": abilities.reasoning, "redacted": abilities.redacted}
    kinds = map(kind_of_block, _telling(seen))
    return (kind for kind in ("tool" if kind == "cut" else kind for kind in kinds) if counted[kind])


def _merged(kinds: Iterable[str]) -> Iterator[str]:
    """Adjacent texts count as one, since their border means nothing; so do calls, whose number has its own rule."""
    last = None
    for kind in kinds:
        if kind != last or kind not in ("text", "tool"):
            yield kind
        last = kind


def kind_of_block(block: ContentBlock) -> str:
    """The kind of an assembled block: text, tool, reasoning, redacted; tools that were cut count as ``cut``."""
    if "toolUse" in block:
        return "tool" if isinstance(block["toolUse"].get("input"), dict) else "cut"
    if "reasoningContent" in block:
        return "redacted" if "redactedContent" in block["reasoningContent"] else "reasoning"
    return "text"


def _telling(seen: Observation) -> list[ContentBlock]:
    """The blocks without reasoning that only keeps a signature: one of a text has no other place to go back from.

    Where the model itself signed a thought without words, every block counts.
    """
    blocks = () if seen.expected is None else seen.expected.blocks
    wordless = any(isinstance(block, Reasoning) and not block.text for block in blocks)
    return [block for block in seen.content if wordless or not _is_mere_signature(block)]


def _is_mere_signature(block: ContentBlock) -> bool:
    thought = block.get("reasoningContent", {}).get("reasoningText", {})
    return bool(thought.get("signature")) and not thought.get("text")


def text_of(block: ContentBlock) -> str:
    """The words of an assembled block, cited or not."""
    cited = block.get("citationsContent", {}).get("content", ())
    return block.get("text", "") + "".join(part.get("text", "") for part in cited)


def check_incremental(seen: Observation, findings: Findings) -> None:
    """Before the last chunk is sent, content of the earlier ones has been handed on."""
    if not seen.exchange.gated or len(seen.progress) < 2 or seen.error is not None:
        return
    findings.expect(
        "CONTENT-INCREMENTAL",
        seen.progress[-1] > 0,
        f"no content had been handed on when the last of {len(seen.progress)} chunks was sent",
        "a delta as soon as its bytes arrived",
    )


def check_reasoning(seen: Observation, findings: Findings) -> None:
    """Reasoning text, signatures and redacted blocks."""
    reply, abilities = seen.expected, seen.provider.capabilities
    if reply is None or seen.error is not None:
        return
    said = [block for block in reply.blocks if isinstance(block, Reasoning)]
    heard = [
        block["reasoningContent"]["reasoningText"] for block in _telling(seen) if kind_of_block(block) == "reasoning"
    ]
    if said and abilities.reasoning:
        texts = [part.get("text", "") for part in heard]
        findings.expect("REASON-TEXT", texts == [block.text for block in said], texts, [b.text for b in said])
    if said and abilities.signatures:
        signatures = [part.get("signature") for part in heard]
        wanted = [block.signature for block in said]
        findings.expect("REASON-SIGNATURE", signatures == wanted, signatures, wanted)
    hidden = [block.data for block in reply.blocks if isinstance(block, RedactedReasoning)]
    if hidden and abilities.redacted:
        kept = [b["reasoningContent"]["redactedContent"] for b in seen.content if kind_of_block(b) == "redacted"]
        findings.expect("REASON-REDACTED", kept == hidden, kept, hidden)


def check_citations(seen: Observation, findings: Findings) -> None:
    """Every citation is at its text, with its fields."""
    reply = seen.expected
    if reply is None or seen.error is not None or not seen.provider.capabilities.citations:
        return
    wanted = [(block.text, block.citations) for block in reply.blocks if isinstance(block, Text) and block.citations]
    if not wanted:
        return
    met = [
        (text_of(block), block["citationsContent"].get("citations", []))
        for block in seen.content
        if "citationsContent" in block
    ]
    places = [(text, len(citations)) for text, citations in met]
    expected = [(text, len(citations)) for text, citations in wanted]
    findings.expect("CITE-KEPT", places == expected, places, expected)
    if places == expected:
        fields = [_fields(citation) for _, citations in met for citation in citations]
        told = [_told_fields(citation) for _, citations in wanted for citation in citations]
        findings.expect("CITE-FIELDS", _told_alike(fields, told), fields, told)


def _told_alike(met: list[Any], told: list[Any]) -> bool:
    """Whether fields are those that were told, or follow from them as a URL's domain does."""
    wanted = [(*fields[:2], _with_domain(place, fields[2])) for fields, (*_, place) in zip(told, met, strict=True)]
    return met == wanted


def _with_domain(met: Any, told: Any) -> Any:
    web = (told or {}).get("web", {})
    domain = urlsplit(web.get("url", "")).hostname
    derived = {"web": {**web, "domain": domain}}
    return derived if "domain" not in web and met == derived else told


def _fields(citation: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    source = "".join(part.get("text", "") for part in citation.get("sourceContent") or ())
    return citation.get("title"), source or None, citation.get("location")


def _told_fields(citation: Citation) -> tuple[Any, Any, Any]:
    return citation.title, citation.source or None, dict(citation.location) if citation.location else None
