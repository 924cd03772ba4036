"""Real errors of Mistral: ``{"object": "error", …}`` from the service, ``{"detail": …}`` from what stands before it."""

import json
from typing import Any, Final

from harness.dialects.base import ErrorClass, Headers, VendorError

_JSON: Final[Headers] = (("content-type", "application/json"),)

#: What ends a stream that broke off: a chunk whose finish_reason is this word, without any other.
ERROR_FINISH: Final = b"error"


def _body(message: Any, kind: str, code: str | None, status: int) -> Any:
    return {
        "object": "error",
        "message": message,
        "type": kind,
        "param": None,
        "code": code,
        "raw_status_code": status,
    }


def _row(
    name: str,
    error_class: ErrorClass,
    status: int,
    body: Any,
    evidence: str,
    headers: Headers = (),
    *,
    in_stream: bytes | None = None,
) -> VendorError:
    text = json.dumps(body, separators=(",", ":")).encode()
    return VendorError(name, error_class, status, text, evidence, _JSON + headers, in_stream)


_EXTRA: Final = {
    "type": "extra_forbidden",
    "loc": ["body", "max_completion_tokens"],
    "msg": "Extra inputs are not permitted",
    "input": 32000,
}
_TOO_LONG: Final = "Prompt contains {} tokens and 0 draft tokens, too large for model with {} maximum context length"
_ORDER: Final = "Unexpected role 'tool' after role 'user'"
_TOOL_ID: Final = "Tool call id was turn1_0 but must be a-z, A-Z, 0-9, with a length of 9."

ERRORS: Final[tuple[VendorError, ...]] = (
    _row(
        "rate_limit",
        ErrorClass.THROTTLE,
        429,
        _body("Rate limit exceeded", "rate_limited", "1300", 429),
        "e128",
        (("ratelimitbysize-reset", "32"), ("retry-after", "32")),
    ),
    _row("rate_limit_at_gate", ErrorClass.THROTTLE, 429, {"message": "Requests rate limit exceeded"}, "e129"),
    _row(
        "capacity",
        ErrorClass.THROTTLE,
        429,
        _body("Service tier capacity exceeded for this model.", "service_tier_capacity_exceeded", "3505", 429),
        "report: continuedev/continue#6185",
    ),
    _row(
        "prompt_too_long",
        ErrorClass.OVERFLOW,
        400,
        _body(_TOO_LONG.format(159202, 131072), "invalid_request_invalid_args", "3051", 400),
        "litellm#21558",
    ),
    _row(
        "prompt_too_long_without_code",
        ErrorClass.OVERFLOW,
        400,
        _body(_TOO_LONG.format(40046, 32768), "invalid_request_error", None, 400),
        "litellm#21558",
    ),
    _row(
        "invalid_key",
        ErrorClass.OTHER,
        401,
        {"detail": "Invalid API Key"},
        "mistral-chat/crmne+ruby_llm__chat_error_handling_with_mistral_mistral-small-latest_"
        "raises_appropriate_auth_error.yml",
    ),
    _row(
        "unauthorized",
        ErrorClass.OTHER,
        401,
        {"message": "Unauthorized", "request_id": "a1b2c3d4e5f6"},
        "e134",
    ),
    _row(
        "tier_not_allowed",
        ErrorClass.OTHER,
        403,
        _body("This model is not available in your subscription tier", "tier_not_allowed", "1910", 403),
        "doc: Mistral help center, subscription tiers",
    ),
    _row(
        "invalid_model",
        ErrorClass.OTHER,
        400,
        _body("Invalid model: no-such-model", "invalid_model", "1500", 400),
        "doc: Mistral API, models: a name that is not among them",
    ),
    _row(
        "message_order",
        ErrorClass.OTHER,
        400,
        _body(_ORDER, "invalid_request_message_order", "3230", 400),
        "crush#279",
    ),
    _row("tool_id", ErrorClass.OTHER, 400, _body(_TOOL_ID, "invalid_function_call", "3280", 400), "ironclaw#1241"),
    _row(
        "extra_forbidden",
        ErrorClass.OTHER,
        422,
        {"detail": [_EXTRA]},
        "report: Gitlawb/openclaude#739",
    ),
    _row(
        "extra_forbidden_by_service",
        ErrorClass.OTHER,
        422,
        _body({"detail": [_EXTRA]}, "invalid_request_error", None, 422),
        "report: editor-code-assistant/eca#231; the message is an object",
    ),
    _row(
        "temperature",
        ErrorClass.OTHER,
        422,
        {
            "detail": [
                {
                    "type": "less_than_equal",
                    "loc": ["body", "temperature"],
                    "msg": "Input should be less than or equal to 1.5",
                    "input": 2,
                    "ctx": {"le": 1.5},
                }
            ]
        },
        "e133",
    ),
    _row(
        "server_error",
        ErrorClass.OTHER,
        500,
        _body("Internal server error", "internal_server_error", "1000", 500),
        "doc: Mistral API, chat completion: finish_reason error; report: mistralai/client-python#74 in a stream",
        in_stream=ERROR_FINISH,
    ),
)
