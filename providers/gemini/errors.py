"""What the SDK's errors say, read without importing the SDK."""

from collections.abc import Mapping
from typing import Any

from harness.contract.errors import ErrorFacts


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


def _headers(error: Any) -> Mapping[Any, Any]:
    headers = getattr(getattr(error, "response", None), "headers", None)
    return headers if isinstance(headers, Mapping) else {}
