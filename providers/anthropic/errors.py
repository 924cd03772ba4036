"""What the SDK's errors say, read without importing the SDK or its HTTP library."""

import json
from collections.abc import Mapping
from typing import Any, Final

from harness.contract.errors import ErrorFacts

#: HTTP status that belongs to an error type (https://docs.claude.com/en/api/errors): an error event arrives in a
#: reply with status 200, and means the same
STATUS_OF_TYPE: Final[Mapping[str, int]] = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}

#: base classes of httpx and httpx2 errors, by name since either library may be the SDK's: what they stand for
_TRANSPORT: Final[Mapping[str, str]] = {
    "TimeoutException": "timeout",
    "RequestError": "connection",
    "StreamError": "connection",
}


class VendorError(Exception):
    """An error object that arrived where a reply was due, and for which the SDK raised nothing."""

    def __init__(self, body: Any) -> None:
        super().__init__(_error_of(body).get("message") or f"unreadable error: {body!r}")
        self.body = body


def facts(error: Any) -> ErrorFacts:
    """The facts of an ``APIStatusError`` or a :class:`VendorError`."""
    body = _error_of(getattr(error, "body", None))
    kind = body.get("type")
    status = getattr(error, "status_code", 200)
    return ErrorFacts(
        message=str(body.get("message") or error),
        status=STATUS_OF_TYPE.get(kind or "") if status == 200 else status,
        codes=(kind,) if kind else (),
        headers={name.lower(): value for name, value in _headers(error).items()},
        provider="anthropic",
    )


def transport_failure(error: BaseException) -> str | None:
    """``timeout`` or ``connection`` for an error of the HTTP library; None for any other."""
    names = (base.__name__ for base in type(error).__mro__ if base.__module__.partition(".")[0] in ("httpx", "httpx2"))
    return next((_TRANSPORT[name] for name in names if name in _TRANSPORT), None)


def json_error(text: str) -> VendorError | None:
    """The error object in a body; None when there is none."""
    try:
        body = json.loads(text)
    except ValueError:
        return None
    return VendorError(body) if _error_of(body) else None


def _error_of(body: Any) -> Mapping[str, Any]:
    """The inner object of ``{"type": "error", "error": {"type", "message"}}``."""
    inner = body.get("error") if isinstance(body, Mapping) else None
    return inner if isinstance(inner, Mapping) else {}


def _headers(error: Any) -> Mapping[str, str]:
    headers: Mapping[str, str] = getattr(getattr(error, "response", None), "headers", {})
    return headers
