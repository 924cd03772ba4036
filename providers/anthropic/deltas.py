"""From fragments of the SDK's content blocks to deltas of the contract. None where a fragment says nothing."""

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any, Final

from harness.contract.events import CitationDelta, DeltaBody


def text(fragment: Any) -> DeltaBody | None:
    """Text of a ``text`` block or a ``text_delta``."""
    value = getattr(fragment, "text", None)
    return {"text": value} if value else None


def thinking(fragment: Any) -> DeltaBody | None:
    """Text of a ``thinking`` block or a ``thinking_delta``."""
    value = getattr(fragment, "thinking", None)
    return {"reasoningContent": {"text": value}} if value else None


def signature(fragment: Any) -> DeltaBody | None:
    """Signature of a ``thinking`` block or a ``signature_delta``."""
    value = getattr(fragment, "signature", None)
    return {"reasoningContent": {"signature": value}} if value else None


def redacted(block: Any) -> DeltaBody | None:
    """The bytes of a ``redacted_thinking`` block, which travel in base64; what is no base64 is kept as it is."""
    text = getattr(block, "data", None) or ""
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error:
        data = text.encode()
    return {"reasoningContent": {"redactedContent": data}} if data else None


def tool_input(fragment: Any) -> DeltaBody | None:
    """A piece of JSON text of an ``input_json_delta``."""
    value = getattr(fragment, "partial_json", None)
    return {"toolUse": {"input": value}} if value else None


def citation(fragment: Any) -> DeltaBody | None:
    """The citation of a ``citations_delta``."""
    return cite(getattr(fragment, "citation", None))


def cite(vendor: Any) -> DeltaBody | None:
    """A citation; None for kinds of location that are not known."""
    locate = _LOCATIONS.get(getattr(vendor, "type", None))
    if locate is None:
        return None
    cited = getattr(vendor, "cited_text", None)
    delta: CitationDelta = {"location": locate(vendor), "sourceContent": [{"text": cited}] if cited else []}
    title = getattr(vendor, "document_title", None) or getattr(vendor, "title", None)
    if title:
        delta["title"] = title
    return {"citation": delta}


def _range(tag: str, index: str, source: str, start: str, end: str) -> Callable[[Any], dict[str, Any]]:
    return lambda vendor: {
        tag: {
            index: getattr(vendor, source, None),
            "start": getattr(vendor, start, None),
            "end": getattr(vendor, end, None),
        }
    }


def _web(vendor: Any) -> dict[str, Any]:
    return {"web": {"url": getattr(vendor, "url", None)}}


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
