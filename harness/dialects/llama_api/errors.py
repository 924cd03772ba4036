"""Errors of the Llama API: problem details, at the call and in a stream that has begun."""

import json
from typing import Final

from harness.dialects.base import ErrorClass, Headers, VendorError

_JSON: Final[Headers] = (("content-type", "application/json"),)
_STATUS: Final = "doc: llama-api-client README, handling errors: {}"

_TOKENS: Final = (
    "You have exceeded the maximum number of tokens allowed within a given time frame. Wait a bit and try again."
)
_TOO_LONG: Final = "The input (140000 tokens) is longer than the model's context length (128000 tokens)."


def _row(
    name: str,
    error_class: ErrorClass,
    status: int,
    title: str,
    detail: str,
    evidence: str,
    *,
    streams: bool = False,
) -> VendorError:
    body = json.dumps({"title": title, "detail": detail, "status": status}).encode()
    return VendorError(name, error_class, status, body, evidence, _JSON, body if streams else None)


ERRORS: Final[tuple[VendorError, ...]] = (
    _row(
        "rate_limit_tokens",
        ErrorClass.THROTTLE,
        429,
        "Too Many Requests",
        _TOKENS,
        "report: meta-llama/llama-models#354",
        streams=True,
    ),
    _row("rate_limit", ErrorClass.THROTTLE, 429, "Too Many Requests", "Rate limit exceeded", "e179"),
    _row("context_length", ErrorClass.OVERFLOW, 400, "Bad Request", _TOO_LONG, "e180", streams=True),
    _row("bad_request", ErrorClass.OTHER, 400, "Bad Request", "messages: field required", _STATUS.format("400")),
    _row("invalid_key", ErrorClass.OTHER, 401, "Unauthorized", "Invalid API key", _STATUS.format("401")),
    _row("forbidden", ErrorClass.OTHER, 403, "Forbidden", "No access to this model", _STATUS.format("403")),
    _row("model_not_found", ErrorClass.OTHER, 404, "Not Found", "The model does not exist", _STATUS.format("404")),
    _row("unprocessable", ErrorClass.OTHER, 422, "Unprocessable Entity", "Invalid tools", _STATUS.format("422")),
    _row(
        "server_error",
        ErrorClass.OTHER,
        500,
        "Internal Server Error",
        "An unexpected error occurred",
        _STATUS.format(">=500"),
        streams=True,
    ),
)
