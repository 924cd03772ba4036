"""Lines out of chunks, in time linear in the bytes whatever the chunks are.

A chunk without a line end is set aside, not joined to what came before: a line of n bytes that comes
one byte at a time costs n appends and one join, never n ever longer copies.
"""

from collections.abc import Callable


class LineBuffer:
    """Collects chunks and gives back the lines they complete, without their line ends.

    `split` cuts a chunk at its line ends, as `bytes.split` would: the last part is the line still open.
    """

    def __init__(self, split: Callable[[bytes], list[bytes]]) -> None:
        self._split = split
        self._open: list[bytes] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        """Take a chunk; the lines it completed, oldest first."""
        *lines, rest = self._split(chunk)
        if lines:
            lines[0] = b"".join((*self._open, lines[0]))
            self._open.clear()
        self._open.append(rest)
        return lines

    def finish(self) -> bytes:
        """Give the line still open when the bytes ended; empty when there is none."""
        rest = b"".join(self._open)
        self._open.clear()
        return rest
