"""What a cassette holds: recorded exchanges of one scenario, as they went over the wire, and where they come from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate
from urllib.parse import urlsplit

from harness.dialects.base import Headers, WireRequest


class CassetteError(ValueError):
    """A cassette that cannot be used: which one, what is wrong, and the remedy."""


class Origin(StrEnum):
    """Who answered."""

    LIVE = "live"  # a real service
    EMULATED = "emulated"  # the harness's own dialect


class End(StrEnum):
    """How a response ended."""

    COMPLETE = "complete"
    #: the connection ended before the body did
    CUT = "cut"
    #: what came was no HTTP, or nothing came any more
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a cassette comes from.

    ``recorded`` is ISO 8601 in UTC, None where it is not known. ``sdk`` maps distributions to their versions,
    ``adapter`` is the version of the package that the adapter came in. ``model`` is what the service was asked for.
    """

    origin: Origin
    provider: str
    scenario: str
    recorded: str | None = None
    model: str | None = None
    adapter: str | None = None
    sdk: Mapping[str, str] = field(default_factory=dict)
    contract: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Interaction:
    """One request and its response.

    ``chunks`` are the pieces in which the body came, ``times`` when each came, in seconds after the request was sent;
    they are empty where that is not known.
    """

    method: str
    uri: str
    request_headers: Headers
    request_body: bytes
    status: int
    headers: Headers
    chunks: tuple[bytes, ...]
    times: tuple[float, ...] = ()
    end: End = End.COMPLETE

    @property
    def body(self) -> bytes:
        """The response's body."""
        return b"".join(self.chunks)

    @property
    def target(self) -> str:
        """Path and query of the request."""
        url = urlsplit(self.uri)
        return f"{url.path or '/'}?{url.query}" if url.query else url.path or "/"

    @property
    def request(self) -> WireRequest:
        """The request, as a server sees it."""
        return WireRequest(self.method, self.target, self.request_headers, self.request_body)

    @property
    def longest_silence(self) -> float:
        """The longest wait between two chunks, in seconds."""
        return max((b - a for a, b in zip(self.times, self.times[1:], strict=False)), default=0.0)


@dataclass(frozen=True, slots=True)
class Cassette:
    """The recorded exchanges of one scenario, in the order in which they were asked for."""

    provenance: Provenance
    interactions: tuple[Interaction, ...]


def split(body: bytes, sizes: Sequence[int]) -> tuple[bytes, ...]:
    """A body in pieces of the given sizes."""
    ends = list(accumulate(sizes))
    return tuple(body[start:end] for start, end in zip([0, *ends], ends, strict=False))
