"""Real errors of the servers of this family: status, body, headers, and what they mean to a caller."""

import json
from typing import Any

from harness.dialects.base import ErrorClass, Headers, VendorError
from harness.dialects.openai_chat.gateway_errors import GATEWAY_ERRORS

_JSON: Headers = (("content-type", "application/json"),)
_INVALID = "invalid_request_error"


def _openai(message: str, kind: str | None = _INVALID, code: str | None = None, param: str | None = None) -> Any:
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def _openrouter(code: int, message: str, **metadata: Any) -> Any:
    return {"error": {"message": message, "code": code, **({"metadata": metadata} if metadata else {})}}


def _row(
    name: str, kind: ErrorClass, status: int, body: Any, evidence: str, headers: Headers = (), *, streams: bool = True
) -> VendorError:
    text = json.dumps(body, ensure_ascii=False).encode()
    in_stream = text if streams and "error" in body else None
    return VendorError(name, kind, status, text, evidence, _JSON + headers, in_stream)


_THROTTLES = (
    _row(
        "openai_rate_limit_tokens",
        ErrorClass.THROTTLE,
        429,
        _openai(
            "Rate limit reached for gpt-4o in organization org-X on tokens per min (TPM): Limit 30000, Used 14567, "
            "Requested 24754. Please try again in 18.642s.",
            "tokens",
            "rate_limit_exceeded",
        ),
        "e078",
        (("retry-after", "19"), ("retry-after-ms", "18642")),
    ),
    _row(
        "openai_request_over_rate_limit",
        ErrorClass.THROTTLE,
        429,
        _openai(
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
        _openai("The engine is currently overloaded, please try again later", "server_error"),
        "e082",
    ),
    _row("openai_slow_down", ErrorClass.THROTTLE, 503, _openai("Slow Down", "server_error"), "e083"),
    _row(
        "azure_rate_limit",
        ErrorClass.THROTTLE,
        429,
        {"error": {"code": "429", "message": "Rate limit is exceeded. Try again in 2 seconds."}},
        "e099",
        (("retry-after", "2"), ("retry-after-ms", "2000")),
        streams=False,
    ),
    _row(
        "groq_rate_limit_tokens",
        ErrorClass.THROTTLE,
        429,
        _openai(
            "Rate limit reached for model `llama-3.1-8b-instant` in organization `org_X` service tier `on_demand` on "
            "tokens per minute (TPM): Limit 6000, Used 5034, Requested 1443. Please try again in 4.77s.",
            "tokens",
            "rate_limit_exceeded",
        ),
        "e182",
        (("retry-after", "5"),),
    ),
    _row(
        "openrouter_rate_limit",
        ErrorClass.THROTTLE,
        429,
        _openrouter(429, "Rate limit exceeded"),
        "e230",
        (("x-ratelimit-limit", "16"), ("x-ratelimit-remaining", "0")),
    ),
    _row(
        "openrouter_upstream_rate_limit",
        ErrorClass.THROTTLE,
        429,
        _openrouter(
            429,
            "Provider returned error",
            provider_name="Google",
            raw="google/gemini-2.0-flash-exp:free is temporarily rate-limited upstream. Please retry shortly.",
        ),
        "openrouter-chat/pydantic+pydantic-ai__test_openrouter_test_openrouter_errors_raised.yaml",
    ),
    _row(
        "together_overloaded",
        ErrorClass.THROTTLE,
        503,
        _openai("Engine Overloaded", "service_unavailable"),
        "e196",
        streams=False,
    ),
)

_OVERFLOWS = (
    _row(
        "openai_context_length",
        ErrorClass.OVERFLOW,
        400,
        _openai(
            "This model's maximum context length is 128000 tokens. However, your messages resulted in 393828 tokens. "
            "Please reduce the length of the messages.",
            code="context_length_exceeded",
            param="messages",
        ),
        "e059",
    ),
    _row(
        "openai_context_window",
        ErrorClass.OVERFLOW,
        400,
        _openai(
            "Your input exceeds the context window of this model. Please adjust your input and try again.",
            code="context_length_exceeded",
            param="messages",
        ),
        "e091",
    ),
    _row(
        "vllm_context_length",
        ErrorClass.OVERFLOW,
        400,
        {
            "error": {
                "message": "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens "
                "(112946 in the messages, 10000 in the completion). Please reduce the length of the messages or "
                "completion.",
                "type": "BadRequestError",
                "param": None,
                "code": 400,
            }
        },
        "e154",
    ),
    _row(
        "together_context_length",
        ErrorClass.OVERFLOW,
        400,
        _openai("The input (516368 tokens) is longer than the model's context length (262144 tokens)."),
        "e191",
    ),
    _row(
        "openrouter_context_length",
        ErrorClass.OVERFLOW,
        400,
        _openrouter(
            400,
            "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens "
            "(130000 of text input, 10000 in the output). Please reduce the length of either one, or use the "
            '"middle-out" transform to compress your prompt automatically.',
        ),
        "e225",
    ),
    _row(
        "ollama_context_length",
        ErrorClass.OVERFLOW,
        400,
        _openai("prompt too long; exceeded max context length by 100918 tokens"),
        "e137",
    ),
    _row(
        "llama_cpp_context_size",
        ErrorClass.OVERFLOW,
        400,
        {
            "error": {
                "code": 400,
                "message": "the request exceeds the available context size. try increasing the context size or enable "
                "context shift",
                "type": "exceed_context_size_error",
            }
        },
        "e145",
    ),
    _row(
        "perplexity_context_length",
        ErrorClass.OVERFLOW,
        400,
        {
            "error": {
                "message": "The total length of all messages is too long.",
                "type": "too_many_prompt_tokens",
                "code": 400,
            }
        },
        "perplexity-chat/crmne+ruby_llm__chat_real_error_scenarios_perplexity_sonar_handles_context_length_exceeded_errors.yml",
        streams=False,
    ),
)

_TOOLS_UNSUPPORTED = (
    _row(
        "openai_tools_unsupported",
        ErrorClass.TOOLS_UNSUPPORTED,
        404,
        _openai("tools is not supported in this model. For a list of supported models, refer to the documentation."),
        "e072",
        streams=False,
    ),
    _row(
        "groq_tools_unsupported",
        ErrorClass.TOOLS_UNSUPPORTED,
        400,
        _openai("`tool calling` is not supported with this model"),
        "e186",
        streams=False,
    ),
    _row(
        "openrouter_tools_unsupported",
        ErrorClass.TOOLS_UNSUPPORTED,
        404,
        _openrouter(
            404, "No endpoints found that support tool use. To learn more about provider routing, visit the docs"
        ),
        "e222",
        streams=False,
    ),
    _row(
        "vllm_tools_unsupported",
        ErrorClass.TOOLS_UNSUPPORTED,
        400,
        {
            "error": {
                "message": '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
                "type": "BadRequestError",
                "param": None,
                "code": 400,
            }
        },
        "e161",
        streams=False,
    ),
)

_OTHERS = (
    _row(
        "openai_stop_unsupported",
        ErrorClass.OTHER,
        400,
        {
            "error": {
                "message": "Unsupported parameter: 'stop' is not supported with this model.",
                "type": "invalid_request_error",
                "param": "stop",
                "code": "unsupported_parameter",
            }
        },
        "dify#18971",
        streams=False,
    ),
    _row(
        "openai_quota",
        ErrorClass.OTHER,
        429,
        _openai(
            "You exceeded your current quota, please check your plan and billing details.",
            "insufficient_quota",
            "insufficient_quota",
        ),
        "langchainjs#1929",
        streams=False,
    ),
    _row(
        "together_payment",
        ErrorClass.OTHER,
        402,
        _openai("Payment Required", "payment_required"),
        "e195",
        streams=False,
    ),
    _row(
        "openai_invalid_key",
        ErrorClass.OTHER,
        401,
        _openai(
            "Incorrect API key provided: sk-X. You can find your API key at the account page.", code="invalid_api_key"
        ),
        "e085",
        streams=False,
    ),
    _row(
        "openai_model_not_found",
        ErrorClass.OTHER,
        404,
        _openai("The model `gpt-X` does not exist or you do not have access to it.", code="model_not_found"),
        "e087",
        streams=False,
    ),
    _row(
        "openai_string_too_long",
        ErrorClass.OTHER,
        400,
        _openai(
            "Invalid 'user': string too long. Expected a string with maximum length 64, but got a string with length "
            "120 instead.",
            code="string_above_max_length",
            param="user",
        ),
        "e064",
        streams=False,
    ),
    _row(
        "openai_invalid_function_schema",
        ErrorClass.OTHER,
        400,
        _openai(
            "Invalid schema for function 'get_diary': 'date' is not valid",
            code="invalid_function_parameters",
            param="tools[0].function.parameters",
        ),
        "e075",
        streams=False,
    ),
    _row(
        "azure_content_filter",
        ErrorClass.OTHER,
        400,
        _openai(
            "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please "
            "modify your prompt and retry.",
            None,
            "content_filter",
            "prompt",
        ),
        "e101",
        streams=False,
    ),
    _row(
        "groq_output_cap",
        ErrorClass.OTHER,
        400,
        _openai(
            "max_completion_tokens must be less than or equal to 40960, the maximum value for max_completion_tokens is "
            "less than the context_window for this model"
        ),
        "e185",
        streams=False,
    ),
    _row(
        "groq_tool_use_failed",
        ErrorClass.OTHER,
        400,
        {
            "error": {
                "message": "Tool choice is required, but model did not call a tool",
                "type": _INVALID,
                "code": "tool_use_failed",
                "failed_generation": "",
                "status_code": 400,
            }
        },
        "groq-chat/pydantic+pydantic-ai__test_groq_test_tool_use_failed_error_streaming.yaml",
    ),
    _row(
        "openrouter_tool_choice_unsupported",
        ErrorClass.OTHER,
        404,
        _openrouter(404, "No endpoints found that support the provided 'tool_choice' value."),
        "e223",
        streams=False,
    ),
    _row(
        "openrouter_provider_disconnected",
        ErrorClass.OTHER,
        502,
        _openrouter(502, "Provider disconnected mid-stream"),
        "e231",
    ),
    _row(
        "ollama_runner_crashed",
        ErrorClass.OTHER,
        500,
        _openai("model runner crashed unexpectedly", "api_error"),
        "e140",
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

ERRORS: tuple[VendorError, ...] = (
    *_THROTTLES,
    *_OVERFLOWS,
    *_TOOLS_UNSUPPORTED,
    *_OTHERS,
    *GATEWAY_ERRORS,
)
