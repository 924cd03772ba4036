"""How one style says things, worked out once a style."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from harness.dialects.base import Headers
from harness.dialects.openai_responses.styles import Choices, resolve
from harness.dialects.openai_responses.vendors import CREATED, VENDORS, Fields, Vendor

RESPONSE_ID = "resp_68c42e022c881948db7ed1cc2529f2e0202c9ad459e0d234"

Dumps = Callable[[Any], str]

_DUMPS: Mapping[str, Dumps] = {
    "raw": json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode,
    "ascii": json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode,
}
_CONTENT_TYPES: Mapping[str, Headers] = {
    "charset": (("content-type", "text/event-stream; charset=utf-8"),),
    "plain": (("content-type", "text/event-stream"),),
}


@dataclass(frozen=True, slots=True)
class Manner:
    """How one style says things.

    ``head`` opens every response object, up to its status; ``begun`` and ``ended`` are its other fixed fields, and
    ``event`` those of an event, with their leading comma.
    """

    options: Mapping[str, str]
    vendor: Vendor
    dumps: Dumps
    headers: Headers
    head: str
    begun: str
    ended: str
    event: str
    #: whether events carry indexes and sequence numbers
    indexed: bool
    numbered: bool

    def response(self, status: str, output: str = "[]", usage: str = ',"usage":null', **fields: Any) -> str:
        """A response object; ``output`` is JSON text, ``usage`` too, with its name and leading comma."""
        rest = self.begun if status in ("in_progress", "queued") else self.ended
        told = {"error": None, "incomplete_details": None, **fields}
        return f'{self.head}"{status}"{added(told, self.dumps)},"output":{output}{rest}{usage}}}'


@lru_cache(maxsize=4096)
def manner(chosen: Choices) -> Manner:
    """The manner of a style. Raises ValueError when it names what the protocol does not have."""
    options = resolve(chosen)
    vendor, dumps = VENDORS[options["vendor"]], _DUMPS[options["escapes"]]
    return Manner(
        options=options,
        vendor=vendor,
        dumps=dumps,
        headers=_CONTENT_TYPES[options["content_type"]],
        head=dumps({"id": RESPONSE_ID, "object": "response", "created_at": CREATED})[:-1] + ',"status":',
        begun=added({**vendor.top, **vendor.begun}, dumps),
        ended=added({**vendor.top, **vendor.ended}, dumps),
        event=added(vendor.event, dumps),
        indexed=options["indexes"] == "present",
        numbered=options["sequence_number"] == "present",
    )


def added(fields: Fields, dumps: Dumps) -> str:
    """Fields as the text that adds them to an object which already has some."""
    return f",{dumps(fields)[1:-1]}" if fields else ""
