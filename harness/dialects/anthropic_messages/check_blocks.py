"""What blocks must hold: media of the type they declare, unchanged encrypted data, and few cache markers."""

import binascii
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from harness.dialects.anthropic_messages.check_turns import Conversation, Placed, blocks_of
from harness.dialects.anthropic_messages.requests import cache_points
from harness.dialects.anthropic_messages.rules import Faults, fault
from harness.dialects.base import RequestFaultKind as Kind

Wire = Mapping[str, Any]

# --- media ------------------------------------------------------------------------------------------------------

#: how files of each type begin; ``RIFF....WEBP`` is told by its last four
_SIGNATURES: Final = (
    ("image/png", 0, b"\x89PNG\r\n\x1a\n"),
    ("image/jpeg", 0, b"\xff\xd8\xff"),
    ("image/gif", 0, b"GIF8"),
    ("image/webp", 8, b"WEBP"),
    ("application/pdf", 0, b"%PDF-"),
)


def _with_results(talk: Conversation) -> Iterator[Placed]:
    """The blocks of all messages, then those inside tool results."""
    yield from talk.blocks
    for _, inner in talk.inner:
        yield from inner


def _media(talk: Conversation) -> Faults:
    for path, block in _with_results(talk):
        source = block.get("source")
        if isinstance(source, dict) and source["type"] == "base64":
            yield from _base64(source, f"{path}.source")


def _base64(source: Wire, path: str) -> Faults:
    try:
        data = b64decode(source["data"], validate=True)
    except (binascii.Error, ValueError):
        yield fault(Kind.MEDIA, f"{path}.data", f"{source['data']:.40}", "source.base64: invalid base64 data")
        return
    declared = source["media_type"]
    known = (kind for kind, at, mark in _SIGNATURES if data.startswith(mark, at))
    if (found := next(known, declared)) != declared:
        words = f"The image was specified using the {declared} media type, but appears to be {found}"
        yield fault(Kind.MEDIA, f"{path}.media_type", f"{declared} around {found}", words)


def _error_results(talk: Conversation) -> Faults:
    words = "all content must be type `text` if `is_error` is true"
    for result, blocks in talk.inner:
        for path, block in blocks if result.get("is_error") else ():
            if block["type"] != "text":
                yield fault(Kind.MEDIA, path, f"a {block['type']} block in an error's result", words)


# --- reasoning --------------------------------------------------------------------------------------------------


def _redacted(talk: Conversation) -> Faults:
    for path, block in talk.of_type("redacted_thinking"):
        try:
            b64decode(block["data"], validate=True)
        except (binascii.Error, ValueError):
            words = "Invalid `data` in `redacted_thinking` block"
            yield fault(Kind.REASONING, f"{path}.data", f"{block['data']:.40}", words)


# --- cache markers ----------------------------------------------------------------------------------------------

_MOST_MARKERS: Final = 4


def _markers(talk: Conversation) -> Faults:
    points = list(cache_points(talk.body))
    if len(points) > _MOST_MARKERS:
        words = f"A maximum of {_MOST_MARKERS} blocks with cache_control may be provided. Found {len(points)}."
        yield fault(Kind.CACHE, points[_MOST_MARKERS], f"{len(points)} markers", words)


def _marker_order(talk: Conversation) -> Faults:
    short = False
    for path, marker in _marked(talk):
        if marker.get("ttl") == "1h" and short:
            words = "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block"
            yield fault(Kind.CACHE, path, "1h after 5m", words)
        short = short or marker.get("ttl") != "1h"


def _marked(talk: Conversation) -> Iterator[Placed]:
    """Markers in the service's order: tools, system, messages."""
    holders = [
        *blocks_of(talk.body.get("tools") or [], "tools"),
        *blocks_of(talk.body.get("system") or [], "system"),
        *_with_results(talk),
    ]
    yield from (
        (f"{path}.cache_control", block["cache_control"]) for path, block in holders if block.get("cache_control")
    )


BLOCK_RULES: Final[tuple[Callable[[Conversation], Faults], ...]] = (
    _media,
    _error_results,
    _redacted,
    _markers,
    _marker_order,
)
