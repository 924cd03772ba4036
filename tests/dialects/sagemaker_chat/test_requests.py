"""What a request says, and why service or model server would refuse it."""

from dataclasses import replace
from typing import Any

import pytest

from harness.dialects.base import DecodeError, RequestFaultKind, WireRequest
from harness.dialects.sagemaker_chat import DIALECT
from tests.dialects.openai_chat.recorded import request_of
from tests.dialects.openai_chat.request_cases import TOOL, USER, call, calls, result, with_messages
from tests.dialects.relatives import post
from tests.recordings.corpus import exchanges
from tests.shared import needs_shared

WHOLE = "/endpoints/my-endpoint/invocations"
STREAM = f"{WHOLE}-response-stream"
GOOD: dict[str, Any] = {"messages": [USER]}
STREAMED = {**GOOD, "stream": True}


def faults(request: WireRequest) -> list[tuple[RequestFaultKind, str]]:
    found = DIALECT.check_request(request)
    assert all(fault.what and fault.evidence for fault in found)
    return [(fault.kind, fault.path) for fault in found]


FORM = RequestFaultKind.FORM

BAD: dict[str, tuple[WireRequest, tuple[RequestFaultKind, str]]] = {
    "name": (post("/endpoints/a_b/invocations", GOOD), (FORM, "EndpointName")),
    "long name": (post(f"/endpoints/{'a' * 64}/invocations", GOOD), (FORM, "EndpointName")),
    "stream in the other operation": (post(WHOLE, STREAMED), (FORM, "stream")),
    "no stream in the streaming one": (post(STREAM, GOOD), (FORM, "stream")),
    "content type": (replace(post(WHOLE, GOOD), headers=()), (FORM, "ContentType")),
    "not JSON": (post(WHOLE, b"x"), (FORM, "")),
    "large body": (post(WHOLE, with_messages({"role": "user", "content": "x" * 6_300_000})), (FORM, "Body")),
    "pairing": (
        post(WHOLE, with_messages(USER, calls(call("a"), call("b")), result("a"))),
        (RequestFaultKind.PAIRING, "messages[1].tool_calls[1]"),
    ),
    "choice alone": (post(WHOLE, {**GOOD, "tool_choice": "auto"}), (RequestFaultKind.TOOL_CHOICE, "tool_choice")),
}


@pytest.mark.parametrize(("request_", "fault"), BAD.values(), ids=BAD)
def test_a_bad_request_is_refused_for_its_fault(request_: WireRequest, fault: tuple[RequestFaultKind, str]) -> None:
    assert faults(request_) == [fault]


@pytest.mark.parametrize("request_", [post(WHOLE, GOOD), post(STREAM, {**STREAMED, "model": "tgi", "tools": [TOOL]})])
def test_a_good_request_is_accepted(request_: WireRequest) -> None:
    assert faults(request_) == []


def test_the_operation_decides_what_is_streamed() -> None:
    assert DIALECT.is_stream(post(STREAM, GOOD))
    assert not DIALECT.is_stream(post(WHOLE, STREAMED))


def test_the_chat_in_the_body_is_read() -> None:
    view = DIALECT.read_request(post(STREAM, {**STREAMED, "tools": [TOOL], "max_tokens": 5}))
    assert (view.model, view.stream, view.params) == (None, True, {"max_tokens": 5})
    assert [tool.name for tool in view.tools] == ["f"]


def test_another_path_is_refused() -> None:
    with pytest.raises(DecodeError, match="path"):
        DIALECT.read_request(post("/v1/chat/completions", GOOD))


@needs_shared
def test_the_recorded_exchange_is_no_chat() -> None:
    """The only recording of the runtime is a text completion: its path and headers are a witness, its bodies none."""
    [found] = exchanges(["sagemaker-runtime"])
    request = request_of(found)
    assert request is not None
    assert not DIALECT.is_stream(request)
    assert {path for _, path in faults(request)} == {"inputs", "parameters", "messages"}
    with pytest.raises(DecodeError):
        DIALECT.decode(found.exchange.response.body, stream=False)
    recorded = {name for name, _ in found.exchange.response.headers}
    assert {name for name, _ in DIALECT.encode_error(DIALECT.errors[0]).headers} - {"x-amzn-errortype"} <= recorded
