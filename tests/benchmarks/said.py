"""What the plain calls ask, and how they read replies that an SDK leaves as bytes."""

import json
from collections.abc import Iterable
from typing import Final

PROMPT: Final = "Hello"
TOOL: Final = "get_weather"
ABOUT: Final = "Tell the weather in a city."
SCHEMA: Final = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}

_DATA: Final = b"data:"


def read_lines(chunks: Iterable[bytes]) -> None:
    """Parse the data of server-sent events, which no caller can do without where the SDK does not."""
    rest = b""
    for chunk in chunks:
        rest = read_ended(rest + chunk)


def read_ended(text: bytes) -> bytes:
    """Parse the lines of which the end has come; what is left is the beginning of the next."""
    if b"\n" not in text:
        return text
    *lines, rest = text.split(b"\n")
    for line in lines:
        if line.startswith(_DATA) and b"[DONE]" not in line:
            json.loads(line[len(_DATA) :])
    return rest
