"""A style made ready for use: its options, and the parts of an object that are the same in every reply."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from harness.dialects.base import Headers
from harness.dialects.ollama_chat.styles import Choices, resolve

MODEL: Final = "conformance-model"

Json = dict[str, Any]
Dumps = Callable[[Any], str]

_RAW: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_GO_ESCAPED: Final = re.compile("[<>&\u2028\u2029]")

_DUMPS: Final[Mapping[str, Dumps]] = {
    # All of these stand only inside strings, so they may be replaced in the finished text.
    "go": lambda value: _GO_ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", _RAW(value)),
    "ascii": json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode,
}
_CREATED: Final[Mapping[str, str]] = {
    "utc": "2026-02-10T22:08:26.123456Z",
    "offset": "2026-02-10T15:08:26.123456789-07:00",
    "seconds": "2026-02-10T22:08:26Z",
}
_NEWLINES: Final[Mapping[str, str]] = {"lf": "\n", "crlf": "\r\n"}
_WHOLE_TYPES: Final[Mapping[str, Headers]] = {
    "charset": (("content-type", "application/json; charset=utf-8"),),
    "plain": (("content-type", "application/json"),),
}
_LOGPROBS: Final = [{"token": "a", "logprob": -0.25, "bytes": [97], "top_logprobs": [{"token": "a", "logprob": -0.25}]}]
_VENDOR: Final[Mapping[str, Json]] = {
    "none": {},
    "cloud": {"remote_model": MODEL, "remote_host": "https://ollama.com:443"},
    "logprobs": {"logprobs": _LOGPROBS},
    "unheard_of": {"x_future": {"kind": "unheard_of", "values": [1, None, "…"]}},
}
STREAM_TYPE: Final[Headers] = (("content-type", "application/x-ndjson"),)


@dataclass(frozen=True, slots=True)
class Manner:
    """How one style says things.

    ``head`` opens an object, up to the message's own fields; ``middle`` closes one that is not the last; ``extra`` are
    fields of the vendor's own, with their leading comma.
    """

    options: Mapping[str, str]
    dumps: Dumps
    head: str
    extra: str
    newline: str
    whole_type: Headers

    @property
    def middle(self) -> str:
        """What follows the message in an object that is not the last."""
        return f'}},"done":false{self.extra}}}{self.newline}'


@lru_cache(maxsize=4096)
def manner(chosen: Choices) -> Manner:
    """The manner of a style. Raises ValueError when it names what Ollama does not have."""
    options = resolve(chosen)
    dumps = _DUMPS[options["escapes"]]
    opening = dumps({"model": MODEL, "created_at": _CREATED[options["created_at"]], "message": {"role": "assistant"}})
    vendor = _VENDOR[options["vendor"]]
    return Manner(
        options=options,
        dumps=dumps,
        head=opening.removesuffix("}}") + ",",
        extra=f",{dumps(vendor)[1:-1]}" if vendor else "",
        newline=_NEWLINES[options["newline"]],
        whole_type=_WHOLE_TYPES[options["content_type"]],
    )
