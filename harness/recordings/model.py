"""What a recording holds, whatever format it was kept in, and the one error that reading it raises."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """A request as it was sent.

    Attributes:
        method: upper case; None where the format keeps only the response.
        url: None where it was not kept, or kept as a redaction mark.
        headers: (name, value) pairs, names in lower case; redacted ones are left out.
        body: None where the format keeps no request; b"" for a request without a body.

    """

    method: str | None
    url: str | None
    headers: tuple[tuple[str, str], ...]
    body: bytes | None


@dataclass(frozen=True, slots=True)
class RecordedResponse:
    """A response with its transfer and content codings undone.

    Attributes:
        status: 100..599; 200 where the format keeps only the body.
        headers: (name, value) pairs, names in lower case, without content-encoding, content-length and
            transfer-encoding, which no longer describe `body`, and without redacted ones. A content-type that
            was absent or redacted is restored from the body.
        body: the bytes after de-chunking and decompression.
        chunks: the reads it arrived in, joining to `body`; None where the format joined them.
        body_exact: False when the format keeps a re-serialised body (key order, spacing, framing are not the wire's).

    """

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    chunks: tuple[bytes, ...] | None
    body_exact: bool

    def header(self, name: str) -> str | None:
        """The first value of a header, its name in lower case, or None."""
        return next((value for key, value in self.headers if key == name), None)


@dataclass(frozen=True, slots=True)
class RecordedExchange:
    """One request and its response: the `index`-th of the file at `path`, which is in `format`."""

    request: RecordedRequest
    response: RecordedResponse
    index: int
    format: str
    path: str


class RecordingError(ValueError):
    """A file that cannot be read as a recording: what is wrong, where, and what to do about it."""

    def __init__(self, path: str, what: str, remedy: str) -> None:
        super().__init__(f"{path}: {what}; {remedy}")
        self.path = path
        self.what = what
        self.remedy = remedy


class Malformed(Exception):
    """`RecordingError` in the making, raised where the path of the file is not at hand."""

    def __init__(self, what: str, remedy: str = "record the exchange again, or convert it to a vcrpy cassette") -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy
