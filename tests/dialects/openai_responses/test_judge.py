"""Why the real service would refuse a request: by hand, by recordings, and against the SDK's own parameter types."""

import time
from typing import Any, get_args, get_type_hints

import pytest
from openai.types.responses import response_create_params
from openai.types.responses.function_tool_param import FunctionToolParam
from openai.types.responses.response_includable import ResponseIncludable
from openai.types.responses.response_input_item_param import ResponseInputItemParam

from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.openai_responses import DIALECT
from harness.dialects.openai_responses.judge.items import TYPES
from harness.dialects.openai_responses.judge.parameters import INCLUDABLE, OPENAI
from harness.dialects.openai_responses.judge.tools import FUNCTION_KEYS
from tests.dialects.openai_responses.recorded import recorded, request_of
from tests.dialects.openai_responses.request_cases import BAD, GOOD_ONES, USER, call, items, result, tools
from tests.dialects.openai_responses.test_requests import request, tool
from tests.shared import needs_shared


@pytest.mark.parametrize(("kind", "path", "body"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_a_bad_request_is_refused_for_its_one_fault(kind: Kind, path: str, body: dict[str, Any]) -> None:
    faults = DIALECT.check_request(request(body))
    assert (kind, path) in [(fault.kind, fault.path) for fault in faults]
    assert {fault.kind for fault in faults} <= {kind, Kind.FORM}
    assert all(fault.what and fault.evidence for fault in faults)


def test_every_kind_that_applies_has_a_bad_request() -> None:
    assert {row[1] for row in BAD} == set(Kind) - {Kind.CACHE, Kind.NO_TOOLS, Kind.ROLES}


@pytest.mark.parametrize("body", [row[1] for row in GOOD_ONES], ids=[row[0] for row in GOOD_ONES])
def test_a_good_request_is_accepted(body: dict[str, Any]) -> None:
    assert DIALECT.check_request(request(body)) == []


def test_what_is_no_json_is_refused() -> None:
    assert [fault.kind for fault in DIALECT.check_request(request(b"{"))] == [Kind.FORM]


def test_azure_may_name_the_model_in_the_path() -> None:
    path = "/openai/deployments/gpt-5/responses?api-version=2025-04-01-preview"
    assert DIALECT.check_request(request({"input": "Hi"}, path)) == []


# --- witnesses --------------------------------------------------------------------------------------------------------


def test_parameters_are_those_of_the_sdk() -> None:
    known = set(get_type_hints(response_create_params.ResponseCreateParamsBase)) | {"stream"}
    assert set(OPENAI) == known


def test_item_types_are_those_of_the_sdk() -> None:
    told = [get_type_hints(item).get("type") for item in get_args(ResponseInputItemParam)]
    known = {name for hint in told for name in literals(hint)}
    assert known == TYPES


def literals(hint: Any) -> set[str]:
    """The strings of a Literal, however deep it stands."""
    return {hint} if isinstance(hint, str) else {name for inner in get_args(hint) for name in literals(inner)}


def test_keys_of_a_function_are_those_of_the_sdk() -> None:
    assert FUNCTION_KEYS - {"cache_control"} == set(get_type_hints(FunctionToolParam))


def test_what_can_be_included_is_what_the_sdk_lists() -> None:
    assert set(get_args(ResponseIncludable)) == {name for name in INCLUDABLE if name in get_args(ResponseIncludable)}
    assert len(INCLUDABLE - set(get_args(ResponseIncludable))) == 3  # xAI's


#: Recorded requests that their vendor took and OpenAI refuses: all faults of theirs.
TAKEN_BY_OTHERS = {"xai-responses": {"input[6].id"}}  # searches of several turns share the id of their reasoning


@needs_shared
def test_requests_that_were_answered_are_accepted() -> None:
    refused: dict[str, set[str]] = {}
    judged = 0
    for found in recorded():
        kept = request_of(found)
        if kept is None or found.exchange.response.status >= 300:
            continue
        judged += 1
        for fault in DIALECT.check_request(kept):
            refused.setdefault(found.row.protocol, set()).add(fault.path)
    assert judged > 100
    assert refused == TAKEN_BY_OTHERS


#: What OpenAI said of the recorded requests that it refused with 400, where that was about the form of any request:
#: words of its answer, and the fault that they are about.
REFUSED_FOR_FORM = {
    "decimal below minimum value": "temperature",
    "was provided without its required following item": "input[1]",
    "Missing required parameter: 'tools[0].name'": "tools[0].name",
}

#: The other 400s: about this model, this account or this file. No rule about form can know them.
NOT_ABOUT_FORM = (
    "does not exist",
    "exceeds the context window",
    "The file type you uploaded is not supported",
    "is not supported with this model",
    "Incorrect API key",
    "No tool output found for tool call call-a",  # DeepSeek wants a call's result before the assistant speaks again
)


@needs_shared
def test_refusals_for_form_are_explained_and_others_are_not() -> None:
    explained = {}
    for found in recorded():
        kept = request_of(found)
        if kept is None or found.exchange.response.status != 400:
            continue
        said = found.exchange.response.body.decode()
        faults = DIALECT.check_request(kept)
        if faults:
            explained[next(words for words in REFUSED_FOR_FORM if words in said)] = faults[0].path
        else:
            assert any(words in said for words in NOT_ABOUT_FORM), found.name
    assert explained == REFUSED_FOR_FORM


def test_judging_a_small_request_takes_microseconds() -> None:
    body = request({**tools(tool(), tool_choice="auto"), **items(USER, call(), result())})
    rounds = []
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(20):
            DIALECT.check_request(body)
        rounds.append((time.perf_counter() - start) / 20)
    assert min(rounds) < 100e-6
