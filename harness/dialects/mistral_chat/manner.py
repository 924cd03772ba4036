"""A style made ready for use: its options, and the parts of a chunk that are the same in every reply."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from harness.dialects.mistral_chat.styles import Choices, resolve
from harness.wire.sse import Newline, SseEvent, encode_comment, encode_sse

ID: Final = "378d4d9fd4914db088d7c448257ed0d2"
CREATED: Final = 1784567096
MODEL: Final = "conformance-model"

Json = dict[str, Any]
Dumps = Callable[[Any], str]

_DUMPS: Final[Mapping[str, Dumps]] = {
    "raw": json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode,
    "ascii": json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode,
}
_NEWLINES: Final[Mapping[str, Newline]] = {"lf": "\n", "crlf": "\r\n"}
_FUTURE: Final = {"x_future": {"kind": "unheard_of", "values": [1, None, "…"]}}


@dataclass(frozen=True, slots=True)
class Vendor:
    """Fields that Mistral adds now and then, by the object that they stand in."""

    top: Json
    delta: Json
    usage: Json


_VENDORS: Final[Mapping[str, Vendor]] = {
    "none": Vendor({}, {}, {}),
    "service_tier": Vendor({}, {}, {"service_tier": "standard"}),
    "unheard_of": Vendor(_FUTURE, _FUTURE, _FUTURE),
}


@dataclass(frozen=True, slots=True)
class Manner:
    """How one style says things.

    ``head`` opens a chunk, up to its delta; ``choice`` are fields of a choice and ``top`` of a chunk, each with its
    leading comma; ``before`` and ``after`` frame a chunk.
    """

    options: Mapping[str, str]
    dumps: Dumps
    vendor: Vendor
    head: str
    choice: str
    top: str
    before: bytes
    after: bytes
    comment: bytes

    def framed(self, text: str) -> bytes:
        """One event of a stream."""
        return self.before + text.encode() + self.after


@lru_cache(maxsize=4096)
def manner(chosen: Choices) -> Manner:
    """The manner of a style. Raises ValueError when it names what Mistral does not have."""
    options = resolve(chosen)
    dumps, vendor, newline = _DUMPS[options["escapes"]], _VENDORS[options["vendor"]], _NEWLINES[options["newline"]]
    opening = dumps({"id": ID, "object": "chat.completion.chunk", "created": CREATED, "model": MODEL})
    before, _, after = encode_sse(SseEvent("{}"), newline=newline).partition(b"{}")
    return Manner(
        options=options,
        dumps=dumps,
        vendor=vendor,
        head=opening[:-1] + ',"choices":[{"index":0,"delta":',
        choice=',"logprobs":null' if options["logprobs"] == "null" else "",
        top=f",{dumps(vendor.top)[1:-1]}" if vendor.top else "",
        before=before,
        after=after,
        comment=encode_comment("keep-alive", newline),
    )
