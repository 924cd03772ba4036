"""Content blocks into content parts."""

import base64
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from harness.contract.config import UnsupportedContentWarning

Part = dict[str, Any]

_DOCUMENT_TYPES: Final[Mapping[str, str]] = {
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


def left_out(what: str) -> list[Part]:
    """No part, and a warning that says so."""
    warnings.warn(f"{what} cannot be sent by Chat Completions and is left out", UnsupportedContentWarning, stacklevel=2)
    return []


def text_parts(text: str) -> list[Part]:
    """A text part; none for blank text."""
    return [{"type": "text", "text": text}] if text.strip() else []


def cited_parts(block: Mapping[str, Any]) -> list[Part]:
    """The text of cited content, which the protocol takes without its sources."""
    return [part for item in block.get("content") or () for part in text_parts(item.get("text") or "")]


def image_parts(image: Mapping[str, Any]) -> list[Part]:
    """An image as a data URL."""
    url = _data_url(f"image/{image.get('format', 'png')}", image)
    return (
        [{"type": "image_url", "image_url": {"url": url}}] if url else left_out("an image that is not given as bytes")
    )


def document_parts(document: Mapping[str, Any]) -> list[Part]:
    """A document as a file, after the words that go with it."""
    kind = document.get("format", "txt")
    url = _data_url(_DOCUMENT_TYPES.get(kind, "application/octet-stream"), document)
    if url is None:
        return left_out("a document that is not given as bytes")
    file = {"filename": f"{document.get('name') or 'document'}.{kind}", "file_data": url}
    return [*text_parts(document.get("context") or ""), {"type": "file", "file": file}]


def _data_url(media_type: str, media: Mapping[str, Any]) -> str | None:
    data = (media.get("source") or {}).get("bytes")
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}" if data else None


def _nothing(_: Any) -> list[Part]:
    return []


Makers = Mapping[str, Callable[[Any], list[Part]]]

#: parts of assistant turns, by the key of the block; reasoning and calls have their own places in the message
ASSISTANT_PARTS: Final[Makers] = {
    "text": text_parts,
    "citationsContent": cited_parts,
    "guardContent": lambda block: text_parts(block["text"]["text"]),
    "cachePoint": _nothing,  # the services of the family cache by themselves
}

#: parts of user turns; tool results have messages of their own
USER_PARTS: Final[Makers] = {**ASSISTANT_PARTS, "image": image_parts, "document": document_parts}


def parts(blocks: Iterable[Any], makers: Makers) -> list[Part]:
    """The parts of some blocks, in order."""
    return [
        part
        for block in blocks
        for key, value in block.items()
        for part in (makers[key](value) if key in makers else left_out(f"a {key} block"))
    ]


def content_of(content: list[Part]) -> str | list[Part]:
    """Parts as a message's content: one text as a string, which is what every service of the family takes."""
    if len(content) == 1 and content[0]["type"] == "text":
        return str(content[0]["text"])
    return content
