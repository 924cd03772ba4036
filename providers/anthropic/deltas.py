"""From fragments of the service's content blocks to deltas of the contract. None where a fragment says nothing."""

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any, Final

from harness.contract.events import CitationDelta, DeltaBody


def member(value: Any, name: str) -> Any:
    """A member of a JSON object; None where it is null or absent, or the value is no object."""
    return value.get(name) if isinstance(value, dict) else None


def text(fragment: Any) -> DeltaBody | None:
    """Text of a ``text`` block or a ``text_delta``."""
    value = member(fragment, "text")
    return {"text": value} if value else None


def thinking(fragment: Any) -> DeltaBody | None:
    """Text of a ``thinking`` block or a ``thinking_delta``."""
    value = member(fragment, "thinking")
    return {"reasoningContent": {"text": value}} if value else None


def signature(fragment: Any) -> DeltaBody | None:
    """Signature of a ``thinking`` block or a ``signature_delta``."""
    value = member(fragment, "signature")
    return {"reasoningContent": {"signature": value}} if value else None


def redacted(block: Any) -> DeltaBody | None:
    """The bytes of a ``redacted_thinking`` block, which travel in base64; what is no base64 is kept as it is."""
    text = member(block, "data") or ""
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error:
        data = text.encode()
    return {"reasoningContent": {"redactedContent": data}} if data else None


def tool_input(fragment: Any) -> DeltaBody | None:
    """A piece of JSON text of an ``input_json_delta``."""
    value = member(fragment, "partial_json")
    return {"toolUse": {"input": value}} if value else None


def citation(fragment: Any) -> DeltaBody | None:
    """The citation of a ``citations_delta``."""
    return cite(member(fragment, "citation"))


def cite(vendor: Any) -> DeltaBody | None:
    """A citation; None for kinds of location that are not known."""
    locate = _LOCATIONS.get(member(vendor, "type"))
    if locate is None:
        return None
    cited = member(vendor, "cited_text")
    delta: CitationDelta = {"location": locate(vendor), "sourceContent": [{"text": cited}] if cited else []}
    title = member(vendor, "document_title") or member(vendor, "title")
    if title:
        delta["title"] = title
    return {"citation": delta}


def _range(tag: str, index: str, source: str, start: str, end: str) -> Callable[[Any], dict[str, Any]]:
    return lambda vendor: {
        tag: {
            index: member(vendor, source),
            "start": member(vendor, start),
            "end": member(vendor, end),
        }
    }


def _web(vendor: Any) -> dict[str, Any]:
    return {"web": {"url": member(vendor, "url")}}


_LOCATIONS: Final[Mapping[Any, Callable[[Any], dict[str, Any]]]] = {
    "char_location": _range("documentChar", "documentIndex", "document_index", "start_char_index", "end_char_index"),
    "page_location": _range("documentPage", "documentIndex", "document_index", "start_page_number", "end_page_number"),
    "content_block_location": _range(
        "documentChunk", "documentIndex", "document_index", "start_block_index", "end_block_index"
    ),
    "search_result_location": _range(
        "searchResultLocation", "searchResultIndex", "search_result_index", "start_block_index", "end_block_index"
    ),
    "web_search_result_location": _web,
}
