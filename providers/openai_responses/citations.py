"""Annotations of a text into citations."""

from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from harness.contract.events import CitationDelta, DeltaBody


def citation(annotation: Any) -> DeltaBody | None:
    """The citation; None for annotations that name no source."""
    kind = annotation.get("type") if isinstance(annotation, Mapping) else None
    make = _KINDS.get(kind or "")
    return {"citation": make(annotation)} if make else None


def _page(annotation: Mapping[str, Any]) -> CitationDelta:
    url = str(annotation.get("url") or "")
    return {"location": {"web": {"url": url, "domain": _domain(url)}}, **_title(annotation.get("title"))}


def _domain(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:  # a bracket that is no IPv6 address
        return ""


def _file(annotation: Mapping[str, Any]) -> CitationDelta:
    """A file has a name, and a place in the reply; the place in the file is not told."""
    return _title(annotation.get("filename"))


def _title(title: Any) -> CitationDelta:
    return {"title": title} if isinstance(title, str) and title else {}


_KINDS: Final[Mapping[str, Callable[[Mapping[str, Any]], CitationDelta]]] = {
    "url_citation": _page,
    "file_citation": _file,
    "container_file_citation": _file,
}
