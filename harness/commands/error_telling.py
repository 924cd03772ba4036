"""How services tell an error: in the envelope of their protocol, over HTTP or in the stream."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from harness.commands.error_cases import ErrorCase
from harness.dialects.base import ErrorClass, VendorError
from harness.wire.eventstream import encode_message, error, exception

_JSON: Final = (("content-type", "application/json"),)
_HTML: Final = (("content-type", "text/html"),)
#: what SDKs say of an answer without a body, which is told as such an answer
_NO_BODY: Final = "(no body)"
#: exceptions that are members of a stream, by how botocore names them; others come as error frames
_CONVERSE: Final = (
    *("InternalServerException", "ModelStreamErrorException", "ServiceUnavailableException"),
    *("ThrottlingException", "ValidationException"),
)
_MEMBERS: Final = {name: name[0].lower() + name[1:] for name in _CONVERSE}
_MEMBERS_OF_ENDPOINTS: Final = {name: name for name in ("ModelStreamError", "InternalStreamFailure")}

Told = tuple[Any, tuple[tuple[str, str], ...], Any]


def _number(kind: str | None) -> str | int | None:
    return int(kind) if kind is not None and kind.isdecimal() else kind


def _aws(case: ErrorCase, members: Mapping[str, str] = _MEMBERS) -> Told:
    kind = case.kind or "ValidationException"
    named = kind[0].upper() + kind[1:]
    said = json.dumps({"message": case.message, "Message": case.message}).encode()  # services differ in the case
    frame = exception(members[named], said) if named in members else error(kind, case.message)
    return {"message": case.message}, (*_JSON, ("x-amzn-errortype", kind)), encode_message(frame)


def _sagemaker(case: ErrorCase) -> Told:
    return _aws(case, _MEMBERS_OF_ENDPOINTS)


def _anthropic(case: ErrorCase) -> Told:
    body = {"type": "error", "error": {"type": case.kind or "invalid_request_error", "message": case.message}}
    return body, _JSON, body


def _openai(case: ErrorCase) -> Told:
    code = _number(case.kind)
    body = {"error": {"message": case.message, "type": None, "param": None, "code": code}}
    return body, _JSON, body


def _gemini(case: ErrorCase) -> Told:
    body = {"error": {"code": case.status, "message": case.message, "status": case.kind or ""}}
    return body, _JSON, body


def _mistral(case: ErrorCase) -> Told:
    told = {"object": "error", "message": case.message, "type": case.kind, "param": None, "code": case.kind}
    return told, _JSON, {"error": {"message": case.message, "code": _number(case.kind)}}


def _ollama(case: ErrorCase) -> Told:
    return {"error": case.message}, _JSON, {"error": case.message}


def _writer(case: ErrorCase) -> Told:
    kind = case.kind or "fail"
    return {"tpe": kind, "errors": [{"description": case.message, "key": kind}], "extras": {}}, _JSON, None


def _llama_api(case: ErrorCase) -> Told:
    body = {"title": case.kind or "", "detail": case.message, "status": case.status}
    return body, _JSON, body


#: protocol to adapters that can meet its errors, and how it tells them
_PROTOCOLS: Final[Mapping[str, tuple[tuple[str, ...], Callable[[ErrorCase], Told]]]] = {
    "bedrock-converse": (("bedrock",), _aws),
    "anthropic-messages": (("anthropic",), _anthropic),
    "openai-chat": (("openai", "litellm"), _openai),
    "openai-responses": (("openai_responses",), _openai),
    "gemini": (("gemini",), _gemini),
    "mistral": (("mistral",), _mistral),
    "ollama": (("ollama",), _ollama),
    "writer": (("writer",), _writer),
    "llama-api": (("llamaapi",), _llama_api),
    "sagemaker-invoke": (("sagemaker",), _sagemaker),
}
#: services that have an adapter of their own beside that of their protocol
_OWN: Final[Mapping[str, tuple[str, ...]]] = {"llama.cpp": ("llamacpp",)}
_ELSE: Final = _PROTOCOLS["openai-chat"]


def adapters(case: ErrorCase) -> tuple[str, ...]:
    """The adapters that can meet the error; services of unknown protocols are met through the openai adapter."""
    names, _ = _PROTOCOLS.get(case.protocol, _ELSE)
    return names + _OWN.get(case.provider, ())


def told(case: ErrorCase) -> VendorError | None:
    """The error as its service tells it; None where no answer came that could be told, as before a connection."""
    if case.status is None:
        return None
    _, tell = _PROTOCOLS.get(case.protocol, _ELSE)
    body, headers, in_stream = tell(case)
    raw = json.dumps(body).encode()
    if case.message.lstrip().startswith("<"):
        raw, headers = case.message.encode(), _HTML
    elif _NO_BODY in case.message:
        raw, headers = b"", ()
    frame = in_stream if isinstance(in_stream, bytes) else json.dumps(in_stream).encode()
    status = case.status if case.status >= 400 or not case.in_stream else 500
    return VendorError(case.id, ErrorClass.OTHER, status, raw, case.id, headers, None if in_stream is None else frame)
