"""What has changed between two recordings is told, with its witnesses, and nothing else is."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from harness.cassettes.drift.compare import Change, Severity, compare, read
from harness.cassettes.drift.dialect import spoken
from harness.cassettes.drift.report import markdown
from harness.cassettes.drift.sdk import knows
from harness.cassettes.model import Cassette, CassetteError
from harness.cassettes.storage import load, save
from harness.discovery import find
from harness.wire.eventstream import EventStreamDecoder, encode_message

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PROVIDERS = [provider.name for provider in find(["all"])]


def test_the_document_shows_what_the_command_says() -> None:
    old, new = read(DOCS / "drift" / "old.yaml"), read(DOCS / "drift" / "new.yaml")
    told = "\n".join(markdown(old, new, compare(old, new), None, datetime.now(UTC)))
    assert told in (DOCS / "drift.md").read_text(encoding="utf-8")
    assert "**high**" in (DOCS / "drift.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_recording_has_not_drifted_from_itself(provider: str) -> None:
    recorded = read(ROOT / "cassettes" / provider)
    assert compare(recorded, recorded) == []


def _anthropic(edit: Callable[[dict[str, Any]], dict[str, Any]]) -> list[Change]:
    """The changes that an edit of each event of a streamed reply makes."""
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"role": "assistant", "usage": {"input_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    base = load(ROOT / "cassettes" / "anthropic" / "text.yaml")

    def made(told: list[dict[str, Any]]) -> dict[str, Cassette]:
        chunks = tuple(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n".encode() for each in told)
        return {"x": replace(base, interactions=(replace(base.interactions[0], chunks=chunks, times=()),))}

    edited = [edit(json.loads(json.dumps(each))) for each in events]
    return compare(made(events), made(edited))


def _set(kind: str, **values: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda event: {**event, **values} if event["type"] == kind else event


def _renamed(kind: str, new: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda event: {**event, "type": new} if event["type"] == kind else event


def test_a_field_that_nobody_knows() -> None:
    (change,) = _anthropic(_set("content_block_delta", mood="fine"))
    assert change == Change(Severity.MEDIUM, "field added", "content_block_delta.mood", "–", "text", False, False)


def test_a_field_that_the_sdk_knows() -> None:
    (change,) = _anthropic(
        _set("message_start", message={"role": "assistant", "usage": {"input_tokens": 1}, "id": "x"})
    )
    assert (change.severity, change.where, change.sdk) == (Severity.LOW, "message_start.message.id", True)


def test_a_field_that_vanished() -> None:
    (change,) = _anthropic(_set("message_delta", usage={}))
    assert (change.severity, change.what, change.where) == (
        Severity.HIGH,
        "field vanished",
        "message_delta.usage.output_tokens",
    )


def test_a_type_that_changed() -> None:
    (change,) = _anthropic(_set("content_block_stop", index="0"))
    assert (change.severity, change.what, change.old, change.new) == (Severity.HIGH, "type changed", "number", "text")


def test_a_word_that_is_new() -> None:
    changes = _anthropic(_set("message_delta", delta={"stop_reason": "bored"}))
    assert [(c.severity, c.what, c.new, c.dialect) for c in changes][:1] == [
        (Severity.HIGH, "word added", "bored", False)
    ]


def test_a_word_that_is_known() -> None:
    changes = _anthropic(_set("message_delta", delta={"stop_reason": "max_tokens"}))
    assert (Severity.LOW, "word added", "max_tokens", True) in [(c.severity, c.what, c.new, c.dialect) for c in changes]


def test_events_that_come_and_go() -> None:
    told = [(c.severity, c.what, c.where) for c in _anthropic(_renamed("content_block_stop", "content_block_end"))]
    assert (Severity.HIGH, "event vanished", "content_block_stop") in told
    assert (Severity.MEDIUM, "event added", "content_block_end") in told


def test_an_order_that_changed() -> None:
    swap = {"message_delta": "message_stop", "message_stop": "message_delta"}
    changes = _anthropic(lambda event: {**event, "type": swap.get(event["type"], event["type"])})
    (order,) = [change for change in changes if change.what == "order changed"]
    assert order.old.endswith("message_delta → message_stop")
    assert order.new.endswith("message_stop → message_delta")


def test_a_request_that_changed() -> None:
    old = read(ROOT / "cassettes" / "openai" / "text.yaml")
    ((name, cassette),) = old.items()
    one = cassette.interactions[0]
    body = json.dumps({**json.loads(one.request_body), "mood": "fine"}).encode()
    new = {name: replace(cassette, interactions=(replace(one, request_body=body),))}
    assert compare(old, new) == [Change(Severity.LOW, "request with", "mood", "–", "text")]


def test_binary_event_streams_are_read() -> None:
    old = read(ROOT / "cassettes" / "bedrock" / "text.yaml")
    ((name, cassette),) = old.items()
    one = cassette.interactions[0]
    messages = EventStreamDecoder().feed(one.body)
    told = tuple(
        encode_message(replace(message, payload=message.payload.replace(b'"end_turn"', b'"bored"')))
        for message in messages
    )
    changes = compare(old, {name: replace(cassette, interactions=(replace(one, chunks=told),))})
    assert (Severity.HIGH, "word added", "messageStop.stopReason", "bored") in [
        (change.severity, change.what, change.where, change.new) for change in changes
    ]


@pytest.mark.parametrize(
    ("dialect", "path", "known"),
    [
        ("openai_chat", ("choices", "[]", "delta", "tool_calls", "[]", "function", "arguments"), True),
        ("openai_chat", ("choices", "[]", "delta", "mood"), False),
        ("openai_responses", ("response.output_text.delta", "delta"), True),
        ("gemini_generate", ("candidates", "[]", "finishReason"), True),
        ("ollama_chat", ("message", "content"), True),
        ("writer_chat", ("choices", "[]", "finish_reason"), True),
        ("llama_api", ("event", "delta", "text"), True),
        ("sagemaker_chat", ("choices",), None),
    ],
)
def test_the_sdks_are_asked(dialect: str, path: tuple[str, ...], known: bool | None) -> None:
    assert knows(dialect, path) is known


@pytest.mark.parametrize("dialect", sorted({provider.dialect for provider in find(["all"])}))
def test_each_dialect_is_a_witness(dialect: str) -> None:
    said = spoken(dialect)
    assert said.fields
    assert said.words


def test_recordings_that_come_go_and_are_old(tmp_path: Path) -> None:
    one = load(ROOT / "cassettes" / "openai" / "text.yaml")
    for folder, name in (("a", "x"), ("b", "y")):
        save(tmp_path / folder / f"{name}.yaml", one)
    old, new = read(tmp_path / "a"), read(tmp_path / "b")
    assert [(c.what, c.where) for c in compare(old, new)] == [
        ("recording vanished", "x.yaml"),
        ("recording added", "y.yaml"),
    ]
    assert one.provenance.recorded is not None
    day = datetime.fromisoformat(one.provenance.recorded)
    lines = {age: "\n".join(markdown(old, new, [], timedelta(age), day + timedelta(9))) for age in (8, 10)}
    assert ["y.yaml was recorded more than" in lines[age] for age in (8, 10)] == [True, False]


def test_a_folder_without_cassettes_is_told(tmp_path: Path) -> None:
    with pytest.raises(CassetteError, match="holds no cassettes"):
        read(tmp_path)
