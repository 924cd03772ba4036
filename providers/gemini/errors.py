"""What the SDK's errors say, read without importing the SDK or its HTTP libraries."""

from collections.abc import Mapping
from typing import Any, Final

from harness.contract.errors import ErrorFacts

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


def facts(error: Any) -> ErrorFacts:
    """The facts of an ``APIError``. ``details`` is the whole body, with google.rpc's QuotaFailure and RetryInfo."""
    return ErrorFacts(
        message=str(error.message or error),
        status=error.code if isinstance(error.code, int) else None,
        codes=(str(error.status),) if error.status else (),
        headers={str(name).lower(): str(value) for name, value in _headers(error).items()},
        provider="gemini",
        details=error.details,
    )


def cuts_reply(error: BaseException) -> bool:
    """Whether an error of the HTTP library says that an answer which was under way broke off."""
    bases = (base.__name__ for base in type(error).__mro__ if base.__module__.partition(".")[0] in _LIBRARIES)
    return next((_CUTS[name] for name in bases if name in _CUTS), False)


def _headers(error: Any) -> Mapping[Any, Any]:
    headers = getattr(getattr(error, "response", None), "headers", None)
    return headers if isinstance(headers, Mapping) else {}
