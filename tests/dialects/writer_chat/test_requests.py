"""What a request says, and why Writer would refuse it."""

from typing import Any

import pytest

from harness.dialects.base import DecodeError, ErrorClass, RequestFaultKind, VendorError
from harness.dialects.writer_chat import DIALECT
from tests.dialects.openai_chat.request_cases import TOOL, USER, call, calls, result, with_messages
from tests.dialects.relatives import Bad, post
from tests.dialects.writer_chat.samples import PLAIN

PATH = "/v1/chat"
GOOD: dict[str, Any] = {"model": "palmyra-x5", "messages": [USER]}
WITH_TOOLS = {**GOOD, "tools": [TOOL]}

BAD: list[Bad] = [
    ("no model", RequestFaultKind.FORM, "model", {"messages": [USER]}),
    ("role", RequestFaultKind.FORM, "messages[0].role", with_messages({"role": "developer", "content": "x"})),
    (
        "document",
        RequestFaultKind.MEDIA,
        "messages[0].content[0].type",
        with_messages({"role": "user", "content": [{"type": "file", "file": {"file_id": "x"}}]}),
    ),
    ("format", RequestFaultKind.FORM, "response_format.type", {**GOOD, "response_format": {"type": "json_object"}}),
    (
        "no schema",
        RequestFaultKind.FORM,
        "response_format.json_schema",
        {**GOOD, "response_format": {"type": "json_schema"}},
    ),
    ("choice alone", RequestFaultKind.TOOL_CHOICE, "tool_choice", {**GOOD, "tool_choice": {"value": "auto"}}),
    (
        "unanswered",
        RequestFaultKind.PAIRING,
        "messages[1].tool_calls[1]",
        with_messages(USER, calls(call("a"), call("b")), result("a")),
    ),
    (
        "tool name",
        RequestFaultKind.TOOL_NAME,
        "tools[0].function.name",
        {**GOOD, "tools": [{"type": "function", "function": {"name": "a b"}}]},
    ),
    (
        "blank text",
        RequestFaultKind.EMPTY_TEXT,
        "messages[0].content[0].text",
        with_messages({"role": "user", "content": [{"type": "text", "text": " "}]}),
    ),
]

GOOD_ONES: dict[str, dict[str, Any]] = {
    "wrapped choice": {**WITH_TOOLS, "tool_choice": {"value": "required"}},
    "plain choice": {**WITH_TOOLS, "tool_choice": "auto"},
    "named choice": {**WITH_TOOLS, "tool_choice": {"value": {"type": "function", "function": {"name": "f"}}}},
    "schema without a name": {
        **GOOD,
        "response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "object"}}},
    },
    "calls and results": with_messages(USER, calls(call()), result(), USER),
    "graph tool": {**GOOD, "tools": [{"type": "graph", "function": {"graph_ids": ["x"], "subqueries": False}}]},
}


@pytest.mark.parametrize(("kind", "path", "body"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_a_bad_request_is_refused_for_its_fault(kind: RequestFaultKind, path: str, body: dict[str, Any]) -> None:
    faults = DIALECT.check_request(post(PATH, body))
    assert (kind, path) in [(fault.kind, fault.path) for fault in faults]
    assert all(fault.what and fault.evidence for fault in faults)


@pytest.mark.parametrize("body", GOOD_ONES.values(), ids=GOOD_ONES)
def test_a_good_request_is_accepted(body: dict[str, Any]) -> None:
    assert DIALECT.check_request(post(PATH, body)) == []


def test_what_is_no_json_is_refused() -> None:
    assert [fault.kind for fault in DIALECT.check_request(post(PATH, b"{"))] == [RequestFaultKind.FORM]


@pytest.mark.parametrize(
    ("choice", "meant"),
    [({"value": "required"}, "any"), ("none", "none"), ({"value": {"function": {"name": "f"}}}, "tool:f")],
)
def test_a_choice_is_read_with_and_without_its_wrapper(choice: Any, meant: str) -> None:
    assert DIALECT.read_request(post(PATH, {**WITH_TOOLS, "tool_choice": choice})).tool_choice == meant


def test_the_schema_of_the_answer_is_read() -> None:
    view = DIALECT.read_request(post(PATH, GOOD_ONES["schema without a name"]))
    assert view.response_schema == {"type": "object"}


def test_another_path_is_not_writers() -> None:
    with pytest.raises(DecodeError, match="path"):
        DIALECT.read_request(post("/v1/chat/completions", GOOD))


@pytest.mark.parametrize("error", DIALECT.errors, ids=lambda error: error.id)
def test_errors_come_at_the_call_only(error: VendorError) -> None:
    told = DIALECT.encode_error(error)
    assert (told.status, told.body) == (error.status, error.body)
    assert DIALECT.encode_stream_error(error, PLAIN, {}, keep=1) is None


def test_the_classes_that_writer_has() -> None:
    assert {error.error_class for error in DIALECT.errors} == set(ErrorClass) - {ErrorClass.TOOLS_UNSUPPORTED}
