"""Real errors of both services, as google.rpc.Status in JSON.

In a stream that has begun, the same object comes as an event, or as bare JSON lines (the ``error`` axis). One text
stands for two quotas: only the details tell a minute's, which is over soon, from a day's.
"""

import json
from typing import Any, Final

from harness.dialects.base import ErrorClass, Headers, VendorError

_HEADERS: Final[Headers] = (("content-type", "application/json; charset=UTF-8"),)
_RPC: Final = "type.googleapis.com/google.rpc."


def _error(
    name: str,
    means: ErrorClass,
    code: int,
    status: str,
    message: str,
    evidence: str,
    details: list[dict[str, Any]] | None = None,
    *,
    in_stream: bool = False,
) -> VendorError:
    told: dict[str, Any] = {"code": code, "message": message, "status": status}
    if details is not None:
        told["details"] = details
    body = json.dumps({"error": told}, indent=2).encode()
    return VendorError(name, means, code, body, evidence, _HEADERS, body if in_stream else None)


def _quota(metric: str, quota: str, value: str) -> dict[str, Any]:
    violation = {
        "quotaMetric": f"generativelanguage.googleapis.com/{metric}",
        "quotaId": quota,
        "quotaDimensions": {"model": "gemini-2.5-flash", "location": "global"},
        "quotaValue": value,
    }
    return {"@type": f"{_RPC}QuotaFailure", "violations": [violation]}


_RETRY: Final = {"@type": f"{_RPC}RetryInfo", "retryDelay": "48s"}
_QUOTA: Final = (
    "You exceeded your current quota, please check your plan and billing details. For more information on this error, "
    "head to the rate-limit docs."
)
_BAD_KEY: Final = "API key not valid. Please pass a valid API key."
_DETAILS_OF_KEY: Final[list[dict[str, Any]]] = [
    {
        "@type": f"{_RPC}ErrorInfo",
        "reason": "API_KEY_INVALID",
        "domain": "googleapis.com",
        "metadata": {"service": "generativelanguage.googleapis.com"},
    },
    {"@type": f"{_RPC}LocalizedMessage", "locale": "en-US", "message": _BAD_KEY},
]
_NOT_FOUND: Final = (
    "models/gemini-does-not-exist is not found for API version v1beta, or is not supported for generateContent. Call "
    "ListModels to see the list of available models and their supported methods."
)
_MINUTE: Final = (
    "gemini/crmne+ruby_llm__chat_real_error_scenarios_gemini_gemini-2_5-flash_"
    "handles_context_length_exceeded_errors.yml"
)

ERRORS: Final[tuple[VendorError, ...]] = (
    _error(
        "quota_of_a_minute",
        ErrorClass.THROTTLE,
        429,
        "RESOURCE_EXHAUSTED",
        _QUOTA,
        f"{_MINUTE}; error_responses e112: the details name a minute and when to retry",
        [
            _quota(
                "generate_content_paid_tier_input_token_count",
                "GenerateContentPaidTierInputTokensPerModelPerMinute",
                "1000000",
            ),
            _RETRY,
        ],
        in_stream=True,
    ),
    _error(
        "quota_of_a_day",
        ErrorClass.OTHER,
        429,
        "RESOURCE_EXHAUSTED",
        _QUOTA,
        "error_responses e112; ailoy#431: a day's quota comes without RetryInfo, and waiting does not help",
        [_quota("generate_content_free_tier_requests", "GenerateRequestsPerDayPerProjectPerModel-FreeTier", "250")],
    ),
    _error(
        "resource_exhausted",
        ErrorClass.THROTTLE,
        429,
        "RESOURCE_EXHAUSTED",
        "Resource exhausted. Please try again later. Please refer to the error-code-429 page for more details.",
        "error_responses e114; "
        "gemini/crewAIInc+crewAI__TestAgentMultimodalGemini.test_video_file_gemini-gemini-2.0-flash.yaml",
        in_stream=True,
    ),
    _error(
        "out_of_capacity",
        ErrorClass.THROTTLE,
        429,
        "RESOURCE_EXHAUSTED",
        "Unable to submit request because the service is temporarily out of capacity.",
        "error_responses e115",
    ),
    _error(
        "overloaded",
        ErrorClass.THROTTLE,
        503,
        "UNAVAILABLE",
        "The model is overloaded. Please try again later.",
        "Gemini API errors page: 503 UNAVAILABLE; OmniRoute#4177 in a stream",
        in_stream=True,
    ),
    _error(
        "input_too_long",
        ErrorClass.OVERFLOW,
        400,
        "INVALID_ARGUMENT",
        "The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).",
        "error_responses e105; vertex-gemini/crmne+ruby_llm__chat_real_error_scenarios_vertexai_gemini-2_5-flash"
        "_handles_context_length_exceeded_errors.yml",
        in_stream=True,
    ),
    _error(
        "input_too_long_without_numbers",
        ErrorClass.OVERFLOW,
        400,
        "INVALID_ARGUMENT",
        "The input token count exceeds the maximum number of tokens allowed 1048576.",
        "litellm#18282: with and without the number",
    ),
    _error(
        "tools_unsupported",
        ErrorClass.TOOLS_UNSUPPORTED,
        400,
        "INVALID_ARGUMENT",
        "Function calling is not enabled for models/gemma-3-27b-it",
        "error_responses e118",
    ),
    _error(
        "stop_unsupported",
        ErrorClass.OTHER,
        400,
        "INVALID_ARGUMENT",
        "Unable to submit request because the model does not support the stopSequences parameter. Remove it and try "
        "again.",
        "helm#2709",
    ),
    _error(
        "bad_key",
        ErrorClass.OTHER,
        400,
        "INVALID_ARGUMENT",
        _BAD_KEY,
        "error_responses e122; gemini/crmne+ruby_llm__chat_error_handling_with_gemini_gemini-2_5-flash"
        "_raises_appropriate_auth_error.yml",
        _DETAILS_OF_KEY,
    ),
    _error(
        "unauthenticated",
        ErrorClass.OTHER,
        401,
        "UNAUTHENTICATED",
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid "
        "authentication credential.",
        "Google API errors: 401 UNAUTHENTICATED",
    ),
    _error(
        "permission_denied",
        ErrorClass.OTHER,
        403,
        "PERMISSION_DENIED",
        "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other "
        "form of API consumer identity to call this API.",
        "Gemini API errors page: 403 PERMISSION_DENIED",
    ),
    _error(
        "not_found",
        ErrorClass.OTHER,
        404,
        "NOT_FOUND",
        _NOT_FOUND,
        "gemini/social-growth-studio+req_llm__google_gemini_1_5_flash_8b_usage.json",
    ),
    _error(
        "invalid_turns",
        ErrorClass.OTHER,
        400,
        "INVALID_ARGUMENT",
        "Please ensure that function response turn comes immediately after a function call turn.",
        "error_responses e121",
    ),
    _error(
        "invalid_role",
        ErrorClass.OTHER,
        400,
        "INVALID_ARGUMENT",
        "Please use a valid role: user, model.",
        "vertex-gemini/open-telemetry+opentelemetry-python-contrib__test_generate_content_invalid_role.yaml",
        [],
    ),
    _error(
        "location",
        ErrorClass.OTHER,
        400,
        "FAILED_PRECONDITION",
        "User location is not supported for the API use.",
        "Gemini API errors page: 400 FAILED_PRECONDITION; error_responses e125",
    ),
    _error(
        "internal",
        ErrorClass.OTHER,
        500,
        "INTERNAL",
        "An internal error has occurred. Please retry or report in the troubleshooting guide.",
        "Gemini API errors page: 500 INTERNAL; error_responses e110",
        in_stream=True,
    ),
    _error(
        "deadline",
        ErrorClass.OTHER,
        504,
        "DEADLINE_EXCEEDED",
        "The service is unable to finish processing within the deadline.",
        "error_responses e111",
        in_stream=True,
    ),
)
