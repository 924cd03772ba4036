"""Sources of a text: annotations on the wire, citations in the contract.

A citation with a web location is a ``url_citation``, one without a location a ``file_citation``: that names a file and
nothing that the contract has a location for.
"""

from collections.abc import Mapping
from typing import Any

from harness.dialects.reply import Citation


def to_wire(citation: Citation, end: int) -> dict[str, Any]:
    """The annotation of a text that is ``end`` characters long. Raises ValueError for a location it has no form for."""
    if citation.location is None:
        return {"type": "file_citation", "file_id": "file-68c42e02", "filename": citation.title, "index": end}
    return {
        "type": "url_citation",
        "end_index": end,
        "start_index": 0,
        "title": citation.title,
        "url": _url(citation.location),
    }


def from_wire(annotation: Mapping[str, Any]) -> Citation | None:
    """The citation of an annotation; None for one of a kind that is not known."""
    kind = annotation.get("type")
    if kind == "url_citation":
        return Citation(annotation.get("title"), None, {"web": {"url": annotation["url"]}})
    return Citation(annotation.get("filename"), None, None) if kind in _FILES else None


def carried(citation: Citation) -> Citation:
    """What is left of a citation on the wire, which does not quote its source."""
    location = None if citation.location is None else {"web": {"url": _url(citation.location)}}
    return Citation(citation.title, None, location)


_FILES = frozenset({"file_citation", "container_file_citation", "file_path"})


def _url(location: Mapping[str, Any]) -> str:
    url = location.get("web", {}).get("url")
    if not isinstance(url, str):
        raise ValueError(f"the Responses API has no citation location {dict(location)!r}")
    return url
