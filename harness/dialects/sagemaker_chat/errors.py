"""Errors of SageMaker's runtime, the model server's own errors in its envelope, and what breaks a stream off."""

import json
from typing import Any, Final

from harness.dialects.base import ErrorClass, Headers, VendorError
from harness.dialects.sagemaker_chat.parts import payload_part
from harness.wire.eventstream import encode_message, exception

_LOG: Final = "arn:aws:logs:us-east-1:123456789012:log-group:/aws/sagemaker/Endpoints/my-endpoint"
_API: Final = "doc: SageMaker Runtime API reference, InvokeEndpoint: errors"
_STREAM_API: Final = "doc: SageMaker Runtime API reference, ResponseStream"
_REQUEST_ID: Final = ("x-amzn-requestid", "eb2619e2-a22c-439b-b935-55f1c15c0ed4")

_TGI_INPUTS: Final = "Input validation error: `inputs` must have less than 1000 tokens. Given: 1413"
_TGI_SUM: Final = (
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 2019 `inputs` tokens and 30 "
    "`max_new_tokens`"
)
_VLLM_LENGTH: Final = (
    "This model's maximum context length is 32768 tokens. However, you requested 40000 tokens (30000 in the messages, "
    "10000 in the completion). Please reduce the length of the messages or completion."
)
_VLLM_TOOLS: Final = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
_TIMED_OUT: Final = "Your invocation timed out while waiting for a response from container primary."
_NOT_READY: Final = (
    "Either a serverless endpoint variant's resources are still being provisioned, or a multi-model endpoint is still "
    "downloading or loading the target model. Wait and try your request again."
)


def _aws(
    name: str,
    error_class: ErrorClass,
    status: int,
    code: str,
    message: str,
    evidence: str,
    *,
    in_stream: bytes | None = None,
    **more: Any,
) -> VendorError:
    headers: Headers = (("content-type", "application/json"), ("x-amzn-errortype", code), _REQUEST_ID)
    body = json.dumps({**more, "Message": message}).encode()
    return VendorError(name, error_class, status, body, evidence, headers, in_stream)


def _model(
    name: str, error_class: ErrorClass, status: int, said: Any, evidence: str, *, streams: bool = False
) -> VendorError:
    """A ModelError: the model server answered with ``status`` and the JSON ``said``, or a text."""
    original = said if isinstance(said, str) else json.dumps(said)
    side = "client" if 400 <= status < 500 else "server"
    return _aws(
        name,
        error_class,
        424,
        "ModelError",
        f'Received {side} error ({status}) from primary with message "{original}". See {_LOG} for more information.',
        evidence,
        in_stream=payload_part(b"data: " + original.encode() + b"\n\n") if streams else None,
        ErrorCode=f"{side.upper()}_ERROR_FROM_MODEL",
        LogStreamArn=_LOG,
        OriginalMessage=original,
        OriginalStatusCode=status,
    )


def _broken(member: str, **fields: str) -> bytes:
    return encode_message(exception(member, json.dumps(fields).encode()))


def _tgi(message: str, kind: str = "validation") -> dict[str, str]:
    return {"error": message, "error_type": kind}


def _vllm(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "BadRequestError", "param": None, "code": 400}}


ERRORS: Final[tuple[VendorError, ...]] = (
    _aws("throttling", ErrorClass.THROTTLE, 400, "ThrottlingException", "Rate exceeded", "e170"),
    _aws(
        "throttling_429",
        ErrorClass.THROTTLE,
        429,
        "ThrottlingException",
        "Rate exceeded",
        "doc: AWS SDKs and tools reference guide, retry behavior: throttling errors",
    ),
    _aws("model_not_ready", ErrorClass.THROTTLE, 429, "ModelNotReadyException", _NOT_READY, "e173"),
    _aws("unavailable", ErrorClass.THROTTLE, 503, "ServiceUnavailable", "Service Unavailable", "e171"),
    _model("overflow_tgi", ErrorClass.OVERFLOW, 422, _tgi(_TGI_INPUTS), "e166", streams=True),
    _model("overflow_tgi_sum", ErrorClass.OVERFLOW, 422, _tgi(_TGI_SUM), "e167"),
    _model("overflow_vllm", ErrorClass.OVERFLOW, 400, _vllm(_VLLM_LENGTH), "e154", streams=True),
    _model("tools_vllm", ErrorClass.TOOLS_UNSUPPORTED, 400, _vllm(_VLLM_TOOLS), "e161"),
    _model(
        "generation_failed",
        ErrorClass.OTHER,
        424,
        _tgi("Request failed during generation: Server error: CUDA error", "generation"),
        "doc: text-generation-inference, error_type generation",
        streams=True,
    ),
    _model("timed_out", ErrorClass.OTHER, 0, _TIMED_OUT, _API),
    _aws("endpoint_not_found", ErrorClass.OTHER, 400, "ValidationError", "Endpoint X of account Y not found.", "e172"),
    _aws(
        "access_denied",
        ErrorClass.OTHER,
        403,
        "AccessDeniedException",
        "User is not authorized to perform: sagemaker:InvokeEndpoint",
        "doc: SageMaker API reference, common errors",
    ),
    _aws(
        "internal_failure",
        ErrorClass.OTHER,
        500,
        "InternalFailure",
        "An internal failure occurred.",
        _API,
        in_stream=_broken("InternalStreamFailure", Message="The stream processing failed."),
    ),
    _aws("dependency", ErrorClass.OTHER, 530, "InternalDependencyException", "A dependency failed.", _API),
    _aws(
        "stream_broken",
        ErrorClass.OTHER,
        424,
        "ModelError",
        "The connection to the model was closed.",
        _STREAM_API,
        in_stream=_broken(
            "ModelStreamError", Message="The connection to the model was closed.", ErrorCode="StreamBroken"
        ),
    ),
    _aws(
        "stream_timed_out",
        ErrorClass.OTHER,
        424,
        "ModelError",
        "The model did not finish in time.",
        _STREAM_API,
        in_stream=_broken(
            "ModelStreamError", Message="The model did not finish in time.", ErrorCode="ModelInvocationTimeExceeded"
        ),
    ),
)
