"""Read and judge a request: the endpoint in the path, the operation, and the chat in the body."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from harness.dialects.base import DecodeError, RequestFault, RequestFaultKind, RequestView, WireRequest
from harness.dialects.openai_chat.judge import check_body
from harness.dialects.openai_chat.judge.kinds import form
from harness.dialects.openai_chat.requests import body_object, read_body

#: the paths of the two operations, and the service's rule for the name between
_PATH: Final = re.compile(r"/endpoints/([^/]+)/invocations(-response-stream)?\Z")
_NAME: Final = re.compile(r"[a-zA-Z0-9](-*[a-zA-Z0-9])*\Z")
MAX_NAME: Final = 63
MAX_BODY: Final = 6_291_456

_MODEL: Final = "botocore service model, sagemaker-runtime: {}"
_NO_STREAM: Final = "strands-1.62:sagemaker-structured-stream: InvokeEndpoint hands an event stream through as one body"
_WHOLE: Final = "InvokeEndpointWithResponseStream hands through one whole body, in which nothing is streamed"
_JSON_ONLY: Final = "text-generation-inference 415: Expected request with `Content-Type: application/json`"


def streams(request: WireRequest) -> bool:
    """Whether the operation is InvokeEndpointWithResponseStream."""
    return request.path.partition("?")[0].endswith("-response-stream")


def read_request(request: WireRequest) -> RequestView:
    """The view of a request. Raises DecodeError when it is not one of this protocol."""
    if request.method != "POST" or not _PATH.search(request.path.partition("?")[0]):
        raise DecodeError(f"not the path of a SageMaker endpoint's invocation: {request.path}")
    return read_body(body_object(request.body))


def check_request(request: WireRequest) -> list[RequestFault]:
    """Faults of a request; none when service and model server would accept it."""
    try:
        body = body_object(request.body)
    except DecodeError as fault:
        return [RequestFault(RequestFaultKind.FORM, "", str(fault), "text-generation-inference 400: not JSON")]
    # The endpoint is the model: what the body calls it means nothing to TGI and DJL.
    chat = (fault for fault in check_body(body, needs_model=False) if not _is_of_strictness(fault))
    return [*_service(request), *_operation(request, body), *chat]


def _is_of_strictness(fault: RequestFault) -> bool:
    """Whether only OpenAI's own service minds: model servers make a grammar of any schema, under any name."""
    return fault.kind is RequestFaultKind.SCHEMA and fault.path.startswith("response_format.")


def _service(request: WireRequest) -> Iterator[RequestFault]:
    found = _PATH.search(request.path.partition("?")[0])
    name = found[1] if found else ""
    if not _NAME.match(name) or len(name) > MAX_NAME:
        yield form("EndpointName", repr(name or request.path), _MODEL.format("EndpointName"))
    if len(request.body) > MAX_BODY:
        yield form("Body", f"{len(request.body)} bytes", _MODEL.format("BodyBlob"))
    if "json" not in (request.header("content-type") or ""):
        yield form("ContentType", repr(request.header("content-type")), _JSON_ONLY)


def _operation(request: WireRequest, body: Mapping[str, Any]) -> Iterator[RequestFault]:
    asked = body.get("stream") is True
    if asked is not streams(request):
        yield form("stream", repr(body.get("stream")), _NO_STREAM if asked else _WHOLE)
