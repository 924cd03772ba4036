"""What a dialect makes of requests, each read once: many exchanges send the same one, and dialects are pure."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from harness.dialects.base import Dialect, Headers, RequestFault, RequestView, WireRequest

#: requests that are remembered; those of one property, whose calls are alike, come soon after each other
_REMEMBERED: Final = 64
#: headers that differ from call to call when nothing else does: the time, and a random id
_PASSING: Final = frozenset({"x-amz-date", "amz-sdk-invocation-id"})
_SIGNED: Final = "AWS4-"
_MAY_PASS: Final = _PASSING | {"authorization"}


class Reader:
    """A dialect's reading of requests, without the headers that no two of them share."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self._view = lru_cache(_REMEMBERED)(dialect.read_request)
        self._faults = lru_cache(_REMEMBERED)(dialect.check_request)
        self._is_stream = lru_cache(_REMEMBERED)(dialect.is_stream)

    def view(self, request: WireRequest) -> RequestView:
        """What the request says. Raises DecodeError when it is not one of the protocol."""
        return self._view(lasting(request))

    def faults(self, request: WireRequest) -> Sequence[RequestFault]:
        """Why the real service would refuse it."""
        return self._faults(lasting(request))

    def is_stream(self, request: WireRequest) -> bool:
        """Whether it asks for a streamed reply."""
        return self._is_stream(lasting(request))


_READERS: Final[dict[str, Reader]] = {}


def reader(dialect: Dialect) -> Reader:
    """The reader of a dialect."""
    known = _READERS.get(dialect.name)
    if known is None or known.dialect is not dialect:
        known = _READERS[dialect.name] = Reader(dialect)
    return known


def lasting(request: WireRequest) -> WireRequest:
    """The request without the headers that no two calls share."""
    kept: Headers = tuple([header for header in request.headers if header[0] not in _MAY_PASS or not _passes(*header)])
    if len(kept) == len(request.headers):
        return request
    return WireRequest(request.method, request.path, kept, request.body)


def _passes(name: str, value: str) -> bool:
    """Whether a header says nothing that lasts; a signature covers the time."""
    return name in _PASSING or (name == "authorization" and value.startswith(_SIGNED))
