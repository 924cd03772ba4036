from typing import Any, Required, get_origin, get_type_hints, is_typeddict

import pytest
from anthropic import types

from harness.dialects.anthropic_messages import DIALECT, shapes
from harness.dialects.anthropic_messages.rules import Shape
from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.base import WireRequest
from tests.dialects.anthropic_messages.requests import (
    CACHED,
    HOUR,
    PDF,
    PNG,
    assistant,
    body,
    call,
    document,
    image,
    request,
    result,
    text,
    thinking,
    tool,
    user,
)

Wire = dict[str, Any]


def faults(wire: Wire, path: str = "/v1/messages", **headers: str) -> list[tuple[Kind, str]]:
    return [(found.kind, found.path) for found in DIALECT.check_request(request(wire, path, **headers))]


OBJECT = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}

ACCEPTED: dict[str, Wire] = {
    "bare text": body(),
    "system text": body(system="Be brief."),
    "system blocks": body(system=[text("Be brief.", cache_control=CACHED)]),
    "empty system text": body(system=""),
    "joined user turns": body(user("a"), user("b")),
    "joined assistant turns": body(user("a"), assistant("b"), assistant("c"), user("d")),
    "prefill": body(user("a"), assistant("b")),
    "empty prefill": body(user("a"), {"role": "assistant", "content": ""}),
    "system turn": body(user("a"), assistant("b"), user("c"), {"role": "system", "content": "d"}),
    "call and result": body(user("a"), assistant(text("b"), call()), user(result(), text("c")), tools=[tool()]),
    "call and result, no tools": body(user("a"), assistant(call()), user(result())),
    "results in two turns": body(
        user("a"), assistant(call("x"), call("y")), user(result("x")), user(result("y"), text("b"))
    ),
    "result without content": body(
        user("a"), assistant(call()), user({"type": "tool_result", "tool_use_id": "toolu_1"})
    ),
    "result of blank text": body(user("a"), assistant(call()), user(result(content=[text(" ")]))),
    "result with media": body(user("a"), assistant(call()), user(result(content=[text("b"), image()]))),
    "failed result": body(user("a"), assistant(call()), user(result(is_error=True))),
    "image": body(user(text("a"), image())),
    "image by address": body(user({"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}})),
    "pdf": body(user(document(type="base64", media_type="application/pdf", data=PDF))),
    "text document": body(user(document(type="text", media_type="text/plain", data="a"))),
    "document of blocks": body(user(document(type="content", content=[text("a"), image()]))),
    "search result": body(user({"type": "search_result", "source": "s", "title": "t", "content": [text("a")]})),
    "thinking in history": body(user("a"), assistant(thinking(), text("b")), user("c")),
    "signed empty thinking": body(user("a"), assistant(thinking(""), text("b")), user("c")),
    "redacted thinking": body(
        user("a"), assistant({"type": "redacted_thinking", "data": "AAEC"}, text("b")), user("c")
    ),
    "thinking": body(max_tokens=2048, thinking={"type": "enabled", "budget_tokens": 1024}, temperature=1),
    "interleaved thinking": body(thinking={"type": "enabled", "budget_tokens": 1024}, tools=[tool()]),
    "choice": body(tools=[tool()], tool_choice={"type": "tool", "name": "now", "disable_parallel_tool_use": True}),
    "choice and thinking": body(tools=[tool()], tool_choice={"type": "auto"}, thinking={"type": "adaptive"}),
    "vendor tool": body(tools=[{"type": "web_search_20250305", "name": "web_search", "max_uses": 3}]),
    "server tool's blocks": body(
        user("a"),
        assistant({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}, text("b")),
        user("c"),
    ),
    "long tool name": body(tools=[tool("n" * 128)]),
    "strict tool": body(tools=[tool(schema=OBJECT, strict=True)]),
    "structured output": body(output_config={"format": {"type": "json_schema", "schema": OBJECT}, "effort": "low"}),
    "loose schema": body(
        tools=[tool(schema={"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}})]
    ),
    "four markers": body(
        user(text("a", cache_control=CACHED), text("b", cache_control=CACHED)),
        system=[text("s", cache_control=CACHED)],
        tools=[tool(cache_control=HOUR)],
    ),
    "sampling": body(
        temperature=0, top_p=0.5, top_k=0, stop_sequences=["END"], metadata={"user_id": None}, stream=True
    ),
}


@pytest.mark.parametrize("wire", ACCEPTED.values(), ids=ACCEPTED)
def test_accepted(wire: Wire) -> None:
    assert faults(wire) == []


REFUSED: dict[str, tuple[Wire, Kind, str]] = {
    # form
    "no max_tokens": (body(max_tokens=None), Kind.FORM, "max_tokens"),
    "no model": (body(model=None), Kind.FORM, "model"),
    "no messages": (body(messages=None), Kind.FORM, "messages"),
    "max_tokens of a string": (body(max_tokens="64"), Kind.FORM, "max_tokens"),
    "max_tokens of a bool": (body(max_tokens=True), Kind.FORM, "max_tokens"),
    "null field": (body() | {"tools": None}, Kind.FORM, "tools"),
    "unknown field": (body(frequency_penalty=1), Kind.FORM, "frequency_penalty"),
    "beta field": (body(context_management={}), Kind.FORM, "context_management"),
    "temperature too high": (body(temperature=1.5), Kind.FORM, "temperature"),
    "stop sequences not a list": (body(stop_sequences="END"), Kind.FORM, "stop_sequences"),
    "blank stop sequence": (body(stop_sequences=["a", "\n"]), Kind.FORM, "stop_sequences[1]"),
    "unknown member of a block": (body(user(text("a", id="1"))), Kind.FORM, "messages[0].content[0].id"),
    "unknown member of a system block": (body(system=[text("a", id="1")]), Kind.FORM, "system[0].id"),
    "unknown block": (body(user({"type": "video", "source": {}})), Kind.FORM, "messages[0].content[0].type"),
    "unknown message": (body("Invalid content"), Kind.FORM, "messages[0]"),
    "unknown member of a message": (body(user("a") | {"name": "bob"}), Kind.FORM, "messages[0].name"),
    "image of an assistant": (body(user("a"), assistant(image())), Kind.FORM, "messages[1].content[0].type"),
    "call of a user": (body(user(call())), Kind.FORM, "messages[0].content[0].type"),
    "arguments as text": (
        body(user("a"), assistant(call() | {"input": "{}"}), user(result())),
        Kind.FORM,
        "messages[1].content[0].input",
    ),
    "content of a number": (body({"role": "user", "content": 1}), Kind.FORM, "messages[0].content"),
    "metadata": (body(metadata={"trace": "1"}), Kind.FORM, "metadata.trace"),
    "effort": (body(output_config={"effort": "extreme"}), Kind.FORM, "output_config.effort"),
    # roles
    "unknown role": (body({"role": "tool", "content": "a"}), Kind.ROLES, "messages[0].role"),
    "no turns": (body(messages=[]), Kind.ROLES, "messages"),
    "assistant first": (body(assistant("a"), user("b")), Kind.ROLES, "messages[0].role"),
    # text
    "empty text": (
        body(user("a"), assistant(text(""), text("b")), user("c")),
        Kind.EMPTY_TEXT,
        "messages[1].content[0]",
    ),
    "blank text": (body(user(text("\n "))), Kind.EMPTY_TEXT, "messages[0].content[0]"),
    "blank bare text": (body(user(" ")), Kind.EMPTY_TEXT, "messages[0].content"),
    "no content": (body({"role": "user", "content": []}), Kind.EMPTY_TEXT, "messages[0].content"),
    "empty bare text": (body({"role": "user", "content": ""}), Kind.EMPTY_TEXT, "messages[0].content"),
    "empty text of the system": (body(system=[text("")]), Kind.EMPTY_TEXT, "system[0]"),
    "empty text in a result": (
        body(user("a"), assistant(call()), user(result(content=[text("")]))),
        Kind.EMPTY_TEXT,
        "messages[2].content[0].content[0]",
    ),
    "space after the prefill": (body(user("a"), assistant("b ")), Kind.EMPTY_TEXT, "messages[1].content"),
    # pairing
    "no result": (body(user("a"), assistant(call()), user("b")), Kind.PAIRING, "messages[1].content[0]"),
    "no result at the end": (body(user("a"), assistant(call())), Kind.PAIRING, "messages[1].content[0]"),
    "one of two results": (
        body(user("a"), assistant(call("x"), call("y")), user(result("x"))),
        Kind.PAIRING,
        "messages[1].content[1]",
    ),
    "no call": (body(user(result())), Kind.PAIRING, "messages[0].content[0]"),
    "two results": (
        body(user("a"), assistant(call()), user(result(), result())),
        Kind.PAIRING,
        "messages[2].content[1]",
    ),
    "a result behind text": (
        body(user("a"), assistant(call()), user(text("b"), result())),
        Kind.PAIRING,
        "messages[2].content[1]",
    ),
    "a result behind another turn's text": (
        body(user("a"), assistant(call()), user("b"), user(result())),
        Kind.PAIRING,
        "messages[3].content[0]",
    ),
    # names and ids
    "tool name": (body(tools=[tool("calendar.read")]), Kind.TOOL_NAME, "tools[0].name"),
    "too long tool name": (body(tools=[tool("n" * 129)]), Kind.TOOL_NAME, "tools[0].name"),
    "no tool name": (body(tools=[{"input_schema": {"type": "object"}}]), Kind.TOOL_NAME, "tools[0].name"),
    "tool name of a call": (
        body(user("a"), assistant(call(name="a b")), user(result())),
        Kind.TOOL_NAME,
        "messages[1].content[0].name",
    ),
    "tool id": (body(user("a"), assistant(call("a.b")), user(result("a"))), Kind.TOOL_ID, "messages[1].content[0].id"),
    "tool id of a result": (
        body(user("a"), assistant(call("a")), user(result("a:b"))),
        Kind.TOOL_ID,
        "messages[2].content[0].tool_use_id",
    ),
    # choice
    "choice without tools": (body(tool_choice={"type": "any"}), Kind.TOOL_CHOICE, "tool_choice"),
    "choice of none of them": (
        body(tools=[tool()], tool_choice={"type": "tool", "name": "then"}),
        Kind.TOOL_CHOICE,
        "tool_choice.name",
    ),
    "choice without a name": (body(tools=[tool()], tool_choice={"type": "tool"}), Kind.TOOL_CHOICE, "tool_choice.name"),
    "choice in another vendor's words": (
        body(tools=[tool()], tool_choice={"type": "required"}),
        Kind.TOOL_CHOICE,
        "tool_choice.type",
    ),
    "choice as text": (body(tools=[tool()], tool_choice="auto"), Kind.TOOL_CHOICE, "tool_choice"),
    "parallel calls of none": (
        body(tools=[tool()], tool_choice={"type": "none", "disable_parallel_tool_use": True}),
        Kind.FORM,
        "tool_choice.disable_parallel_tool_use",
    ),
    "forced with thinking": (
        body(tools=[tool()], tool_choice={"type": "any"}, thinking={"type": "adaptive"}),
        Kind.TOOL_CHOICE,
        "tool_choice.type",
    ),
    # media
    "media type": (body(user(image("image/bmp"))), Kind.MEDIA, "messages[0].content[0].source.media_type"),
    "bare format": (body(user(image("png"))), Kind.MEDIA, "messages[0].content[0].source.media_type"),
    "mismatched media type": (body(user(image("image/jpeg"))), Kind.MEDIA, "messages[0].content[0].source.media_type"),
    "not base64": (body(user(image(data="a%b"))), Kind.MEDIA, "messages[0].content[0].source.data"),
    "not ASCII": (body(user(image(data="é" * 4))), Kind.MEDIA, "messages[0].content[0].source.data"),
    "base64 as repr": (body(user(image(data=f"b'{PNG}'"))), Kind.MEDIA, "messages[0].content[0].source.data"),
    "no data": (body(user(image(data=""))), Kind.MEDIA, "messages[0].content[0].source.data"),
    "no source": (body(user({"type": "image"})), Kind.MEDIA, "messages[0].content[0].source"),
    "unknown source": (
        body(user({"type": "image", "source": {"type": "s3", "uri": "s3://a"}})),
        Kind.MEDIA,
        "messages[0].content[0].source.type",
    ),
    "document type": (
        body(user(document(type="base64", media_type="text/csv", data="YQ=="))),
        Kind.MEDIA,
        "messages[0].content[0].source.media_type",
    ),
    "mismatched media in a result": (
        body(user("a"), assistant(call()), user(result(content=[image("image/gif")]))),
        Kind.MEDIA,
        "messages[2].content[0].content[0].source.media_type",
    ),
    "media in a failed result": (
        body(user("a"), assistant(call()), user(result(content=[image()], is_error=True))),
        Kind.MEDIA,
        "messages[2].content[0].content[0]",
    ),
    # cache
    "five markers": (
        body(user(*(text(str(each), cache_control=CACHED) for each in range(5)))),
        Kind.CACHE,
        "messages[0].content[4].cache_control",
    ),
    "marker of the body counts": (
        body(user(*(text(str(each), cache_control=CACHED) for each in range(4))), cache_control=CACHED),
        Kind.CACHE,
        "messages[0].content[3].cache_control",
    ),
    "markers in results count": (
        body(
            user("a"),
            assistant(call()),
            user(result(content=[text(str(each), cache_control=CACHED) for each in range(5)])),
        ),
        Kind.CACHE,
        "messages[2].content[0].content[4].cache_control",
    ),
    "marker on thinking": (
        body(user("a"), assistant(thinking(cache_control=CACHED), text("b")), user("c")),
        Kind.CACHE,
        "messages[1].content[0].cache_control",
    ),
    "another marker": (
        body(user(text("a", cache_control={"type": "default"}))),
        Kind.CACHE,
        "messages[0].content[0].cache_control.type",
    ),
    "another time to live": (
        body(tools=[tool(cache_control={"type": "ephemeral", "ttl": "1d"})]),
        Kind.CACHE,
        "tools[0].cache_control.ttl",
    ),
    "an hour after five minutes": (
        body(user(text("a", cache_control=HOUR)), tools=[tool(cache_control=CACHED)]),
        Kind.CACHE,
        "messages[0].content[0].cache_control",
    ),
    # schemas
    "no schema": (body(tools=[{"name": "now"}]), Kind.SCHEMA, "tools[0].input_schema"),
    "schema of no type": (body(tools=[tool(schema={"properties": {}})]), Kind.SCHEMA, "tools[0].input_schema.type"),
    "schema of an array": (body(tools=[tool(schema={"type": "array"})]), Kind.SCHEMA, "tools[0].input_schema.type"),
    "combined schema": (
        body(tools=[tool(schema={"type": "object", "anyOf": [{"required": ["a"]}]})]),
        Kind.SCHEMA,
        "tools[0].input_schema",
    ),
    "property name": (
        body(tools=[tool(schema={"type": "object", "properties": {"a b": {}}})]),
        Kind.SCHEMA,
        "tools[0].input_schema.properties",
    ),
    "strict and open": (
        body(tools=[tool(strict=True)]),
        Kind.SCHEMA,
        "tools[0].input_schema",
    ),
    "open inside": (
        body(
            output_config={
                "format": {
                    "type": "json_schema",
                    "schema": OBJECT | {"$defs": {"Inner": {"type": "object", "properties": {}}}},
                }
            }
        ),
        Kind.SCHEMA,
        "output_config.format.schema.$defs.Inner",
    ),
    "bounds in structured output": (
        body(
            output_config={
                "format": {
                    "type": "json_schema",
                    "schema": OBJECT | {"properties": {"n": {"anyOf": [{"type": "integer", "minimum": 0}]}}},
                }
            }
        ),
        Kind.SCHEMA,
        "output_config.format.schema.properties.n.anyOf[0]",
    ),
    "format without schema": (
        body(output_config={"format": {"type": "json_schema"}}),
        Kind.SCHEMA,
        "output_config.format.schema",
    ),
    # reasoning
    "unsigned": (
        body(user("a"), assistant({"type": "thinking", "thinking": "hm"}, text("b")), user("c")),
        Kind.REASONING,
        "messages[1].content[0].signature",
    ),
    "empty signature": (
        body(user("a"), assistant(thinking(signature=""), text("b")), user("c")),
        Kind.REASONING,
        "messages[1].content[0].signature",
    ),
    "null signature": (
        body(user("a"), assistant(thinking(signature=None), text("b")), user("c")),
        Kind.REASONING,
        "messages[1].content[0].signature",
    ),
    "redacted data decoded": (
        body(user("a"), assistant({"type": "redacted_thinking", "data": "\x00raw"}, text("b")), user("c")),
        Kind.REASONING,
        "messages[1].content[0].data",
    ),
    "reasoning at the end": (
        body(user("a"), assistant(thinking()), user("c")),
        Kind.REASONING,
        "messages[1].content[0]",
    ),
    "small budget": (
        body(max_tokens=4096, thinking={"type": "enabled", "budget_tokens": 100}),
        Kind.REASONING,
        "thinking.budget_tokens",
    ),
    "no budget": (body(thinking={"type": "enabled"}), Kind.REASONING, "thinking.budget_tokens"),
    "budget beyond max_tokens": (
        body(thinking={"type": "enabled", "budget_tokens": 1024}),
        Kind.REASONING,
        "thinking.budget_tokens",
    ),
    "temperature with thinking": (
        body(max_tokens=2048, thinking={"type": "enabled", "budget_tokens": 1024}, temperature=0.5),
        Kind.REASONING,
        "temperature",
    ),
    "top_k with thinking": (
        body(max_tokens=2048, thinking={"type": "enabled", "budget_tokens": 1024}, top_k=5),
        Kind.REASONING,
        "top_k",
    ),
    "unknown thinking": (body(thinking={"type": "auto"}), Kind.REASONING, "thinking.type"),
}


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
    assert {kind for _, kind, _ in REFUSED.values()} == set(Kind)


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

    params = [typed for typed in BetaContentBlockParam.__args__ if is_typeddict(typed)]  # type: ignore[attr-defined]
    tags = {tag for typed in params for tag in get_type_hints(typed)["type"].__args__}
    assert len(tags) > 15
    assert tags - set(shapes.BLOCKS) - shapes.SERVER_BLOCKS == set()
