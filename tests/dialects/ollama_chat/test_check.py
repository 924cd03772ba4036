"""Why the server would refuse a request: by hand, by recordings, and against the package's own request type."""

import time
from typing import Any

import pytest
from ollama import Options
from ollama._types import ChatRequest, Message

from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.ollama_chat import DIALECT
from harness.dialects.ollama_chat.check import BODY_FIELDS, MESSAGE_FIELDS, OPTIONS
from tests.dialects.ollama_chat.recorded import answered, request_of
from tests.dialects.ollama_chat.test_requests import BODY, PNG, base64, request
from tests.shared import needs_shared

USER = {"role": "user", "content": "Hi"}
GOOD: dict[str, Any] = {"model": "m", "messages": [USER]}


def message(**fields: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{**USER, **fields}]}


def tool(**parameters: Any) -> dict[str, Any]:
    return {**GOOD, "tools": [{"type": "function", "function": {"name": "f", "parameters": parameters}}]}


def call(**function: Any) -> dict[str, Any]:
    return message(role="assistant", tool_calls=[{"function": {"name": "f", "arguments": {}, **function}}])


_SCHEMA = "tools[0].function.parameters"

BAD: list[tuple[str, Kind, str, dict[str, Any]]] = [
    ("no model", Kind.FORM, "model", {"messages": [USER]}),
    ("empty model", Kind.FORM, "model", {**GOOD, "model": ""}),
    ("messages object", Kind.FORM, "messages", {**GOOD, "messages": {}}),
    ("message text", Kind.FORM, "messages[0]", {**GOOD, "messages": ["Hi"]}),
    ("content in parts", Kind.FORM, "messages[0].content", message(content=[{"type": "text", "text": "x"}])),
    ("role number", Kind.FORM, "messages[0].role", message(role=1)),
    ("arguments text", Kind.FORM, "messages[0].tool_calls[0].function.arguments", call(arguments="{}")),
    ("index text", Kind.FORM, "messages[0].tool_calls[0].function.index", call(index="0")),
    ("tool name object", Kind.FORM, "messages[0].tool_name", message(role="tool", tool_name={})),
    ("stream text", Kind.FORM, "stream", {**GOOD, "stream": "true"}),
    ("tool in Bedrock's form", Kind.FORM, "tools", {**GOOD, "tools": {"toolSpec": {}}}),
    ("top_logprobs", Kind.FORM, "top_logprobs", {**GOOD, "top_logprobs": 21}),
    ("top_logprobs text", Kind.FORM, "top_logprobs", {**GOOD, "top_logprobs": "2"}),
    ("keep_alive without unit", Kind.FORM, "keep_alive", {**GOOD, "keep_alive": "300"}),
    ("keep_alive true", Kind.FORM, "keep_alive", {**GOOD, "keep_alive": True}),
    ("options array", Kind.FORM, "options", {**GOOD, "options": []}),
    ("temperature text", Kind.FORM, "options.temperature", {**GOOD, "options": {"temperature": "0.1"}}),
    ("num_predict text", Kind.FORM, "options.num_predict", {**GOOD, "options": {"num_predict": "5"}}),
    ("stop text", Kind.FORM, "options.stop", {**GOOD, "options": {"stop": "END"}}),
    ("stop numbers", Kind.FORM, "options.stop", {**GOOD, "options": {"stop": [1]}}),
    ("use_mmap number", Kind.FORM, "options.use_mmap", {**GOOD, "options": {"use_mmap": 1}}),
    ("think level", Kind.REASONING, "think", {**GOOD, "think": "maximal"}),
    ("think number", Kind.REASONING, "think", {**GOOD, "think": 1024}),
    ("format word", Kind.SCHEMA, "format", {**GOOD, "format": "yaml"}),
    ("format list", Kind.SCHEMA, "format", {**GOOD, "format": ["json"]}),
    ("schema in Bedrock's envelope", Kind.SCHEMA, f"{_SCHEMA}.type", tool(type={"json": {}})),
    ("required true", Kind.SCHEMA, f"{_SCHEMA}.required", tool(type="object", required=True)),
    ("property true", Kind.SCHEMA, f"{_SCHEMA}.properties.a", tool(properties={"a": True})),
    ("property enum", Kind.SCHEMA, f"{_SCHEMA}.properties.a.enum", tool(properties={"a": {"enum": "x"}})),
    ("property type", Kind.SCHEMA, f"{_SCHEMA}.properties.a.type", tool(properties={"a": {"type": {}}})),
    ("property types", Kind.SCHEMA, f"{_SCHEMA}.properties.a.type[1]", tool(properties={"a": {"type": ["string", 1]}})),
    ("property deep", Kind.SCHEMA, f"{_SCHEMA}.properties.a.anyOf[0]", tool(properties={"a": {"anyOf": ["x"]}})),
    (
        "image as data URL",
        Kind.MEDIA,
        "messages[0].images[0]",
        message(images=["data:image/png;base64," + base64(PNG)]),
    ),
    ("image object", Kind.MEDIA, "messages[0].images[0]", message(images=[{"url": "x"}])),
    ("empty image", Kind.MEDIA, "messages[0].images[0]", message(images=[""])),
    ("document as image", Kind.MEDIA, "messages[0].images[0]", message(images=[base64(b"%PDF-1.7")])),
]

GOOD_ONES: list[tuple[str, dict[str, Any]]] = [
    ("plain", GOOD),
    ("nulls", {**GOOD, "keep_alive": None, "tools": None, "format": None, "options": None, "think": None}),
    ("unknown fields", {**GOOD, "tool_choice": "auto", "options": {"my_option": {}}}),
    ("result without call", message(role="tool")),
    ("call without result", call()),
    ("any role", message(role="control")),
    ("no content", {"model": "m", "messages": [{"role": "assistant"}]}),
    ("no messages", {"model": "m"}),
    *((f"keep_alive {value}", {**GOOD, "keep_alive": value}) for value in (0, -1, 300, 1.5, "5m", "-1s", "1h30m", "0")),
    *((f"think {value}", {**GOOD, "think": value}) for value in (True, False, "low", "max")),
    *((f"format {value}", {**GOOD, "format": value}) for value in ("", "json", {"type": "object"})),
    ("fraction for a whole option", {**GOOD, "options": {"num_ctx": 4096.0, "temperature": 0, "stop": ["x"]}}),
    ("tool without parameters", {**GOOD, "tools": [{"type": "function", "function": {"name": "f"}}]}),
    ("items of any kind", tool(type="object", properties={"a": {"type": ["array", "null"], "items": True}})),
    ("image", message(images=[base64(PNG)])),
]


@pytest.mark.parametrize(("kind", "path", "body"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_a_bad_request_is_refused_for_its_one_fault(kind: Kind, path: str, body: dict[str, Any]) -> None:
    faults = DIALECT.check_request(request(body))
    assert [(fault.kind, fault.path) for fault in faults] == [(kind, path)]
    assert all(fault.what and fault.evidence.startswith("Ollama 400: ") for fault in faults)


def test_every_kind_that_ollama_refuses_has_a_bad_request() -> None:
    assert {row[1] for row in BAD} == {Kind.FORM, Kind.REASONING, Kind.SCHEMA, Kind.MEDIA}


@pytest.mark.parametrize("body", [row[1] for row in GOOD_ONES], ids=[row[0] for row in GOOD_ONES])
def test_a_good_request_is_accepted(body: dict[str, Any]) -> None:
    assert DIALECT.check_request(request(body)) == []


def test_what_is_no_json_is_refused() -> None:
    assert [fault.kind for fault in DIALECT.check_request(request(b"{"))] == [Kind.FORM]


# --- witnesses ------------------------------------------------------------------------------------------------------

#: Options that the package (0.6) still lists and the server no longer has.
GONE = {"numa", "low_vram", "f16_kv", "logits_all", "vocab_only", "use_mlock", "embedding_only", "tfs_z"}
GONE |= {"mirostat", "mirostat_tau", "mirostat_eta", "penalize_newline"}


def test_fields_are_those_of_the_package() -> None:
    assert set(BODY_FIELDS) - {"truncate", "shift"} == set(ChatRequest.model_fields)
    assert set(MESSAGE_FIELDS) - {"tool_call_id"} == set(Message.model_fields)
    assert set(OPTIONS) - {"min_p"} == set(Options.model_fields) - GONE


@needs_shared
def test_requests_that_were_answered_are_accepted() -> None:
    judged = [DIALECT.check_request(request_of(found)) for found in answered()]
    assert len(judged) > 15
    assert not any(judged)


def test_judging_a_small_request_takes_microseconds() -> None:
    body = request(BODY)
    rounds = []
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(20):
            DIALECT.check_request(body)
        rounds.append((time.perf_counter() - start) / 20)
    assert min(rounds) < 100e-6
