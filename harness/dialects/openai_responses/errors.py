"""Real errors of the servers of this protocol: status, body, headers, and what they mean to a caller."""

import json
from typing import Any

from harness.dialects.base import ErrorClass, Headers, VendorError

_JSON: Headers = (("content-type", "application/json"),)
_INVALID = "invalid_request_error"


def _error(message: str, kind: str | None = _INVALID, code: str | None = None, param: str | None = None) -> Any:
    return {"message": message, "type": kind, "param": param, "code": code}


def _row(
    name: str, kind: ErrorClass, status: int, error: Any, evidence: str, headers: Headers = (), *, streams: bool = False
) -> VendorError:
    body = json.dumps({"error": error}, ensure_ascii=False).encode()
    in_stream = json.dumps(error, ensure_ascii=False).encode() if streams else None
    return VendorError(name, kind, status, body, evidence, _JSON + headers, in_stream)


_THROTTLES = (
    _row(
        "openai_rate_limit_tokens",
        ErrorClass.THROTTLE,
        429,
        _error(
            "Rate limit reached for gpt-5 in organization org-X on tokens per min (TPM): Limit 30000, Used 29000, "
            "Requested 4000. Please try again in 6s.",
            "tokens",
            "rate_limit_exceeded",
        ),
        "e093",
        (("retry-after", "6"), ("retry-after-ms", "6000")),
        streams=True,
    ),
    _row(
        "openai_request_over_rate_limit",
        ErrorClass.THROTTLE,
        429,
        _error(
            "Request too large for gpt-4o in organization org-X on tokens per min (TPM): Limit 30000, Requested 61337. "
            "The input or output tokens must be reduced in order to run successfully.",
            "tokens",
            "rate_limit_exceeded",
        ),
        "e077",
    ),
    _row(
        "openai_overloaded",
        ErrorClass.THROTTLE,
        503,
        _error(
            "Our servers are currently overloaded. Please try again later.",
            "service_unavailable_error",
            "server_is_overloaded",
        ),
        "report: XiaomiMiMo/MiMo-Code#2083",
        streams=True,
    ),
    _row("openai_slow_down", ErrorClass.THROTTLE, 503, _error("Slow Down", "server_error"), "e083"),
    _row(
        "azure_rate_limit",
        ErrorClass.THROTTLE,
        429,
        {"code": "429", "message": "Rate limit is exceeded. Try again in 2 seconds."},
        "e099",
        (("retry-after", "2"), ("retry-after-ms", "2000")),
    ),
    _row(
        "azure_token_rate_limit",
        ErrorClass.THROTTLE,
        429,
        _error(
            "Requests to the Responses_Create Operation have exceeded token rate limit of your current pricing tier.",
            "too_many_requests",
            "rate_limit_exceeded",
        ),
        "report: earendil-works/pi#1458",
        streams=True,
    ),
)

_OVERFLOWS = (
    _row(
        "openai_context_window",
        ErrorClass.OVERFLOW,
        400,
        _error(
            "Your input exceeds the context window of this model. Please adjust your input and try again.",
            code="context_length_exceeded",
            param="input",
        ),
        "e092",
        streams=True,
    ),
    _row(
        "openai_configured_limit",
        ErrorClass.OVERFLOW,
        400,
        _error(
            "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens. "
            "Please reduce the length of the messages.",
            code="context_length_exceeded",
            param="messages",
        ),
        "e061",
    ),
    _row(
        "openrouter_context_length",
        ErrorClass.OVERFLOW,
        400,
        {
            "message": "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 "
            "tokens (130000 of text input, 10000 in the output). Please reduce the length of either one, or use the "
            '"middle-out" transform to compress your prompt automatically.',
            "code": 400,
        },
        "e225",
    ),
)

_XAI_OVERFLOW = VendorError(
    "xai_prompt_length",
    ErrorClass.OVERFLOW,
    400,
    b'{"code":"invalid-argument",'
    b'"error":"This model\'s maximum prompt length is 131072 but the request contains 136973 tokens."}',
    "e207",
)

_TOOLS_UNSUPPORTED = (
    _row(
        "openai_tools_unsupported",
        ErrorClass.TOOLS_UNSUPPORTED,
        404,
        _error("tools is not supported in this model. For a list of supported models, refer to the documentation."),
        "e072",
    ),
    _row(
        "openrouter_tools_unsupported",
        ErrorClass.TOOLS_UNSUPPORTED,
        404,
        {
            "message": "No endpoints found that support tool use. To learn more about provider routing, visit the docs",
            "code": 404,
        },
        "e222",
    ),
)

_OTHERS = (
    _row(
        "openai_quota",
        ErrorClass.OTHER,
        429,
        _error(
            "You exceeded your current quota, please check your plan and billing details.",
            "insufficient_quota",
            "insufficient_quota",
        ),
        "openai-responses/vercel+ai__openai_responses_openai-error.1.chunks.txt",
        streams=True,
    ),
    _row(
        "openai_invalid_key",
        ErrorClass.OTHER,
        401,
        _error(
            "Incorrect API key provided: sk-X. You can find your API key at the account page.", code="invalid_api_key"
        ),
        "openai-responses/crmne+ruby_llm__error_handles_invalid_api_keys_gracefully.yml",
    ),
    _row(
        "openai_model_not_found",
        ErrorClass.OTHER,
        400,
        _error("The requested model 'gpt-X' does not exist.", code="model_not_found", param="model"),
        "openai-responses/DataDog+dd-trace-py__contrib_openai_response_create_error.yaml",
    ),
    _row(
        "openai_model_no_access",
        ErrorClass.OTHER,
        404,
        _error("The model `gpt-X` does not exist or you do not have access to it.", code="model_not_found"),
        "e087",
    ),
    _row(
        "openai_decimal_below_minimum",
        ErrorClass.OTHER,
        400,
        _error(
            "Invalid 'temperature': decimal below minimum value. Expected a value >= 0, but got -1 instead.",
            code="decimal_below_min_value",
            param="temperature",
        ),
        "openai-responses/pydantic+pydantic-ai__test_openai_responses_test_openai_responses_model_http_error.yaml",
    ),
    _row(
        "openai_string_too_long",
        ErrorClass.OTHER,
        400,
        _error(
            "Invalid 'user': string too long. Expected a string with maximum length 64, but got a string with length "
            "120 instead.",
            code="string_above_max_length",
            param="user",
        ),
        "e064",
    ),
    _row(
        "openai_unsupported_parameter",
        ErrorClass.OTHER,
        400,
        _error(
            "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
            code="unsupported_parameter",
            param="reasoning.effort",
        ),
        "openai-responses/social-growth-studio+req_llm__openai_gpt_5_chat_latest_reasoning_basic.json",
    ),
    _row(
        "openai_invalid_prompt",
        ErrorClass.OTHER,
        400,
        _error(
            "Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again with "
            "a different prompt.",
            code="invalid_prompt",
        ),
        "e088",
        streams=True,
    ),
    _row(
        "azure_content_filter",
        ErrorClass.OTHER,
        400,
        _error(
            "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please "
            "modify your prompt and retry.",
            None,
            "content_filter",
            "prompt",
        ),
        "e101",
    ),
    VendorError(
        "xai_invalid_key",
        ErrorClass.OTHER,
        400,
        b'{"code":"invalid-argument","error":"Incorrect API key provided. You can obtain an API key at the console."}',
        "xai-responses/crmne+ruby_llm__chat_error_handling_with_xai_grok-4-1-fast-non-reasoning_"
        "raises_appropriate_auth_error.yml",
    ),
    _row(
        "deepseek_no_tool_output",
        ErrorClass.OTHER,
        400,
        _error("No tool output found for tool call call-a.", code=_INVALID),
        "deepseek-responses/pydantic+pydantic-ai__test_deepseek_responses_"
        "test_deepseek_responses_rejects_interleaved_function_calls.yaml",
    ),
    _row(
        "openai_server_error",
        ErrorClass.OTHER,
        500,
        _error(
            "An error occurred while processing your request. You can retry your request, or contact us through our "
            "help center if the error persists.",
            "server_error",
            "server_error",
        ),
        "doc: OpenAI API reference, the response object: error.code",
        streams=True,
    ),
    VendorError(
        "proxy_bad_gateway",
        ErrorClass.OTHER,
        502,
        b"<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>",
        "AutoGPT#944",
        (("content-type", "text/html"),),
    ),
)

ERRORS: tuple[VendorError, ...] = (*_THROTTLES, *_OVERFLOWS, _XAI_OVERFLOW, *_TOOLS_UNSUPPORTED, *_OTHERS)
