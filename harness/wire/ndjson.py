"""Newline-delimited JSON (media types application/x-ndjson and application/stream+json): one value a line.

The framing knows lines, not JSON: what stands on a line is for the dialect to read. Lines end in LF or
CRLF, blank lines carry nothing, and the last line may lack its end.
"""

from harness.wire.errors import WireError
from harness.wire.lines import LineBuffer


def encode_line(obj_bytes: bytes) -> bytes:
    """Frame one serialised JSON value.

    Raises `WireError` when it holds a CR or LF: JSON escapes them inside strings, so it was set over several
    lines.
    """
    if b"\n" in obj_bytes or b"\r" in obj_bytes:
        raise WireError(f"an NDJSON value must stand on one line: {obj_bytes[:80]!r}")
    return obj_bytes + b"\n"


class NdjsonDecoder:
    """Reads lines incrementally; `feed` takes chunks cut anywhere."""

    def __init__(self) -> None:
        self._lines = LineBuffer(_split)

    def feed(self, chunk: bytes) -> list[bytes]:
        """Take a chunk; the non-blank lines it completed, without line ends."""
        return _without_blanks(self._lines.feed(chunk))

    def finish(self) -> list[bytes]:
        """End of the body: the last line, if it lacked its end."""
        return _without_blanks([self._lines.finish()])


def _split(chunk: bytes) -> list[bytes]:
    return chunk.split(b"\n")


def _without_blanks(lines: list[bytes]) -> list[bytes]:
    stripped = (line.removesuffix(b"\r") for line in lines)
    return [line for line in stripped if line and not line.isspace()]
