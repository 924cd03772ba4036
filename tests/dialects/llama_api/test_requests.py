"""What a request says, and why the Llama API would refuse it."""

from typing import Any

import pytest

from harness.dialects.base import CallPart, DecodeError, MediaPart, RequestFaultKind, ResultPart, TextPart
from harness.dialects.llama_api import DIALECT
from tests.dialects.openai_chat.request_cases import TOOL, USER, image, tool
from tests.dialects.relatives import Bad, post

PATH = "/v1/chat/completions"
GOOD: dict[str, Any] = {"model": "Llama-4-Maverick-17B-128E-Instruct-FP8", "messages": [USER]}
TEXT = {"type": "text", "text": "x"}


def messages(*told: Any) -> dict[str, Any]:
    return {**GOOD, "messages": list(told)}


def call(**fields: Any) -> dict[str, Any]:
    return {
        "role": "assistant",
        "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}, **fields}],
    }


def asked(**inner: Any) -> dict[str, Any]:
    return {**GOOD, "response_format": {"type": "json_schema", "json_schema": inner}}


FORM = RequestFaultKind.FORM
BAD: list[Bad] = [
    ("no model", FORM, "model", {"messages": [USER]}),
    ("no messages", FORM, "messages", {**GOOD, "messages": []}),
    ("limit text", FORM, "max_completion_tokens", {**GOOD, "max_completion_tokens": "5"}),
    ("temperature text", FORM, "temperature", {**GOOD, "temperature": "0.5"}),
    ("top_k fraction", FORM, "top_k", {**GOOD, "top_k": 1.5}),
    ("null tools", FORM, "tools", {**GOOD, "tools": None}),
    ("no message", FORM, "messages[0].role", messages("x")),
    ("role", FORM, "messages[0].role", messages({"role": "developer", "content": "x"})),
    ("no content", FORM, "messages[0].content", messages({"role": "user"})),
    ("content item", FORM, "messages[0].content", messages({"role": "user", "content": TEXT})),
    ("content list", FORM, "messages[0].content", messages({"role": "assistant", "content": [TEXT]})),
    ("item type", FORM, "messages[0].content[0].type", messages({"role": "user", "content": [{"text": "x"}]})),
    ("item text", FORM, "messages[0].content.text", messages({"role": "assistant", "content": {"type": "text"}})),
    ("no call id", RequestFaultKind.TOOL_ID, "messages[0].tool_calls[0].id", messages(call(id=""))),
    (
        "arguments object",
        FORM,
        "messages[0].tool_calls[0].function.arguments",
        messages(call(function={"name": "f", "arguments": {}})),
    ),
    ("no result id", FORM, "messages[0].tool_call_id", messages({"role": "tool", "content": "x"})),
    (
        "document",
        RequestFaultKind.MEDIA,
        "messages[0].content[0].type",
        messages({"role": "user", "content": [{"type": "file", "file": {}}]}),
    ),
    (
        "image of the system",
        RequestFaultKind.MEDIA,
        "messages[0].content[0].type",
        messages({"role": "system", "content": [image("https://x.y/z")]}),
    ),
    (
        "image without data URL",
        RequestFaultKind.MEDIA,
        "messages[0].content[0].image_url.url",
        messages({"role": "user", "content": [image("iVBORw0KGgo=")]}),
    ),
    (
        "image without URL",
        FORM,
        "messages[0].content[0].image_url.url",
        messages({"role": "user", "content": [{"type": "image_url", "image_url": "https://x.y/z"}]}),
    ),
    ("tool type", FORM, "tools[0].type", {**GOOD, "tools": [{"function": {"name": "f"}}]}),
    ("tool name", RequestFaultKind.TOOL_NAME, "tools[0].function.name", {**GOOD, **tool(name="a b")}),
    ("long tool name", RequestFaultKind.TOOL_NAME, "tools[0].function.name", {**GOOD, **tool(name="a" * 65)}),
    ("schema", RequestFaultKind.SCHEMA, "tools[0].function.parameters", tool(name="f", parameters=[])),
    ("choice", RequestFaultKind.TOOL_CHOICE, "tool_choice", {**GOOD, "tool_choice": "any"}),
    (
        "choice of none there",
        RequestFaultKind.TOOL_CHOICE,
        "tool_choice.function.name",
        {**GOOD, "tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "g"}}},
    ),
    ("format", FORM, "response_format.type", {**GOOD, "response_format": {"type": "json_object"}}),
    ("no schema", RequestFaultKind.SCHEMA, "response_format.json_schema.schema", asked(name="n")),
    ("no schema name", RequestFaultKind.SCHEMA, "response_format.json_schema.name", asked(schema={})),
]

HISTORY = messages(
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": [TEXT, image("data:image/png;base64,iVBORw0KGgo=")]},
    {**call(), "content": {"type": "text", "text": "Ich prüfe."}, "stop_reason": "tool_calls"},
    {"role": "tool", "tool_call_id": "a", "content": [TEXT]},
)
GOOD_ONES: dict[str, dict[str, Any]] = {
    "plain": GOOD,
    "history": HISTORY,
    "tools": {**GOOD, "tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "f"}}},
    "schema": asked(name="n", schema={"type": "object"}),
    "text": {**GOOD, "response_format": {"type": "text"}},
    "whole numbers": {**GOOD, "temperature": 1, "top_p": 1, "top_k": 5},
    "unknown field": {**GOOD, "seed": 5},
}


@pytest.mark.parametrize(("kind", "path", "body"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_a_bad_request_is_refused_for_its_one_fault(kind: RequestFaultKind, path: str, body: dict[str, Any]) -> None:
    faults = DIALECT.check_request(post(PATH, body))
    assert [(fault.kind, fault.path) for fault in faults] == [(kind, path)]
    assert all(fault.what and fault.evidence for fault in faults)


@pytest.mark.parametrize("body", GOOD_ONES.values(), ids=GOOD_ONES)
def test_a_good_request_is_accepted(body: dict[str, Any]) -> None:
    assert list(DIALECT.check_request(post(PATH, body))) == []


def test_what_is_no_json_is_refused() -> None:
    assert [fault.kind for fault in DIALECT.check_request(post(PATH, b"{"))] == [FORM]


def test_everything_that_a_history_says_is_read() -> None:
    view = DIALECT.read_request(post(PATH, {**HISTORY, "stream": True, "tools": [TOOL], "tool_choice": "required"}))
    assert (view.system, view.stream, view.tool_choice) == (("Be brief.",), True, "any")
    assert [part for turn in view.turns for part in turn.parts] == [
        TextPart("x"),
        MediaPart("image", "png", b"\x89PNG\r\n\x1a\n"),
        TextPart("Ich prüfe."),
        CallPart("a", "f", {}),
        ResultPart("a", ("x",)),
    ]


def test_whether_a_stream_is_asked_for() -> None:
    assert DIALECT.is_stream(post(PATH, {**GOOD, "stream": True}))
    assert not DIALECT.is_stream(post(PATH, GOOD))
    assert not DIALECT.is_stream(post(PATH, b"{"))


@pytest.mark.parametrize("path", ["/v1/models", "/v1/responses"])
def test_another_path_is_refused(path: str) -> None:
    with pytest.raises(DecodeError, match="path"):
        DIALECT.read_request(post(path, GOOD))
