from typing import Any, Required, get_origin, get_type_hints

import pytest
from anthropic import types

from harness.dialects.anthropic_messages import DIALECT, shapes
from harness.dialects.anthropic_messages.rules import Shape
from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.base import WireRequest
from tests.dialects.anthropic_messages.cases import ACCEPTED, REFUSED, Wire
from tests.dialects.anthropic_messages.requests import (
    assistant,
    body,
    call,
    request,
    result,
    tool,
    user,
)


def faults(wire: Wire, path: str = "/v1/messages", **headers: str) -> list[tuple[Kind, str]]:
    return [(found.kind, found.path) for found in DIALECT.check_request(request(wire, path, **headers))]


@pytest.mark.parametrize("wire", ACCEPTED.values(), ids=ACCEPTED)
def test_accepted(wire: Wire) -> None:
    assert faults(wire) == []


@pytest.mark.parametrize(("wire", "kind", "path"), REFUSED.values(), ids=REFUSED)
def test_refused_for_one_reason(wire: Wire, kind: Kind, path: str) -> None:
    assert faults(wire) == [(kind, path)]


def test_names_and_ids_given_twice_are_told_at_both_places() -> None:
    twice = body(user("a"), assistant(call("x")), user(result("x")), assistant(call("x")), user(result("x")))
    assert faults(twice) == [(Kind.TOOL_ID, "messages[1].content[0].id"), (Kind.TOOL_ID, "messages[3].content[0].id")]
    assert faults(body(tools=[tool(), tool()])) == [
        (Kind.TOOL_NAME, "tools[0].name"),
        (Kind.TOOL_NAME, "tools[1].name"),
    ]


def test_every_kind_of_fault_has_a_bad_request() -> None:
    assert {kind for _, kind, _ in REFUSED.values()} == set(Kind) - {Kind.NO_TOOLS}


def test_every_fault_says_what_was_met_and_the_vendors_rule() -> None:
    for wire, _, _ in REFUSED.values():
        for found in DIALECT.check_request(request(wire)):
            assert found.what
            assert found.evidence.startswith("400 invalid_request_error: ")


def test_all_faults_of_form_are_told_at_once() -> None:
    assert faults(body(max_tokens=None, top_p=2, seed=1)) == [
        (Kind.FORM, "top_p"),
        (Kind.FORM, "seed"),
        (Kind.FORM, "max_tokens"),
    ]


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'"text"'])
def test_what_is_no_object_is_refused(raw: bytes) -> None:
    (found,) = DIALECT.check_request(WireRequest("POST", "/v1/messages", (), raw))
    assert found.kind is Kind.FORM


# --- endpoints --------------------------------------------------------------------------------------------------

VERTEX = "/v1/projects/p/locations/l/publishers/anthropic/models/claude-opus-5:streamRawPredict"


def test_betas_add_fields() -> None:
    wire = body(context_management={"edits": []})
    assert faults(wire) != []
    assert faults(wire, "/v1/messages?beta=true") == []
    assert faults(wire, anthropic_beta="context-management-2025-06-27") == []


def test_vertex_names_the_model_in_the_path_and_the_version_in_the_body() -> None:
    wire = body(model=None, anthropic_version="vertex-2023-10-16", stream=True)
    assert faults(wire, VERTEX) == []
    assert faults(wire | {"model": "m"}, VERTEX) == [(Kind.FORM, "model")]
    assert faults(wire | {"anthropic_version": "2023-06-01"}, VERTEX) == [(Kind.FORM, "anthropic_version")]
    assert (Kind.FORM, "anthropic_version") in faults(wire | {"model": "m"})


def test_counting_tokens_takes_no_sampling_fields() -> None:
    count = "/v1/messages/count_tokens"
    assert faults(body(max_tokens=None), count) == []
    assert faults(body(), count) == [(Kind.FORM, "max_tokens")]


# --- the tables against the SDK's types -------------------------------------------------------------------------

#: fields of the SDK's methods that travel as headers
AS_HEADERS = {"betas", "user_profile_id", "workspace_id"}
#: fields that the SDK no longer has and the service still takes (recorded), or that were renamed
OLDER = {"temperature", "top_p", "top_k", "output_format"}

SDK_TYPES: list[tuple[Shape, Any]] = [
    (shapes.BLOCKS["text"], types.TextBlockParam),
    (shapes.BLOCKS["image"], types.ImageBlockParam),
    (shapes.BLOCKS["document"], types.DocumentBlockParam),
    (shapes.BLOCKS["search_result"], types.SearchResultBlockParam),
    (shapes.BLOCKS["tool_use"], types.ToolUseBlockParam),
    (shapes.BLOCKS["tool_result"], types.ToolResultBlockParam),
    (shapes.BLOCKS["tool_reference"], types.ToolReferenceBlockParam),
    (shapes.BLOCKS["thinking"], types.ThinkingBlockParam),
    (shapes.BLOCKS["redacted_thinking"], types.RedactedThinkingBlockParam),
    (shapes.SOURCES["image"]["base64"], types.Base64ImageSourceParam),
    (shapes.SOURCES["image"]["url"], types.URLImageSourceParam),
    (shapes.SOURCES["image"]["file"], types.FileImageSourceParam),
    (shapes.SOURCES["document"]["base64"], types.Base64PDFSourceParam),
    (shapes.SOURCES["document"]["text"], types.PlainTextSourceParam),
    (shapes.SOURCES["document"]["content"], types.ContentBlockSourceParam),
    (shapes.SOURCES["document"]["url"], types.URLPDFSourceParam),
    (shapes.SOURCES["document"]["file"], types.FileDocumentSourceParam),
    (shapes.TOOL, types.ToolParam),
    (shapes.TOOL_CHOICE["auto"], types.ToolChoiceAutoParam),
    (shapes.TOOL_CHOICE["any"], types.ToolChoiceAnyParam),
    (shapes.TOOL_CHOICE["tool"], types.ToolChoiceToolParam),
    (shapes.TOOL_CHOICE["none"], types.ToolChoiceNoneParam),
    (shapes.THINKING["enabled"], types.ThinkingConfigEnabledParam),
    (shapes.THINKING["adaptive"], types.ThinkingConfigAdaptiveParam),
    (shapes.THINKING["disabled"], types.ThinkingConfigDisabledParam),
    (shapes.THINKING["between_tools"], types.ThinkingConfigBetweenToolsParam),
    (shapes.CACHE_CONTROL, types.CacheControlEphemeralParam),
    (shapes.CITATIONS, types.CitationsConfigParam),
    (shapes.METADATA, types.MetadataParam),
    (shapes.OUTPUT_CONFIG, types.OutputConfigParam),
    (shapes.OUTPUT_FORMAT, types.JSONOutputFormatParam),
]


@pytest.mark.parametrize(("shape", "typed"), SDK_TYPES, ids=lambda value: getattr(value, "__name__", ""))
def test_objects_have_the_members_of_the_sdks_types(shape: Shape, typed: Any) -> None:
    assert set(shape.members) == set(get_type_hints(typed))
    assert shape.required == required(typed)


def required(typed: Any) -> set[str]:
    hints = get_type_hints(typed, include_extras=True)
    return {name for name, hint in hints.items() if get_origin(hint) is Required}


def test_bodies_have_the_fields_of_the_sdks_methods() -> None:
    from anthropic.types import message_count_tokens_params, message_create_params
    from anthropic.types.beta import message_create_params as beta_create_params

    stable = set(get_type_hints(message_create_params.MessageCreateParamsBase)) | {"stream"}
    newest = set(get_type_hints(beta_create_params.MessageCreateParamsBase)) | {"stream"}
    counted = set(get_type_hints(message_count_tokens_params.MessageCountTokensParams))
    assert set(shapes.BODY.members) - OLDER == stable - AS_HEADERS
    assert set(shapes.BETA_BODY.members) - OLDER == newest - AS_HEADERS
    assert set(shapes.COUNT_BODY.members) == counted - AS_HEADERS


def test_blocks_are_those_of_the_sdk() -> None:
    from anthropic.types.beta.beta_content_block_param import BetaContentBlockParam

    params = [typed for typed in BetaContentBlockParam.__args__ if hasattr(typed, "__required_keys__")]  # type: ignore[attr-defined]
    tags = {tag for typed in params for tag in get_type_hints(typed)["type"].__args__}
    assert len(tags) > 15
    assert tags - set(shapes.BLOCKS) - shapes.SERVER_BLOCKS == set()
