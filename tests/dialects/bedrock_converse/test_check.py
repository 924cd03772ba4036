"""What Bedrock refuses is refused here, for the reason it gives, and what it accepts is accepted."""

import json
from time import perf_counter

import pytest

from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.base import WireRequest
from harness.dialects.bedrock_converse import DIALECT
from tests.dialects.bedrock_converse.cases import ACCEPTED, REFUSED
from tests.recordings.corpus import exchanges
from tests.shared import needs_shared


@pytest.mark.parametrize("name", REFUSED)
def test_what_bedrock_refuses(name: str) -> None:
    wire, faults = REFUSED[name]
    found = DIALECT.check_request(wire)
    assert [(fault.kind, fault.path) for fault in found] == faults
    assert all(fault.what and fault.evidence for fault in found)


def test_every_kind_of_fault_is_met() -> None:
    assert {kind for _, faults in REFUSED.values() for kind, _ in faults} == set(Kind) - {Kind.NO_TOOLS}


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_bedrock_accepts(name: str) -> None:
    assert list(DIALECT.check_request(ACCEPTED[name])) == []


# --- recorded requests ----------------------------------------------------------------------------------------------

_MATRIX = "bedrock-converse/pydantic+pydantic-ai__test_multimodal_tool_returns_test_multimodal_tool_return_matrix_"

#: recorded refusals, and why: the fault's kind and path, or None where the form of the request is not the reason
RECORDED: dict[str, tuple[Kind, str] | None] = {
    f"{_MATRIX}direct-uploaded_file-document-bedrock_nova.yaml#1": (
        Kind.MEDIA,
        "messages[2].content[0].toolResult.content[0].document",
    ),
    f"{_MATRIX}direct-uploaded_file-image-bedrock_claude.yaml#1": (
        Kind.MEDIA,
        "messages[2].content[0].toolResult.content[0].image",
    ),
    f"{_MATRIX}direct-uploaded_file-video-bedrock_claude.yaml#1": (
        Kind.MEDIA,
        "messages[2].content[0].toolResult.content[0].video",
    ),
    "bedrock-converse-stream/agentjido+req_llm__amazon_bedrock_converse_stream_validation_exception.json#0": (
        Kind.MEDIA,
        "messages[0].content[1].image.source.bytes",
    ),
    # models that do not exist, a token that is none, a prompt that is too long
    "bedrock-converse/Arize-ai+openinference__should-handle-api-error-scenarios.json#0": None,
    "bedrock-converse-stream/open-telemetry+opentelemetry-python-contrib__"
    "test_converse_stream_with_invalid_model.yaml#0": None,
    "bedrock-converse-stream/pydantic+pydantic-ai__test_bedrock_test_bedrock_streaming_error.yaml#0": None,
    "bedrock-converse/crmne+ruby_llm__chat_error_handling_with_bedrock_amazon_nova-2-lite-v1_0_"
    "raises_appropriate_auth_error.yml#0": None,
    "bedrock-converse/crmne+ruby_llm__chat_real_error_scenarios_bedrock_amazon_nova-2-lite-v1_0_"
    "handles_context_length_exceeded_errors.yml#0": None,
}


@needs_shared
def test_recorded_requests_are_judged_as_the_service_judged_them() -> None:
    judged = 0
    for found in exchanges(["bedrock-converse", "bedrock-converse-stream"]):
        url = str(found.exchange.request.url)
        wire = WireRequest("POST", url[url.index("/model/") :], (), found.exchange.request.body or b"")
        expected = RECORDED.get(found.name)
        refused = found.exchange.response.status != 200
        assert not refused or found.name in RECORDED, found.name
        faults = [(fault.kind, fault.path) for fault in DIALECT.check_request(wire)]
        assert faults == ([expected] if expected else []), found.name
        judged += 1
    assert judged == 100


def test_judging_is_fast() -> None:
    """Under a millisecond for a request with tools, on a machine that is busy."""
    wire = ACCEPTED["parallel calls"]
    assert json.loads(wire.body)
    best = min(_time(wire) for _ in range(50))
    assert best < 0.001


def _time(wire: WireRequest) -> float:
    started = perf_counter()
    DIALECT.check_request(wire)
    return perf_counter() - started
