"""Witness: botocore reads what the dialect sends, and its model of the service has every member of it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.parsers import create_parser
from hypothesis import given, settings

from harness.dialects.base import Style, VendorError, WireReply
from harness.dialects.bedrock_converse import DIALECT
from harness.dialects.reply import Reasoning, RedactedReasoning, Reply, Text, ToolUse
from harness.wire.eventstream import EventStreamDecoder
from tests.dialects.bedrock_converse.replies import NEIGHBOURS, RICH, replies, styles
from tests.dialects.bedrock_converse.strict import output, problems

#: what the service model forbids and the dialect says all the same, by the ends of the problems' texts
TOLERATED = {
    ".toolUse.type: tool_use is not in the enumeration": "recorded; the model knows server_tool_use alone",
    ".usage.serverToolUsage: unknown": "recorded",
    ".usage.cacheReadInputTokenCount: unknown": "recorded",
    ".usage.cacheWriteInputTokenCount: unknown": "recorded",
    ".p: unknown": "recorded: padding of random length",
    ".unmodelledMember: unknown": "the axis 'extras' says just this",
}


class _Body:
    """A response's body as botocore takes it: read once, in pieces."""

    def __init__(self, frames: tuple[bytes, ...]) -> None:
        self._frames = frames

    def stream(self) -> Iterator[bytes]:
        yield from self._frames

    def close(self) -> None:
        """Nothing is held."""


def parse(told: WireReply, *, stream: bool) -> Any:
    """What boto3 would hand to its caller."""
    operation = "ConverseStream" if stream else "Converse"
    response = {
        "status_code": told.status,
        "headers": dict(told.headers),
        "body": _Body(told.frames) if stream and told.status == 200 else told.body,
        "context": {"operation_name": operation},
    }
    return create_parser("rest-json").parse(response, output(operation))


@given(reply=replies(stream=True), style=styles)
@settings(max_examples=150, deadline=None)
def test_botocore_reads_the_texts_and_calls_of_a_stream(reply: Reply, style: Style) -> None:
    events = list(parse(DIALECT.encode(reply, style, stream=True), stream=True)["stream"])
    deltas = [event["contentBlockDelta"]["delta"] for event in events if "contentBlockDelta" in event]
    starts = [event["contentBlockStart"]["start"] for event in events if "contentBlockStart" in event]
    expected = DIALECT.expected(reply, style, stream=True)
    said = "".join(delta.get("text", "") for delta in deltas)
    assert said == "".join(block.text for block in expected.blocks if isinstance(block, Text))
    thought = "".join(delta.get("reasoningContent", {}).get("text", "") for delta in deltas)
    assert thought == "".join(block.text for block in expected.blocks if isinstance(block, Reasoning))
    hidden = b"".join(delta.get("reasoningContent", {}).get("redactedContent", b"") for delta in deltas)
    assert hidden == b"".join(block.data for block in expected.blocks if isinstance(block, RedactedReasoning))
    called = [(start["toolUse"]["toolUseId"], start["toolUse"]["name"]) for start in starts if "toolUse" in start]
    assert called == [(call.id, call.name) for call in expected.tools]
    assert [event["messageStop"]["stopReason"] for event in events if "messageStop" in event] == [
        expected.wire_stop or expected.stop
    ]


@given(reply=replies(stream=False), style=styles)
@settings(max_examples=150, deadline=None)
def test_botocore_reads_the_blocks_of_a_whole_reply(reply: Reply, style: Style) -> None:
    parsed = parse(DIALECT.encode(reply, style, stream=False), stream=False)
    expected = DIALECT.expected(reply, style, stream=False)
    content = parsed["output"]["message"]["content"]
    calls = [block["toolUse"] for block in content if "toolUse" in block]
    assert [(call["toolUseId"], call["name"], call["input"]) for call in calls] == [
        (call.id, call.name, call.input) for call in expected.tools
    ]
    said = [block["text"] for block in content if block.get("text")]
    assert said == [block.text for block in expected.blocks if isinstance(block, Text) and not block.citations]
    if expected.usage:
        assert (parsed["usage"]["inputTokens"], parsed["usage"]["totalTokens"]) == (
            expected.usage.input,
            expected.usage.total,
        )


def payloads(told: WireReply) -> Iterator[tuple[str, Any]]:
    """Event types with their payloads."""
    for message in EventStreamDecoder().feed(told.body):
        yield str(message.headers[":event-type"]), json.loads(message.payload)


@pytest.mark.parametrize("style", NEIGHBOURS, ids=str)
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
def test_the_service_model_has_all_that_is_sent(style: Style, stream: bool) -> None:
    found: set[str] = set()
    for reply in RICH:
        told = DIALECT.encode(reply, style, stream=stream)
        if not stream:
            found |= set(problems(output("Converse"), json.loads(told.body)))
            continue
        events: Any = output("ConverseStream")
        for name, payload in payloads(told):
            if name != "unmodelledEvent":
                found |= set(problems(events.members["stream"].members[name], payload, name))
    assert [problem for problem in sorted(found) if not problem.endswith(tuple(TOLERATED))] == []


@pytest.mark.parametrize("error", DIALECT.errors, ids=lambda error: error.id)
def test_botocore_names_http_errors(error: VendorError) -> None:
    parsed = parse(DIALECT.encode_error(error), stream=False)
    name = dict(error.headers)["x-amzn-errortype"].partition(":")[0]
    assert parsed["Error"] == {"Code": name, "Message": json.loads(error.body)["message"]}
    assert parsed["ResponseMetadata"]["HTTPStatusCode"] == error.status


@pytest.mark.parametrize("error", [error for error in DIALECT.errors if error.in_stream], ids=lambda error: error.id)
def test_botocore_raises_errors_in_a_stream(error: VendorError) -> None:
    from botocore.exceptions import EventStreamError

    told = DIALECT.encode_stream_error(error, RICH[0], {}, keep=3)
    assert told is not None
    events = iter(parse(told, stream=True)["stream"])
    assert [next(iter(next(events))) for _ in range(3)] == ["messageStart", "contentBlockDelta", "contentBlockDelta"]
    with pytest.raises(EventStreamError) as caught:
        next(events)
    name = dict(error.headers)["x-amzn-errortype"].partition(":")[0]
    assert caught.value.response["Error"]["Code"].lower() == name.lower()
    assert caught.value.response["Error"]["Message"] == json.loads(error.body)["message"]


def test_streamed_tool_input_is_whole_for_every_call() -> None:
    call = ToolUse.of("tooluse_AAAAAAAAAAAAAAAAAAAAAA", "f", {"city": "Zürich"})
    told = DIALECT.encode(Reply((call, call), "tool_use"), {"argument_fragments": "characters"}, stream=True)
    inputs: dict[int, str] = {}
    for event in parse(told, stream=True)["stream"]:
        if delta := event.get("contentBlockDelta"):
            inputs[delta["contentBlockIndex"]] = (
                inputs.get(delta["contentBlockIndex"], "") + delta["delta"]["toolUse"]["input"]
            )
    assert list(inputs.values()) == [call.arguments, call.arguments]
