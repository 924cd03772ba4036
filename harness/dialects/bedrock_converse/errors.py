"""Bedrock's real errors: HTTP answers, and the frames that say the same after HTTP 200."""

from typing import Final

from harness.dialects.base import ErrorClass, VendorError
from harness.dialects.reply import json_text
from harness.wire.eventstream import encode_message, error, exception

#: exceptions of the service model that a stream can end in; the others come as HTTP answers only
_STREAMED: Final = frozenset(
    {
        "InternalServerException",
        "ModelStreamErrorException",
        "ServiceUnavailableException",
        "ThrottlingException",
        "ValidationException",
    }
)

_RUNTIME: Final = "http://internal.amazon.com/coral/com.amazon.bedrock/"
_ACCOUNT: Final = "http://internal.amazon.com/coral/com.amazon.coral.service/"

_THROTTLE, _OVERFLOW, _TOOLS, _OTHER = (
    ErrorClass.THROTTLE,
    ErrorClass.OVERFLOW,
    ErrorClass.TOOLS_UNSUPPORTED,
    ErrorClass.OTHER,
)

_UNEXPECTED = "The system encountered an unexpected error during processing. Try your request again."
_UNABLE = "Bedrock is unable to process your request."
_NOT_READY = "The model is not ready for inference requests."
_MANTLE = (
    "Mantle streaming error for requestId 0c1f: This model's maximum context length is 202752 tokens. However, you "
    "requested 65536 output tokens and your prompt contains at least 137217 input tokens, for a total of at least "
    "202753 tokens. Please reduce the length of the input prompt or the number of requested output tokens. "
    "(parameter=input_tokens, value=137217)"
)
_IN_LIMITS = (
    "The model returned the following errors: input length and `max_tokens` exceed context limit: 142422 + 64000 > "
    "204658, decrease input length or `max_tokens` and try again"
)
_NOVA_OVERFLOW = (
    "The model returned the following errors: Input Tokens Exceeded: Number of input tokens exceeds maximum length. "
    "Please update the input to try again."
)
_NOT_PNG = (
    "The model returned the following errors: The detected file MIME type text/plain does not match the expected type "
    "image/png. Reformat your input and try again."
)
_ON_DEMAND = (
    "Invocation of model ID example.model-v1:0 with on-demand throughput isn’t supported. Retry your request with the "
    "ID or ARN of an inference profile that contains this model."
)
_CAP = (
    "The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is "
    "lower than 4096."
)
_MAX_LENGTH = (
    "Malformed input request: expected maxLength: 50000, actual: 52611, please reformat your input and try again."
)
_TOO_LONG = "The model returned the following errors: prompt is too long: 203470 tokens > 200000 maximum"
_TOOL_CHOICE = (
    "This model doesn't support the toolConfig.toolChoice.any field. Remove toolConfig.toolChoice.any and try again."
)
_CORPUS = "bedrock-converse/crmne+ruby_llm__chat"

#: id, class, HTTP status, exception, message, evidence
_ROWS: Final[tuple[tuple[str, ErrorClass, int, str, str, str], ...]] = (
    ("rate_limit", _THROTTLE, 429, "ThrottlingException", "Rate exceeded", "e015"),
    (
        "rate_limit_requests",
        _THROTTLE,
        429,
        "ThrottlingException",
        "Too many requests, please wait before trying again.",
        "litellm#1790; e014",
    ),
    ("overloaded", _THROTTLE, 503, "ServiceUnavailableException", _UNABLE, "e018; in-stream: e019"),
    ("model_not_ready", _THROTTLE, 429, "ModelNotReadyException", _NOT_READY, "e021; strands-1.62:bedrock-midstream"),
    (
        "overloaded_connections",
        _THROTTLE,
        503,
        "ServiceUnavailableException",
        "Too many connections, please wait before trying again.",
        "e020",
    ),
    (
        "overflow_input",
        _OVERFLOW,
        400,
        "ValidationException",
        "The model returned the following errors: Input is too long for requested model.",
        "continue#6005; in-stream: bedrock-chat#95",
    ),
    ("overflow_claude", _OVERFLOW, 400, "ValidationException", _TOO_LONG, "e003"),
    ("overflow_with_output", _OVERFLOW, 400, "ValidationException", _IN_LIMITS, "e004"),
    (
        "overflow_nova",
        _OVERFLOW,
        400,
        "ValidationException",
        _NOVA_OVERFLOW,
        f"{_CORPUS}_real_error_scenarios_bedrock_amazon_nova-2-lite-v1_0_handles_context_length_exceeded_errors.yml",
    ),
    ("overflow_mantle", _OVERFLOW, 400, "ValidationException", _MANTLE, "e006"),
    (
        "overflow_text_bytes",
        _OVERFLOW,
        400,
        "ValidationException",
        "too many total text bytes: 9000001 > 9000000",
        "e010",
    ),
    ("overflow_max_length", _OVERFLOW, 400, "ValidationException", _MAX_LENGTH, "e008"),
    (
        "tools_unsupported_streaming",
        _TOOLS,
        400,
        "ValidationException",
        "This model doesn't support tool use in streaming mode.",
        "e026",
    ),
    (
        "tools_unsupported",
        _TOOLS,
        400,
        "ValidationException",
        "This model doesn't support tool use.",
        "langchain-aws#447",
    ),
    (
        "quota_daily_tokens",
        _OTHER,
        429,
        "ThrottlingException",
        "Too many tokens per day, please wait before trying again.",
        "e013",
    ),
    (
        "stop_unsupported",
        _OTHER,
        400,
        "ValidationException",
        "This model doesn't support the stopSequences field. Remove stopSequences and try again.",
        "dify-official-plugins#1767",
    ),
    ("tool_choice_unsupported", _OTHER, 400, "ValidationException", _TOOL_CHOICE, "e027"),
    (
        "streaming_unsupported",
        _OTHER,
        400,
        "ValidationException",
        "The model is unsupported for streaming.",
        "e028",
    ),
    ("output_cap", _OTHER, 400, "ValidationException", _CAP, "e029"),
    ("on_demand_unsupported", _OTHER, 400, "ValidationException", _ON_DEMAND, "e033"),
    (
        "invalid_image",
        _OTHER,
        400,
        "ValidationException",
        _NOT_PNG,
        "bedrock-converse-stream/agentjido+req_llm__amazon_bedrock_converse_stream_validation_exception.json",
    ),
    (
        "invalid_model",
        _OTHER,
        400,
        "ValidationException",
        "The provided model identifier is invalid.",
        "bedrock-converse/Arize-ai+openinference__should-handle-api-error-scenarios.json",
    ),
    (
        "model_not_found",
        _OTHER,
        404,
        "ResourceNotFoundException",
        "Could not resolve the foundation model from the provided model identifier.",
        "e035",
    ),
    (
        "access_denied",
        _OTHER,
        403,
        "AccessDeniedException",
        "You don't have access to the model with the specified model ID.",
        "e036",
    ),
    (
        "invalid_token",
        _OTHER,
        403,
        "UnrecognizedClientException",
        "The security token included in the request is invalid.",
        f"{_CORPUS}_error_handling_with_bedrock_amazon_nova-2-lite-v1_0_raises_appropriate_auth_error.yml",
    ),
    ("server_error", _OTHER, 500, "InternalServerException", _UNEXPECTED, "e024"),
    ("model_stream_error", _OTHER, 424, "ModelStreamErrorException", _UNEXPECTED, "e023"),
    (
        "model_timeout",
        _OTHER,
        408,
        "ModelTimeoutException",
        "Model has timed out in processing the request. Try your request again.",
        "Amazon Bedrock service model, bedrock-runtime: ModelTimeoutException",
    ),
)


#: faults of which the API reference says "Retry your request": Amazon Bedrock, Converse and ConverseStreamOutput
_AGAIN: Final = frozenset({"InternalServerException", "ModelStreamErrorException", "ModelTimeoutException"})


def _error(identifier: str, kind: ErrorClass, status: int, name: str, message: str, evidence: str) -> VendorError:
    body = json_text({"message": message}).encode()
    package = _ACCOUNT if name == "UnrecognizedClientException" else _RUNTIME
    return VendorError(
        identifier,
        kind,
        status,
        body,
        evidence,
        headers=(("content-type", "application/json"), ("x-amzn-errortype", f"{name}:{package}")),
        in_stream=_frame(name, body) if name in _STREAMED else None,
        again=name in _AGAIN,
    )


def _frame(name: str, payload: bytes) -> bytes:
    return encode_message(exception(name[0].lower() + name[1:], payload))


#: an error that no model of the service names comes in the frame's headers alone
_UNMODELLED: Final = VendorError(
    "unmodelled_error_frame",
    ErrorClass.OTHER,
    500,
    json_text({"message": _UNEXPECTED}).encode(),
    "Amazon event stream encoding: a message of the type error has :error-code and :error-message",
    headers=(("content-type", "application/json"), ("x-amzn-errortype", f"InternalFailure:{_ACCOUNT}")),
    in_stream=encode_message(error("InternalFailure", _UNEXPECTED)),
    again=True,
)

ERRORS: Final[tuple[VendorError, ...]] = (*(_error(*row) for row in _ROWS), _UNMODELLED)
