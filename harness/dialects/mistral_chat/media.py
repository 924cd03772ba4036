"""Images and documents: by address, or inside the request as data URLs."""

import re
from typing import Any, Final

from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.mistral_chat.rules import Faults, sense_fault
from harness.dialects.openai_chat.requests import FORMATS, data_url

_ADDRESS: Final = ("http://", "https://")
_IMAGE_FORMATS: Final = frozenset({"png", "jpeg", "webp", "gif"})
_IMAGE_WORDS: Final = (
    "Image should be a valid URL or base64 data URI: PNG, JPEG, WEBP or GIF (Vision: supported formats)"
)
_DOCUMENT_WORDS: Final = "document_url should be a valid URL or base64 data URI (Document QnA)"

#: first bytes by which an image gives its format away
_SIGNATURES: Final[tuple[tuple[re.Pattern[bytes], str], ...]] = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "png"),
    (re.compile(rb"\xff\xd8\xff"), "jpeg"),
    (re.compile(rb"GIF8[79]a"), "gif"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "webp"),
)


def image_faults(url: str, path: str) -> Faults:
    """Faults of an image's address or data."""
    if url.startswith(_ADDRESS):
        return
    found = data_url(url)
    declared = FORMATS.get(found[0]) if found else None
    if found is None or not found[1] or declared not in _IMAGE_FORMATS:
        yield sense_fault(Kind.MEDIA, path, url[:60], _IMAGE_WORDS)
        return
    met = next((name for pattern, name in _SIGNATURES if pattern.match(found[1])), declared)
    if met != declared:
        yield sense_fault(Kind.MEDIA, path, f"declared as {declared}, but its bytes are {met}", _IMAGE_WORDS)


def document_faults(chunk: dict[str, Any], path: str) -> Faults:
    """Faults of a document's address or data."""
    url = chunk["document_url"]
    if not url.startswith(_ADDRESS):
        found = data_url(url)
        if found is None or not found[1]:
            yield sense_fault(Kind.MEDIA, f"{path}.document_url", url[:60], _DOCUMENT_WORDS)
