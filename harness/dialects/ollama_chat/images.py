"""Images by their first bytes: ``/api/chat`` takes bare base64 and is told no format."""

import re
from typing import Final

#: formats by the bytes that they begin with
_SIGNATURES: Final[tuple[tuple[re.Pattern[bytes], str], ...]] = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "png"),
    (re.compile(rb"\xff\xd8\xff"), "jpeg"),
    (re.compile(rb"GIF8[79]a"), "gif"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "webp"),
    (re.compile(rb"BM"), "bmp"),
)


def image_format(data: bytes) -> str | None:
    """The format as in the contract; None for bytes of no image."""
    return next((name for pattern, name in _SIGNATURES if pattern.match(data)), None)
