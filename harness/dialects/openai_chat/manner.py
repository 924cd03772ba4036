"""A style made ready for use: its options, and the parts of a chunk that are the same in every reply."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from harness.dialects.base import Headers
from harness.dialects.openai_chat.calls import settle
from harness.dialects.openai_chat.styles import Choices, Known, resolve
from harness.dialects.openai_chat.vendors import VENDORS, Fields, Vendor

ID = "chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG"
CREATED = 1770764906
MODEL = "conformance-model"

Json = dict[str, Any]
Dumps = Callable[[Any], str]

_DUMPS: Mapping[str, Dumps] = {
    "raw": json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode,
    "ascii": json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode,
}
_CONTENT_TYPES: Mapping[str, Headers] = {
    "plain": (("content-type", "text/event-stream"),),
    "charset": (("content-type", "text/event-stream; charset=utf-8"),),
}


@dataclass(frozen=True, slots=True)
class Manner:
    """How one style says things.

    ``head`` opens a chunk, up to the value of ``choices``; ``top`` are the vendor's fields that every chunk has.
    ``choice`` are the vendor's fields of a choice, with their leading comma.
    """

    options: Mapping[str, str]
    settled: Mapping[str, str]
    vendor: Vendor
    dumps: Dumps
    head: str
    last_head: str
    top: str
    choice: str
    headers: Headers
    reasoning: Callable[[str], Json]
    content: Callable[[str], Json]


@lru_cache(maxsize=4096)
def manner(usual: Choices, allowed: Known, chosen: Choices) -> Manner:
    """The manner of a style. Raises ValueError when it chooses what is not ``allowed``."""
    options = resolve(usual, allowed, chosen)
    vendor, dumps = VENDORS[options["vendor"]], _DUMPS[options["escapes"]]
    return Manner(
        options=options,
        settled=settle(options),
        vendor=vendor,
        dumps=dumps,
        head=_head("chat.completion.chunk", dumps),
        last_head=_head(vendor.last_object, dumps),
        top=added(vendor.top, dumps),
        choice=added(vendor.choice, dumps),
        headers=_CONTENT_TYPES[options["content_type"]],
        reasoning=_REASONING[options["reasoning_field"]],
        content=_CONTENT[options["content"]],
    )


def added(fields: Fields, dumps: Dumps) -> str:
    """Fields as the text that adds them to an object which already has some."""
    return f",{dumps(fields)[1:-1]}" if fields else ""


def _head(kind: str, dumps: Dumps) -> str:
    return dumps({"id": ID, "object": kind, "created": CREATED, "model": MODEL})[:-1] + ',"choices":'


def _details_too(text: str) -> Json:
    detail = {"type": "reasoning.text", "text": text, "format": "unknown", "index": 0}
    return {"reasoning": text, "reasoning_details": [detail]}


_REASONING: Mapping[str, Callable[[str], Json]] = {
    "reasoning_content": lambda text: {"reasoning_content": text},
    "reasoning": lambda text: {"reasoning": text},
    "both": lambda text: {"reasoning": text, "reasoning_content": text},
    "details_too": _details_too,
}
_CONTENT: Mapping[str, Callable[[str], Json]] = {
    "string": lambda text: {"content": text},
    "parts": lambda text: {"content": [{"type": "text", "text": text}]},
}
