"""Media: bytes, types, base64."""

import base64
from collections.abc import Mapping
from typing import Any, Final

#: media types of documents, by the contract's format
DOCUMENT_TYPES: Final[Mapping[str, str]] = {
    "pdf": "application/pdf",
    "csv": "text/csv",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "html": "text/html",
    "txt": "text/plain",
    "md": "text/markdown",
}
UNKNOWN_TYPE: Final = "application/octet-stream"

#: how images of each type begin: bytes, and where they stand
_MAGIC: Final[tuple[tuple[str, bytes, int], ...]] = (
    ("image/png", b"\x89PNG", 0),
    ("image/jpeg", b"\xff\xd8\xff", 0),
    ("image/gif", b"GIF8", 0),
    ("image/webp", b"WEBP", 8),
)


def bytes_of(media: Mapping[str, Any]) -> bytes | None:
    """The bytes of an image, document or video; None where they lie elsewhere, or there are none."""
    data: bytes | None = (media.get("source") or {}).get("bytes")
    return data or None


def image_type(image: Mapping[str, Any], data: bytes) -> str:
    """The media type that the bytes show, else the declared one: services refuse a type that the bytes belie."""
    found = (kind for kind, magic, offset in _MAGIC if data.startswith(magic, offset))
    return next(found, f"image/{image.get('format', 'png')}")


def document_type(document: Mapping[str, Any]) -> str:
    """The media type of a document's format."""
    return DOCUMENT_TYPES.get(document.get("format", "txt"), UNKNOWN_TYPE)


def base64_text(data: bytes) -> str:
    """The bytes in base64."""
    return base64.b64encode(data).decode("ascii")
