"""What a request says, and why llama.cpp's server would refuse it.

The witness is the server itself: what it answered to each bad request of the family (xllamacpp 2026.10.11549).
"""

from typing import Any

import pytest

from harness.dialects.base import DecodeError, RequestFaultKind
from harness.dialects.llamacpp_chat import DIALECT
from harness.dialects.llamacpp_chat.check import TYPES
from tests.dialects.openai_chat.request_cases import BAD as FAMILY
from tests.dialects.openai_chat.request_cases import TOOL, USER, call, calls, image, result, user, with_messages
from tests.dialects.relatives import Bad, post

PATH = "/v1/chat/completions"
GOOD: dict[str, Any] = {"messages": [USER]}

#: Bad requests of the family that the server answered with 400 or 500.
REFUSED = {
    "no messages",
    "max_tokens text",
    "temperature text",
    "no role",
    "no content",
    "content object",
    "part without type",
    "unknown part",
    "call without type",
    "arguments cut",
    "arguments blank",
    "tool without function",
    "tool in Bedrock's form",
    "unknown format",
    "call without result",
    "choice any",
    "file in a result",
    "file as bare base64",
    "file of nothing",
}
#: Those that a server with an image model refuses: the one asked had none, and refused every image.
REFUSED_IMAGES = {
    "image URL text",
    "image without data URL",
    "image twice wrapped",
    "image of no format",
    "image by format alone",
    "empty image",
}
#: Those that the asked model's template took, and other models' do not.
REFUSED_BY_TEMPLATES = {"system later"}
#: Those of which its answer says nothing: two images that another server would have to judge, and an empty oneOf.
UNTOLD = {"image of another format", "image of the assistant", "strict schema with oneOf"}
JUDGED = [row for row in FAMILY if row[0] not in UNTOLD]

BAD: list[Bad] = [
    ("messages text", RequestFaultKind.FORM, "messages", {"messages": "x"}),
    ("no message", RequestFaultKind.FORM, "messages[0].role", {"messages": ["x"]}),
    ("no user content", RequestFaultKind.FORM, "messages[0].content", with_messages({"role": "user"})),
    ("part text", RequestFaultKind.FORM, "messages[0].content[0].text", user({"type": "text"})),
    ("refusal part", RequestFaultKind.FORM, "messages[0].content[0].type", user({"type": "refusal", "refusal": "x"})),
    ("document", RequestFaultKind.MEDIA, "messages[0].content[0]", user({"type": "file", "file": {}})),
    (
        "broken base64",
        RequestFaultKind.MEDIA,
        "messages[0].content[0].image_url.url",
        user(image("data:image/png;base64,?")),
    ),
    (
        "assistant twice",
        RequestFaultKind.ROLES,
        "messages[2].role",
        with_messages(USER, *2 * [{"role": "assistant", "content": "x"}]),
    ),
    (
        "custom call",
        RequestFaultKind.FORM,
        "messages[1].tool_calls[0].type",
        with_messages(USER, calls({**call(), "type": "custom"}), result()),
    ),
    (
        "call without function",
        RequestFaultKind.FORM,
        "messages[1].tool_calls[0].function",
        with_messages(USER, calls({"type": "function"}), result()),
    ),
    (
        "call without name",
        RequestFaultKind.FORM,
        "messages[1].tool_calls[0].function.name",
        with_messages(USER, calls({"type": "function", "function": {"arguments": "{}"}}), result()),
    ),
    ("tools object", RequestFaultKind.FORM, "tools", {**GOOD, "tools": {}}),
    ("tool of another type", RequestFaultKind.FORM, "tools[0].type", {**GOOD, "tools": [{"type": "custom"}]}),
    (
        "tool without name",
        RequestFaultKind.TOOL_NAME,
        "tools[0].function.name",
        {**GOOD, "tools": [{"type": "function", "function": {}}]},
    ),
    (
        "schema list",
        RequestFaultKind.SCHEMA,
        "tools[0].function.parameters",
        {**GOOD, "tools": [{"type": "function", "function": {"name": "f", "parameters": []}}]},
    ),
    ("stream text", RequestFaultKind.FORM, "stream", {**GOOD, "stream": "yes"}),
    ("grammar and schema", RequestFaultKind.FORM, "grammar", {**GOOD, "grammar": "x", "json_schema": {"type": "null"}}),
    ("grammar and tools", RequestFaultKind.FORM, "grammar", {**GOOD, "grammar": "x", "tools": [TOOL]}),
]


@pytest.mark.parametrize(("name", "body"), [(row[0], row[3]) for row in JUDGED], ids=[row[0] for row in JUDGED])
def test_the_check_refuses_what_the_server_refuses(name: str, body: dict[str, Any]) -> None:
    refused = name in REFUSED | REFUSED_IMAGES | REFUSED_BY_TEMPLATES
    assert bool(DIALECT.check_request(post(PATH, body))) is refused


@pytest.mark.parametrize(("kind", "path", "body"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_a_bad_request_is_refused_for_its_fault(kind: RequestFaultKind, path: str, body: dict[str, Any]) -> None:
    faults = DIALECT.check_request(post(PATH, body))
    assert (kind, path) in [(fault.kind, fault.path) for fault in faults]
    assert all(fault.what and "llama.cpp" in fault.evidence for fault in faults)


def test_null_is_as_good_as_absent() -> None:
    nulls = dict.fromkeys((*TYPES, "tools", "tool_choice", "response_format", "grammar", "json_schema"))
    assert DIALECT.check_request(post(PATH, {**GOOD, **nulls})) == []


def test_media_of_its_own_are_accepted() -> None:
    audio = {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}
    assert DIALECT.check_request(post(PATH, user(audio, image("file:///a.png"), image("https://x.y/z")))) == []


def test_what_is_no_json_is_refused() -> None:
    assert [fault.kind for fault in DIALECT.check_request(post(PATH, b"{"))] == [RequestFaultKind.FORM]


@pytest.mark.parametrize(
    "asked",
    [
        {"json_schema": {"type": "object"}},
        {"response_format": {"type": "json_object", "schema": {"type": "object"}}},
        {"response_format": {"type": "json_schema", "schema": {"type": "object"}}},
        {"response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "object"}}}},
    ],
)
def test_a_schema_is_read_from_each_of_its_places(asked: dict[str, Any]) -> None:
    view = DIALECT.read_request(post(PATH, {**GOOD, **asked, "grammar": "root ::= x"}))
    assert view.response_schema == {"type": "object"}
    assert view.params == {"grammar": "root ::= x"}


def test_json_without_a_schema_stays_a_parameter() -> None:
    view = DIALECT.read_request(post(PATH, {**GOOD, "response_format": {"type": "json_object"}}))
    assert (view.response_schema, view.params) == (None, {"response_format": {"type": "json_object"}})


def test_tokenize_is_no_chat() -> None:
    with pytest.raises(DecodeError):
        DIALECT.read_request(post("/tokenize", {"content": "x"}))
