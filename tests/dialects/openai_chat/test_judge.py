"""Why the real service would refuse a request: by hand, by recordings, and against the SDK's own parameter types."""

import time
from typing import Any, get_type_hints

import pytest
from openai.types.chat import completion_create_params

from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.openai_chat import DIALECT
from harness.dialects.openai_chat.judge.messages import message_faults
from harness.dialects.openai_chat.judge.parameters import OPENAI
from tests.dialects.openai_chat.recorded import recorded, request_of
from tests.dialects.openai_chat.request_cases import BAD, GOOD_ONES, TOOL, USER, call, calls, result, with_messages
from tests.dialects.openai_chat.test_requests import request
from tests.shared import needs_shared


@pytest.mark.parametrize(("kind", "path", "body"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_a_bad_request_is_refused_for_its_one_fault(kind: Kind, path: str, body: dict[str, Any]) -> None:
    faults = DIALECT.check_request(request(body))
    assert (kind, path) in [(fault.kind, fault.path) for fault in faults]
    assert {fault.kind for fault in faults} <= {kind, Kind.PAIRING}
    assert all(fault.what and fault.evidence for fault in faults)


def test_every_kind_that_applies_has_a_bad_request() -> None:
    assert {row[1] for row in BAD} == set(Kind) - {Kind.CACHE, Kind.REASONING}


@pytest.mark.parametrize("body", [row[1] for row in GOOD_ONES], ids=[row[0] for row in GOOD_ONES])
def test_a_good_request_is_accepted(body: dict[str, Any]) -> None:
    assert DIALECT.check_request(request(body)) == []


def test_what_is_no_json_is_refused() -> None:
    assert [fault.kind for fault in DIALECT.check_request(request(b"{"))] == [Kind.FORM]


def test_azure_names_the_model_in_the_path() -> None:
    path = "/openai/deployments/gpt-4o/chat/completions?api-version=2024-12-01-preview"
    assert DIALECT.check_request(request({"messages": [USER]}, path)) == []


def test_messages_that_are_no_objects_do_not_disturb_the_others() -> None:
    faults = list(message_faults({"messages": ["x", USER]}))
    assert [(fault.kind, fault.path) for fault in faults] == [(Kind.FORM, "messages[0]")]


# --- witnesses --------------------------------------------------------------------------------------------------------


def test_parameters_are_those_of_the_sdk() -> None:
    known = set(get_type_hints(completion_create_params.CompletionCreateParamsBase)) | {"stream"}
    assert set(OPENAI) == known


#: Recorded requests that their vendor took and OpenAI refuses: all faults of theirs, and why the rule stands.
TAKEN_BY_OTHERS = {
    "groq-chat/": ("messages[1].content",),  # an assistant's empty array beside calls
    "xai-chat/": (
        "messages[1].content",
        "parallel_tool_calls",  # xAI takes it without tools
        "response_format.json_schema.schema.required",  # and strict schemas with optional properties
        "tools[0].function.parameters.required",
    ),
    "huggingface-chat/": ("tools", "tool_choice.type"),  # an empty array of tools; a choice without its type
    "perplexity-chat/": ("response_format.json_schema.name",),  # a schema without a name
    "together-chat/": ("tools",),  # null in place of tools
    "ollama-openai-compat/": ("messages[2].content[1]",),  # an image in a tool's result: strands#1079
    "openrouter-chat/": ("messages[1].content",),  # refused in the end: an error under HTTP 200 says so
}


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
            refused.setdefault(f"{found.row.protocol}/", set()).add(fault.path)
    assert judged > 300
    assert refused == {protocol: set(places) for protocol, places in TAKEN_BY_OTHERS.items()}


#: What OpenAI said of the recorded requests that it refused with 400, where that was about the form of any request.
REFUSED_FOR_FORM = {"openai-chat/envoyproxy+ai-gateway__testopenai_chat-no-messages.yaml#0": "messages"}

#: The other 400s: about this model, this account or this picture. No rule about form can know them.
NOT_ABOUT_FORM = (
    "decommissioned",
    "tool_use_failed",
    "is not supported with this model",
    "does not support",
    "not supported with this model",
    "Error while downloading",
    "Content blocks are expected to be either text or image_url type",  # a user's audio, by a model that takes none
    "context length",
    "too long",
    "Developer instruction is not enabled",
    "integer below minimum value",  # of the upstream's own parameter
)


@needs_shared
def test_refusals_for_form_are_explained_and_others_are_not() -> None:
    explained = {}
    for found in recorded():
        kept = request_of(found)
        if kept is None or found.exchange.response.status != 400:
            continue
        faults = DIALECT.check_request(kept)
        if faults:
            explained[found.name] = faults[0].path
        else:
            assert any(words in found.exchange.response.body.decode() for words in NOT_ABOUT_FORM), found.name
    assert explained == REFUSED_FOR_FORM


def test_judging_a_small_request_takes_microseconds() -> None:
    body = request({**with_messages(USER, calls(call()), result()), "tools": [TOOL], "tool_choice": "auto"})
    rounds = []
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(20):
            DIALECT.check_request(body)
        rounds.append((time.perf_counter() - start) / 20)
    assert min(rounds) < 100e-6
