"""Citations: the contract's tagged locations and the vendor's five kinds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from harness.dialects.reply import Citation


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of location.

    ``keys`` maps the contract's keys to the wire's. ``fixed`` are members that the wire requires and the contract
    does not have.
    """

    tag: str
    type: str
    title: str
    keys: Mapping[str, str]
    fixed: Mapping[str, Any]


def _document(tag: str, kind: str, start: str, end: str) -> Kind:
    keys = {"documentIndex": "document_index", "start": start, "end": end}
    return Kind(tag, kind, "document_title", keys, {})


KINDS: Final[tuple[Kind, ...]] = (
    _document("documentChar", "char_location", "start_char_index", "end_char_index"),
    _document("documentPage", "page_location", "start_page_number", "end_page_number"),
    _document("documentChunk", "content_block_location", "start_block_index", "end_block_index"),
    Kind(
        "searchResultLocation",
        "search_result_location",
        "title",
        {"searchResultIndex": "search_result_index", "start": "start_block_index", "end": "end_block_index"},
        {"source": "https://example.com/handbook"},
    ),
    Kind("web", "web_search_result_location", "title", {"url": "url"}, {"encrypted_index": "RW5jcnlwdGVk"}),
)

_BY_TAG: Final = {kind.tag: kind for kind in KINDS}
_BY_TYPE: Final = {kind.type: kind for kind in KINDS}


def to_wire(citation: Citation) -> dict[str, Any]:
    """The citation object. Raises ValueError for a location that the vendor does not have."""
    kind, place = _located(citation)
    return {
        "type": kind.type,
        "cited_text": citation.source or "",
        kind.title: citation.title,
        **{wire: place[key] for key, wire in kind.keys.items()},
        **kind.fixed,
    }


def from_wire(wire: Mapping[str, Any]) -> Citation:
    """The citation. Raises KeyError for one that is not whole, or of a kind that does not exist."""
    kind = _BY_TYPE[wire["type"]]
    place = {key: wire[name] for key, name in kind.keys.items()}
    return Citation(wire.get(kind.title), wire["cited_text"] or None, {kind.tag: place})


def carried(citation: Citation) -> Citation:
    """What is left of a citation on the wire: its cited text is never null, its location has the vendor's keys only."""
    kind, place = _located(citation)
    return Citation(citation.title, citation.source or None, {kind.tag: {key: place[key] for key in kind.keys}})


def _located(citation: Citation) -> tuple[Kind, Mapping[str, Any]]:
    ((tag, place),) = (citation.location or {"none": {}}).items()
    kind = _BY_TAG.get(tag)
    if kind is None or not place.keys() >= kind.keys.keys():
        raise ValueError(f"this vendor has no citation location {citation.location!r}")
    return kind, place
