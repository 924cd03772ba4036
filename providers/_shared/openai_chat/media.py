"""Content blocks into content parts."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from providers._shared.content import cited_text, converted, guarded_text, is_blank, warn_left_out
from providers._shared.media import base64_text, bytes_of, document_type, image_type

Part = dict[str, Any]


def text_parts(text: str) -> list[Part]:
    """A text part; none for blank text."""
    return [] if is_blank(text) else [{"type": "text", "text": text}]


def image_parts(image: Mapping[str, Any]) -> list[Part]:
    """An image as a data URL."""
    data = bytes_of(image)
    if data is None:
        warn_left_out("an image that is not given as bytes")
        return []
    return [{"type": "image_url", "image_url": {"url": _data_url(image_type(image, data), data)}}]


def document_parts(document: Mapping[str, Any]) -> list[Part]:
    """A document as a file, after the words that go with it."""
    data = bytes_of(document)
    if data is None:
        warn_left_out("a document that is not given as bytes")
        return []
    name = f"{document.get('name') or 'document'}.{document.get('format', 'txt')}"
    file = {"filename": name, "file_data": _data_url(document_type(document), data)}
    return [*text_parts(document.get("context") or ""), {"type": "file", "file": file}]


def _data_url(media_type: str, data: bytes) -> str:
    return f"data:{media_type};base64,{base64_text(data)}"


def _nothing(_: Any) -> list[Part]:
    return []


Makers = Mapping[str, Callable[[Any], list[Part]]]

#: parts of assistant turns, by the key of the block; reasoning and calls have their own places in the message
ASSISTANT_PARTS: Final[Makers] = {
    "text": text_parts,
    "citationsContent": lambda block: text_parts(cited_text(block)),
    "guardContent": lambda block: text_parts(guarded_text(block)),
    "cachePoint": _nothing,  # the services of the family cache by themselves
}

#: parts of user turns; tool results have messages of their own
USER_PARTS: Final[Makers] = {**ASSISTANT_PARTS, "image": image_parts, "document": document_parts}
#: the same for services that take images and no files
IMAGES_ONLY: Final[Makers] = {key: maker for key, maker in USER_PARTS.items() if key != "document"}


def parts(blocks: Iterable[Any], makers: Makers) -> list[Part]:
    """The parts of some blocks, in order."""
    return [part for block in blocks for part in converted(makers, block) or ()]


def content_of(content: list[Part]) -> str | list[Part]:
    """Parts as a message's content: one text as a string, which is what every service of the family takes."""
    if len(content) == 1 and content[0]["type"] == "text":
        return str(content[0]["text"])
    return content
