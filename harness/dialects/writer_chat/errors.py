"""Writer's errors: ``tpe`` names the kind, and ``errors`` describe what was wrong. None comes inside a stream."""

import json
from typing import Final

from harness.dialects.base import ErrorClass, Headers, VendorError

_JSON: Final[Headers] = (("content-type", "application/json"),)
_DOC: Final = "doc: Writer API reference, error codes"


def _row(
    name: str, kind: ErrorClass, status: int, tpe: str, description: str, evidence: str, headers: Headers = ()
) -> VendorError:
    body = {"tpe": tpe, "errors": [{"description": description, "key": tpe, "extras": {}}], "extras": {}}
    return VendorError(name, kind, status, json.dumps(body).encode(), evidence, _JSON + headers)


ERRORS: Final[tuple[VendorError, ...]] = (
    _row("rate_limit", ErrorClass.THROTTLE, 429, "rate_limit", "Rate limit exceeded", "e176", (("retry-after", "2"),)),
    _row(
        "service_unavailable",
        ErrorClass.THROTTLE,
        503,
        "service_unavailable",
        "The server is currently unable to handle the request due to a temporary overload",
        _DOC,
    ),
    _row("prompt_too_long", ErrorClass.OVERFLOW, 400, "validation_error", "prompt is too long", "strands#2052-writer"),
    _row("unauthorized", ErrorClass.OTHER, 401, "authentication_error", "Unauthorized", "e178"),
    _row("validation", ErrorClass.OTHER, 400, "validation_error", "messages: must not be empty", _DOC),
    _row("forbidden", ErrorClass.OTHER, 403, "permission_error", "The API key has no access to this resource", _DOC),
    _row("model_not_found", ErrorClass.OTHER, 404, "not_found", "Model not found", _DOC),
    _row("server_error", ErrorClass.OTHER, 500, "internal_error", "An unexpected error occurred", _DOC),
    _row("gateway_timeout", ErrorClass.OTHER, 504, "timeout", "No timely response from an upstream server", _DOC),
)
