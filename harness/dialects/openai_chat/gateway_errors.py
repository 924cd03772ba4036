"""Real errors of gateways and of servers that speak Chat Completions but tell errors in envelopes of their own."""

import json
from typing import Any, Final

from harness.dialects.base import ErrorClass, Headers, VendorError

_JSON: Final[Headers] = (("content-type", "application/json"),)


def _row(name: str, kind: ErrorClass, status: int, body: Any, evidence: str, *, streams: bool = False) -> VendorError:
    text = json.dumps(body, ensure_ascii=False).encode()
    return VendorError(name, kind, status, text, evidence, _JSON, text if streams else None)


def _litellm(message: str, kind: str | None, code: str) -> Any:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


_LITELLM: Final = (
    _row(
        "litellm_overflow_in_stream",
        ErrorClass.OVERFLOW,
        503,
        _litellm(
            "litellm.ServiceUnavailableError: litellm.MidStreamFallbackError: litellm.APIConnectionError: "
            "APIConnectionError: OpenAIException - Requested token count exceeds the model's maximum context length of "
            "131072 tokens. You requested a total of 136000 tokens: 128000 tokens from the input messages and 8000 "
            "tokens for the completion.",
            None,
            "503",
        ),
        "e235",
        streams=True,
    ),
    _row(
        "litellm_budget",
        ErrorClass.OTHER,
        400,
        _litellm("Budget has been exceeded! Current cost: 76.16, Max budget: 10.0", "budget_exceeded", "400"),
        "e238",
    ),
    _row(
        "litellm_tools_unsupported",
        ErrorClass.TOOLS_UNSUPPORTED,
        400,
        _litellm(
            "litellm.UnsupportedParamsError: ollama does not support parameters: ['tools'], for model=gemma3:1b. To "
            "drop these, set `litellm.drop_params=True`",
            None,
            "400",
        ),
        "e239",
    ),
)

#: error objects without the outer ``error``
_FLAT: Final = (
    _row(
        "vllm_flat",
        ErrorClass.OVERFLOW,
        400,
        {
            "object": "error",
            "message": "This model's maximum context length is 128000 tokens. However, you requested 65535 output "
            "tokens and your prompt contains at least 62466 input tokens, for a total of at least 128001 tokens.",
            "type": "BadRequestError",
            "param": None,
            "code": 400,
        },
        "e155",
    ),
    _row(
        "vllm_tools_forbidden",
        ErrorClass.TOOLS_UNSUPPORTED,
        400,
        {
            "object": "error",
            "message": "[{'type': 'extra_forbidden', 'loc': ('body', 'tools'), 'msg': 'Extra inputs are not "
            "permitted', 'input': [{'type': 'function'}]}]",
            "type": "BadRequestError",
            "param": None,
            "code": 400,
        },
        "e162",
    ),
    _row(
        "cerebras_tokens_of_a_minute",
        ErrorClass.THROTTLE,
        429,
        {
            "message": "Tokens per minute limit exceeded - too many tokens processed.",
            "type": "too_many_tokens_error",
            "param": "quota",
            "code": "token_quota_exceeded",
        },
        "e247",
    ),
    _row(
        "cerebras_context_length",
        ErrorClass.OVERFLOW,
        400,
        {
            "message": "Please reduce the length of the messages or completion. Current length is 9000 while limit is "
            "8192",
            "type": "invalid_request_error",
            "param": "messages",
            "code": "context_length_exceeded",
        },
        "e245",
    ),
    _row(
        "databricks_input_too_long",
        ErrorClass.OVERFLOW,
        400,
        {"error_code": "BAD_REQUEST", "message": "Input is too long for requested model."},
        "e251",
    ),
    _row(
        "cohere_trial_rate",
        ErrorClass.THROTTLE,
        429,
        {"message": "trial token rate limit exceeded, limit is 100000 tokens per minute"},
        "e214",
    ),
    _row(
        "cohere_output_cap",
        ErrorClass.OTHER,
        400,
        {
            "message": "too many tokens: max tokens must be less than or equal to 4096, the maximum output for this "
            "model - received 8192."
        },
        "e213",
    ),
    _row(
        "azure_wrong_key",
        ErrorClass.OTHER,
        401,
        {
            "statusCode": 401,
            "message": "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a "
            "valid key for an active subscription.",
        },
        "e103",
    ),
)

#: the words as the value of ``error``
_WORDS: Final = (
    _row(
        "tgi_input_too_long",
        ErrorClass.OVERFLOW,
        422,
        {
            "error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8192. Given: 6204 `inputs` "
            "tokens and 2047 `max_new_tokens`",
            "error_type": "validation",
        },
        "e174",
    ),
    _row(
        "xai_prompt_length",
        ErrorClass.OVERFLOW,
        400,
        {
            "code": "Client specified an invalid argument",
            "error": "This model's maximum prompt length is 131072 but the request contains 136973 tokens.",
        },
        "e207",
    ),
    _row(
        "xai_argument_unsupported",
        ErrorClass.OTHER,
        400,
        {
            "code": "Client specified an invalid argument",
            "error": "Argument not supported on this model: stop",
        },
        "e210",
    ),
    _row(
        "fireworks_suspended",
        ErrorClass.OTHER,
        412,
        {
            "error": "Account X is suspended, possibly due to reaching the monthly spending limit or failure to pay "
            "past invoices."
        },
        "e200",
    ),
)

GATEWAY_ERRORS: Final[tuple[VendorError, ...]] = (*_LITELLM, *_FLAT, *_WORDS)
