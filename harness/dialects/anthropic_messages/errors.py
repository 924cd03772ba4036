"""Real errors of the vendor, and how they are sent."""

import json
from dataclasses import replace
from typing import Final

from harness.dialects.anthropic_messages.encode import frames
from harness.dialects.anthropic_messages.styles import Choices
from harness.dialects.base import ErrorClass, Headers, VendorError, WireReply

_REQUEST_ID: Final = "req_011CSHoEeqs5C35K2UUqR7Fy"
_JSON: Final[Headers] = (("content-type", "application/json"), ("request-id", _REQUEST_ID))
_STOP_TRYING: Final[Headers] = (*_JSON, ("x-should-retry", "false"))


def _body(kind: str, message: str) -> bytes:
    error = {"type": "error", "error": {"type": kind, "message": message}, "request_id": _REQUEST_ID}
    return json.dumps(error, separators=(",", ":")).encode()


def _error(
    name: str,
    means: ErrorClass,
    status: int,
    kind: str,
    message: str,
    evidence: str,
    headers: Headers = _JSON,
    *,
    in_stream: bool = False,
) -> VendorError:
    told = json.dumps({"type": "error", "error": {"type": kind, "message": message}}, separators=(",", ":")).encode()
    return VendorError(name, means, status, _body(kind, message), evidence, headers, told if in_stream else None)


_RATE: Final = (
    "This request would exceed your organization's rate limit of 30,000 input tokens per minute "
    "(org: 00000000-0000-0000-0000-000000000000, model: claude-sonnet-4-5). For details, refer to the rate limit "
    "documentation. Please reduce the prompt length or the maximum tokens requested, or try again later."
)
_HTML: Final = b"<!DOCTYPE html><html><head><title>520: unknown error</title></head><body>Error 520</body></html>"

ERRORS: Final[tuple[VendorError, ...]] = (
    _error(
        "rate_limit",
        ErrorClass.THROTTLE,
        429,
        "rate_limit_error",
        _RATE,
        "error_responses e045; the words speak of tokens and prompt length, and still mean the rate",
        (*_JSON, ("retry-after", "30"), ("x-should-retry", "true")),
        in_stream=True,
    ),
    _error(
        "rate_limit_plain",
        ErrorClass.THROTTLE,
        429,
        "rate_limit_error",
        "Number of requests has exceeded your per-minute rate limit. Please try again later.",
        "Rate limits: a 429 names the limit; without a retry-after header",
    ),
    _error(
        "overloaded",
        ErrorClass.THROTTLE,
        529,
        "overloaded_error",
        "Overloaded",
        "error_responses e048, e049; Errors: 529 overloaded_error",
        (*_JSON, ("x-should-retry", "true")),
        in_stream=True,
    ),
    _error(
        "prompt_too_long",
        ErrorClass.OVERFLOW,
        400,
        "invalid_request_error",
        "prompt is too long: 205391 tokens > 200000 maximum",
        "anthropic-messages/crmne+ruby_llm__chat_real_error_scenarios_anthropic_claude-haiku-4-5"
        "_handles_context_length_exceeded_errors.yml",
        _STOP_TRYING,
    ),
    _error(
        "prompt_and_max_tokens",
        ErrorClass.OVERFLOW,
        400,
        "invalid_request_error",
        "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or "
        "`max_tokens` and try again",
        "error_responses e041",
        _STOP_TRYING,
    ),
    _error(
        "authentication",
        ErrorClass.OTHER,
        401,
        "authentication_error",
        "invalid x-api-key",
        "anthropic-messages/DataDog+dd-trace-py__contrib_anthropic_anthropic_completion_invalid_api_key.yaml",
        _STOP_TRYING,
    ),
    _error(
        "permission",
        ErrorClass.OTHER,
        403,
        "permission_error",
        "Your API key does not have permission to use the specified resource.",
        "error_responses e052",
        _STOP_TRYING,
    ),
    _error(
        "not_found",
        ErrorClass.OTHER,
        404,
        "not_found_error",
        "model: claude-does-not-exist",
        "anthropic-messages/pydantic+pydantic-ai__test_model_name_suggestions_test_model_name_suggestion_anthropic.yaml",
        _STOP_TRYING,
    ),
    _error(
        "invalid_request",
        ErrorClass.OTHER,
        400,
        "invalid_request_error",
        "messages: text content blocks must be non-empty",
        "error_responses e056",
        _STOP_TRYING,
    ),
    _error(
        "output_cap",
        ErrorClass.OTHER,
        400,
        "invalid_request_error",
        "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4-20250514",
        "error_responses e044; a cap of the output, no overflow of the prompt",
        _STOP_TRYING,
    ),
    _error(
        "credit_balance",
        ErrorClass.OTHER,
        400,
        "invalid_request_error",
        "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or "
        "purchase credits.",
        "error_responses e054; a quota: waiting does not help",
        _STOP_TRYING,
    ),
    _error(
        "content_filter",
        ErrorClass.OTHER,
        400,
        "invalid_request_error",
        "Output blocked by content filtering policy",
        "error_responses e057; vercel-ai#2463 in a stream",
        _STOP_TRYING,
        in_stream=True,
    ),
    _error(
        "server_error",
        ErrorClass.OTHER,
        500,
        "api_error",
        "Internal server error",
        "Errors: 500 api_error; litellm#4562 in a stream",
        (*_JSON, ("x-should-retry", "true")),
        in_stream=True,
    ),
    _error(
        "timeout",
        ErrorClass.OTHER,
        504,
        "timeout_error",
        "Request timed out",
        "Errors: 504 timeout_error",
    ),
    VendorError(
        "edge_html",
        ErrorClass.OTHER,
        520,
        _HTML,
        "earendil-works-pi#9418: the content delivery network's own page",
        (("content-type", "text/html; charset=UTF-8"),),
    ),
)


def stream_error(error: VendorError, whole: WireReply, choices: Choices, keep: int) -> WireReply | None:
    """The first ``keep`` frames of ``whole``, short of its last, then the error event."""
    if error.in_stream is None:
        return None
    plain = replace(choices, ping="none", padding="none", comments="none")
    told = frames([("error", error.in_stream.decode())], plain)
    kept = whole.frames[: min(keep, len(whole.frames) - whole.terminal_frames)]
    return WireReply(whole.status, whole.headers, (*kept, *told))
