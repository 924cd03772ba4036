"""Why the service would refuse a request: by hand, by recordings, and against the package's own request types."""

import time
from typing import Any, get_type_hints

import pytest
from mistralai.client import models

from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.mistral_chat import DIALECT, shapes
from harness.dialects.mistral_chat.rules import Members
from tests.dialects.mistral_chat.cases import BAD, GOOD_ONES, USER, call, calls, result, talk
from tests.dialects.mistral_chat.recorded import answered, request_of
from tests.dialects.mistral_chat.test_requests import BODY, request
from tests.shared import needs_shared


@pytest.mark.parametrize(("kind", "path", "body"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_a_bad_request_is_refused_for_its_one_fault(kind: Kind, path: str, body: dict[str, Any]) -> None:
    faults = DIALECT.check_request(request(body))
    assert (kind, path) in [(fault.kind, fault.path) for fault in faults]
    assert {fault.kind for fault in faults} <= {kind, Kind.PAIRING}
    assert all(fault.what and fault.evidence.startswith("Mistral 4") for fault in faults)


def test_every_kind_has_a_bad_request() -> None:
    assert {row[1] for row in BAD} == set(Kind) - {Kind.NO_TOOLS}


@pytest.mark.parametrize("body", [row[1] for row in GOOD_ONES], ids=[row[0] for row in GOOD_ONES])
def test_a_good_request_is_accepted(body: dict[str, Any]) -> None:
    assert DIALECT.check_request(request(body)) == []


def test_what_is_no_json_is_refused() -> None:
    assert [fault.kind for fault in DIALECT.check_request(request(b"{"))] == [Kind.FORM]


# --- witnesses ------------------------------------------------------------------------------------------------------

#: our objects, and the package's types for them
TYPES: list[tuple[str, Members, Any]] = [
    ("body", shapes.BODY, models.ChatCompletionRequestTypedDict),
    ("body of a stream", shapes.BODY, models.ChatCompletionStreamRequestTypedDict),
    ("system", shapes.MESSAGES["system"], models.SystemMessageTypedDict),
    ("user", shapes.MESSAGES["user"], models.UserMessageTypedDict),
    ("assistant", shapes.MESSAGES["assistant"], models.AssistantMessageTypedDict),
    ("tool", shapes.MESSAGES["tool"], models.ToolMessageTypedDict),
    ("text", shapes.CHUNKS["text"], models.TextChunkTypedDict),
    ("image", shapes.CHUNKS["image_url"], models.ImageURLChunkTypedDict),
    ("document", shapes.CHUNKS["document_url"], models.DocumentURLChunkTypedDict),
    ("thinking", shapes.CHUNKS["thinking"], models.ThinkChunkTypedDict),
    ("image address", shapes.IMAGE_URL, models.ImageURLTypedDict),
    ("call", shapes.CALL, models.ToolCallTypedDict),
    ("function of a call", shapes.CALL_FUNCTION, models.FunctionCallTypedDict),
    ("function", shapes.FUNCTION, models.FunctionTypedDict),
    ("choice", shapes.CHOICE, models.ToolChoiceTypedDict),
    ("format", shapes.RESPONSE_FORMAT, models.ResponseFormatTypedDict),
]


@pytest.mark.parametrize(("members", "sdk"), [row[1:] for row in TYPES], ids=[row[0] for row in TYPES])
def test_members_are_those_of_the_package(members: Members, sdk: Any) -> None:
    assert set(members) == set(get_type_hints(sdk))
    assert {name for name, member in members.items() if member.required} <= sdk.__required_keys__


def test_chunks_are_those_of_the_package() -> None:
    assert set(shapes.CHUNKS) == set(models.contentchunk._CONTENT_CHUNK_VARIANTS)


@needs_shared
def test_requests_that_were_answered_are_accepted() -> None:
    judged = {found.name: request_of(found) for found in answered()}
    faults = {name: DIALECT.check_request(kept) for name, kept in judged.items() if kept is not None}
    assert len(faults) > 40
    assert {name: found for name, found in faults.items() if found} == {}


def test_judging_a_small_request_takes_microseconds() -> None:
    body = request({**talk(USER, calls(call()), result()), "tools": BODY["tools"], "tool_choice": "auto"})
    rounds = []
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(20):
            DIALECT.check_request(body)
        rounds.append((time.perf_counter() - start) / 20)
    assert min(rounds) < 100e-6
