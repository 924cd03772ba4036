"""Connections: the errors of HTTP libraries, for SDKs that let them out, and the rest of a finished reply."""

import asyncio
from collections.abc import AsyncIterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final

from harness.contract.exceptions import IdleTimeoutError, IncompleteStreamError
from providers._shared.request import Request

#: how long the rest of a finished reply may take, in seconds, before its connection is given up
DRAIN_SECONDS: Final = 0.25

_LIBRARIES: Final = frozenset({"httpx", "httpx2", "aiohttp"})

#: errors of the HTTP libraries, by name since any of them may be the SDK's: whether an answer had begun, so that it was
#: cut. The most specific class decides.
_CUTS: Final[Mapping[str, bool]] = {
    "ConnectError": False,
    "ConnectTimeout": False,
    "PoolTimeout": False,
    "UnsupportedProtocol": False,
    "ProxyError": False,
    "TooManyRedirects": False,
    "ClientConnectorError": False,
    "ConnectionTimeoutError": False,
    "InvalidURL": False,
    "TransportError": True,
    "DecodingError": True,
    "StreamError": True,
    "ClientError": True,
}


def timeout(request: Request) -> dict[str, float]:
    """The setting ``idle_timeout``, where it is set, as httpx and the SDKs over it name it: seconds without a byte."""
    idle = request.config.get("idle_timeout")
    return {} if idle is None else {"timeout": idle}


def cuts_reply(error: BaseException) -> bool:
    """Whether an error of the HTTP library says that an answer which was under way broke off."""
    bases = (base.__name__ for base in type(error).__mro__ if base.__module__.partition(".")[0] in _LIBRARIES)
    return next((_CUTS[name] for name in bases if name in _CUTS), False)


def broken_off(error: BaseException) -> IncompleteStreamError:
    """What such an error is to the contract."""
    kind = IdleTimeoutError if type(error).__name__ == "ReadTimeout" else IncompleteStreamError
    return kind(f"the connection broke: {type(error).__name__}: {error}")


@contextmanager
def connection_errors() -> Iterator[None]:
    """Raise IncompleteStreamError for a reply that breaks off; other errors of the HTTP library leave as they are."""
    try:
        yield
    except Exception as error:
        if not cuts_reply(error):
            raise
        raise broken_off(error) from error


async def drain(rest: AsyncIterable[object]) -> None:
    """Read to the end, so that the connection can serve again. The reply is complete: nothing here can spoil it."""
    with suppress(Exception):
        async with asyncio.timeout(DRAIN_SECONDS):
            async for _ in rest:
                pass
