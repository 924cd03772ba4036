"""Events: order, blocks, stop reasons, usage, redaction."""

import asyncio
import json
import warnings
from typing import Any

import pytest
from botocore import loaders

from harness.contract.assembler import Assembler, assemble
from harness.contract.config import UnknownStopReasonWarning, UnsupportedContentWarning
from harness.contract.exceptions import IncompleteStreamError, ModelResponseError
from providers.bedrock.events import Translator
from providers.bedrock.names import NAMES
from providers.bedrock.stops import STOPS
from tests.providers.bedrock.support import (
    HELLO,
    HI,
    METADATA,
    START,
    Bedrock,
    Frame,
    begin,
    collect,
    delta,
    end,
    frames,
    reply,
    stop,
    streamed,
)

CALL: tuple[Frame, ...] = (
    begin(0, toolUse={"toolUseId": "t1", "name": "weather"}),
    delta(0, toolUse={"input": '{"city":'}),
    delta(0, toolUse={"input": ' "Ulm"}'}),
    end(0),
)


def read(*events: Frame, **config: Any) -> Assembler:
    """The reply that the events tell, by way of the SDK; its order must be legal."""
    assembled = assemble(Bedrock(streamed(frames(*events)), **config).run())
    assert assembled.violations == []
    return assembled


def body(*blocks: Frame, reason: str = "end_turn") -> Assembler:
    return read(START, *blocks, stop(reason), METADATA)


def test_a_short_reply_in_full() -> None:
    assert Bedrock(streamed(frames(*HI))).run() == [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockStart": {"contentBlockIndex": 0, "start": {}}},
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Hi"}}},
        {"contentBlockStop": {"contentBlockIndex": 0}},
        {"messageStop": {"stopReason": "end_turn"}},
        {
            "metadata": {
                "metrics": {"latencyMs": 7},
                "usage": {"inputTokens": 3, "outputTokens": 2, "totalTokens": 5},
            }
        },
    ]


def test_blocks_of_every_kind() -> None:
    citation = {"location": {"web": {"url": "u", "domain": "d"}}, "title": "t", "sourceContent": [{"text": "s"}]}
    read_back = body(
        delta(0, reasoningContent={"text": "hm"}),
        delta(0, reasoningContent={"text": ""}),
        delta(0, reasoningContent={"signature": "sig"}),
        end(0),
        delta(1, reasoningContent={"redactedContent": "AAE="}),
        end(1),
        delta(2, text="said"),
        delta(2, citation={**citation, "source": "dropped: the contract has no such member"}),
        end(2),
        delta(3, citation=citation),
        end(3),
        *CALL,
        reason="tool_use",
    )
    assert read_back.message["content"] == [
        {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "sig"}}},
        {"reasoningContent": {"redactedContent": b"\x00\x01"}},
        {"citationsContent": {"content": [{"text": "said"}], "citations": [citation]}},
        {"citationsContent": {"content": [], "citations": [citation]}},
        {"toolUse": {"name": "weather", "toolUseId": "t1", "input": {"city": "Ulm"}}},
    ]


def test_a_signature_without_text_is_kept() -> None:
    read_back = body(delta(0, reasoningContent={"signature": "sig"}), end(0))
    assert read_back.message["content"] == [{"reasoningContent": {"reasoningText": {"text": "", "signature": "sig"}}}]


def test_empty_text_makes_no_block_and_leaves_no_gap() -> None:
    events = Bedrock(
        streamed(frames(START, delta(0, text=""), end(0), delta(2, text="a"), end(2), stop("end_turn")))
    ).run()
    assert [event["contentBlockStart"]["contentBlockIndex"] for event in events if "contentBlockStart" in event] == [0]


def test_unknown_events_and_deltas_are_ignored() -> None:
    unknown: tuple[Frame, ...] = (("heartbeat", {"at": 1}), delta(0, hologram={"a": 1}), begin(0, hologram={}))
    assert body(*unknown, delta(0, text="a"), end(0)).message["content"] == [{"text": "a"}]


def test_interleaved_blocks_are_kept_apart_and_the_open_one_is_not_held_up() -> None:
    translator = Translator({})
    first, second = {"toolUseId": "a", "name": "x"}, {"toolUseId": "b", "name": "y"}
    told = [
        [key for event in translator.feed({kind: payload}) for key in event]
        for kind, payload in (
            START,
            begin(0, toolUse=first),
            begin(1, toolUse=second),
            delta(1, toolUse={"input": "{}"}),
            delta(0, toolUse={"input": "{}"}),
            end(1),
            end(0),
            stop("tool_use"),
        )
    ]
    start, piece, over = "contentBlockStart", "contentBlockDelta", "contentBlockStop"
    assert told == [["messageStart"], [start], [], [], [piece], [], [over, start, piece, over], ["messageStop"]]


def test_interleaved_blocks_lose_nothing() -> None:
    read_back = read(
        START,
        delta(0, text="a"),
        begin(1, toolUse={"toolUseId": "t", "name": "weather"}),
        delta(2, text="z"),
        delta(1, toolUse={"input": "{}"}),
        delta(0, text="b"),
        stop("end_turn"),
    )
    assert read_back.message["content"] == [
        {"text": "ab"},
        {"toolUse": {"toolUseId": "t", "name": "weather", "input": {}}},
        {"text": "z"},
    ]
    assert read_back.stop_reason == "end_turn"  # the call was not finished


def test_ids_of_calls_are_unique_and_never_empty() -> None:
    calls = [
        block
        for index, given in enumerate(("same", "same", ""))
        for block in (begin(index, toolUse={"toolUseId": given, "name": "n"}), end(index))
    ]
    ids = [block["toolUse"]["toolUseId"] for block in body(*calls, reason="tool_use").message["content"]]
    assert ids[0] == "same"
    assert len(set(ids)) == 3
    assert all(ids)


def test_names_of_tools_come_back_as_they_were_given() -> None:
    spec: Any = {"name": "weather.now", "description": "d", "inputSchema": {"json": {"type": "object"}}}
    call = frames(
        START, begin(0, toolUse={"toolUseId": "t", "name": NAMES.wire("weather.now")}), end(0), stop("tool_use")
    )
    (block,) = assemble(Bedrock(streamed(call)).run(HELLO, [spec])).message["content"]
    assert block["toolUse"]["name"] == "weather.now"


def test_tools_that_the_service_runs_are_not_calls() -> None:
    read_back = body(
        begin(0, toolUse={"toolUseId": "s", "name": "nova_grounding", "type": "server_tool_use"}),
        delta(0, toolUse={"input": '{"query": "x"}'}),
        end(0),
        begin(1, toolResult={"toolUseId": "s", "status": "success", "type": "nova_grounding_result"}),
        delta(1, toolResult=[{"text": "hidden"}]),
        end(1),
        delta(2, text="a"),
        end(2),
    )
    assert read_back.message["content"] == [{"text": "a"}]
    assert read_back.stop_reason == "end_turn"


def test_input_of_no_tool_is_an_error() -> None:
    with pytest.raises(ModelResponseError, match="not named"):
        body(delta(0, toolUse={"input": "{}"}))


def test_an_image_in_the_reply_warns() -> None:
    with pytest.warns(UnsupportedContentWarning, match="image"):
        read_back = body(begin(0, image={"format": "png"}), end(0), delta(1, text="a"), end(1))
    assert read_back.message["content"] == [{"text": "a"}]


# --- the end


@pytest.mark.parametrize("kept", range(len(HI) - 1))
def test_a_stream_without_message_stop_is_incomplete(kept: int) -> None:
    bedrock = Bedrock(streamed(frames(*HI[:kept])))
    with pytest.raises(IncompleteStreamError):
        bedrock.run()
    assert bedrock.endpoint.log.unreleased == 0


def test_a_reply_without_metadata_is_complete() -> None:
    events = Bedrock(streamed(frames(*HI[:-1]))).run()
    assert events[-1] == {"messageStop": {"stopReason": "end_turn"}}


def test_every_stop_reason_of_the_service_has_a_row() -> None:
    service = loaders.Loader().load_service_model("bedrock-runtime", "service-2")
    assert set(service["shapes"]["StopReason"]["enum"]) <= set(STOPS)


@pytest.mark.parametrize(
    ("vendor", "without_calls", "with_calls"),
    [
        ("end_turn", "end_turn", "tool_use"),
        ("stop_sequence", "stop_sequence", "tool_use"),
        ("tool_use", "end_turn", "tool_use"),
        ("max_tokens", "max_tokens", "max_tokens"),
        ("guardrail_intervened", "guardrail_intervened", "guardrail_intervened"),
        ("content_filtered", "content_filtered", "content_filtered"),
        ("model_context_window_exceeded", "max_tokens", "max_tokens"),
        ("malformed_model_output", "content_filtered", "content_filtered"),
        ("malformed_tool_use", "content_filtered", "content_filtered"),
    ],
)
def test_stop_reasons(vendor: str, without_calls: str, with_calls: str) -> None:
    text = (delta(0, text="a"), end(0))
    assert body(*text, reason=vendor).stop_reason == without_calls
    assert body(*CALL, reason=vendor).stop_reason == with_calls


def test_a_call_that_is_cut_off_does_not_make_a_stop() -> None:
    assert body(*CALL[:2], end(0)).stop_reason == "end_turn"


@pytest.mark.parametrize("members", [{"stopReason": "novel"}, {}])
def test_an_unknown_stop_reason_warns(members: dict[str, str]) -> None:
    with pytest.warns(UnknownStopReasonWarning):
        read_back = read(START, delta(0, text="a"), end(0), ("messageStop", members))
    assert read_back.stop_reason == "end_turn"


def test_fields_of_the_models_own_are_passed_on() -> None:
    fields = {"stop_sequence": "x"}
    events = Bedrock(
        streamed(frames(START, ("messageStop", {"stopReason": "end_turn", "additionalModelResponseFields": fields})))
    ).run()
    assert events[-1] == {"messageStop": {"stopReason": "end_turn", "additionalModelResponseFields": fields}}


# --- usage


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (
            {
                "inputTokens": 11,
                "outputTokens": 2,
                "cacheWriteInputTokens": 7,
                "totalTokens": 20,
                "serverToolUsage": {},
            },
            {"inputTokens": 11, "outputTokens": 2, "cacheWriteInputTokens": 7, "totalTokens": 20},
        ),
        (
            {"inputTokens": 11, "cacheReadInputTokens": 7, "totalTokens": None},
            {"inputTokens": 11, "outputTokens": 0, "cacheReadInputTokens": 7, "totalTokens": 18},
        ),
    ],
)
def test_usage(usage: Any, expected: Any) -> None:
    assert read(*HI[:-1], ("metadata", {"usage": usage})).usage == expected


def test_repeated_metadata_is_merged_and_told_once() -> None:
    later: Frame = ("metadata", {"usage": {"inputTokens": None, "outputTokens": 9, "totalTokens": 12}})
    events = Bedrock(streamed(frames(*HI, later))).run()
    told = [event["metadata"] for event in events if "metadata" in event]
    assert told == [
        {"usage": {"inputTokens": 3, "outputTokens": 9, "totalTokens": 12}, "metrics": {"latencyMs": 7}},
    ]


def test_latency_is_measured_where_the_service_tells_none() -> None:
    read_back = read(*HI[:-1], ("metadata", {"usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}}))
    assert read_back.metrics is not None
    assert 0 <= read_back.metrics["latencyMs"] < 10_000


# --- guardrails


def blocked(**details: Any) -> dict[str, Any]:
    topic = {"name": "n", "type": "DENY", **details}
    return {"guardrail": {"inputAssessment": {"g1": {"topicPolicy": {"topics": [topic]}}}}}


INPUT = {"redactUserContentMessage": "[User input redacted.]"}
OUTPUT = {"redactAssistantContentMessage": "[Assistant output redacted.]"}


@pytest.mark.parametrize(
    ("reason", "trace", "redacted"),
    [
        ("guardrail_intervened", blocked(action="BLOCKED", detected=True), True),
        ("guardrail_intervened", blocked(action="BLOCKED"), True),
        ("end_turn", blocked(action="BLOCKED"), True),
        ("end_turn", blocked(action="BLOCKED", detected=False), False),
        ("end_turn", blocked(action="NONE", detected=True), False),
        ("guardrail_intervened", None, True),
        ("guardrail_intervened", {"promptRouter": {"invokedModelId": "m"}}, True),
        ("guardrail_intervened", blocked(action="ANONYMIZED", detected=True), False),
        ("end_turn", None, False),
    ],
)
def test_what_blocks(reason: str, trace: Any, redacted: bool) -> None:
    metadata: Frame = ("metadata", {**METADATA[1], **({"trace": trace} if trace else {})})
    read_back = read(START, delta(0, text="bad"), end(0), stop(reason), metadata, guardrail_redact_output=True)
    assert read_back.redactions == ([INPUT, OUTPUT] if redacted else [])
    assert read_back.trace == trace


def test_output_assessments_block_too() -> None:
    policy = {"contentPolicy": {"filters": [{"type": "HATE", "confidence": "HIGH", "action": "BLOCKED"}]}}
    trace = {"guardrail": {"outputAssessments": {"g1": [policy]}}}
    assert read(*HI[:-1], ("metadata", {"trace": trace})).redactions == [INPUT]


@pytest.mark.parametrize(
    ("settings", "redacted"),
    [
        ({}, [INPUT]),
        ({"guardrail_redact_input": False}, []),
        ({"guardrail_redact_input": False, "guardrail_redact_output": True}, [OUTPUT]),
        (
            {
                "guardrail_redact_input_message": "in",
                "guardrail_redact_output": True,
                "guardrail_redact_output_message": "out",
            },
            [{"redactUserContentMessage": "in"}, {"redactAssistantContentMessage": "out"}],
        ),
    ],
)
def test_input_and_output_are_redacted_as_configured(settings: Any, redacted: Any) -> None:
    assert read(START, delta(0, text="x"), end(0), stop("guardrail_intervened"), **settings).redactions == redacted


# --- whole replies


USE: Any = {"toolUse": {"toolUseId": "t1", "name": "weather", "input": {"city": "Ulm"}}}
CITED: Any = {"citationsContent": {"content": [{"text": "a"}], "citations": [{"title": "t"}]}}


@pytest.mark.parametrize(
    ("answer", "events"),
    [
        (reply({"text": "Hi"}), HI),
        (reply(), (START, stop("end_turn"), METADATA)),
        (reply(USE, stop_reason="tool_use"), (START, *CALL, stop("tool_use"), METADATA)),
        (reply(USE), (START, *CALL, stop("end_turn"), METADATA)),
        (
            reply(CITED),
            (START, delta(0, text="a"), delta(0, citation={"title": "t"}), end(0), stop("end_turn"), METADATA),
        ),
        (
            reply(
                {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}},
                {"reasoningContent": {"redactedContent": "AAE="}},
            ),
            (
                START,
                delta(0, reasoningContent={"text": "hm"}),
                delta(0, reasoningContent={"signature": "s"}),
                end(0),
                delta(1, reasoningContent={"redactedContent": "AAE="}),
                end(1),
                stop("end_turn"),
                METADATA,
            ),
        ),
        (
            reply({"text": "x"}, stop_reason="guardrail_intervened"),
            (START, delta(0, text="x"), end(0), stop("guardrail_intervened"), METADATA),
        ),
        (
            reply({"toolUse": {"toolUseId": "s", "name": "n", "input": {}, "type": "server_tool_use"}}, {"text": "a"}),
            (START, delta(1, text="a"), end(1), stop("end_turn"), METADATA),
        ),
        (reply({"hologram": {}}, {"text": "a"}), (START, delta(1, text="a"), end(1), stop("end_turn"), METADATA)),
    ],
)
def test_whole_replies_say_the_same_as_streamed_ones(answer: Any, events: tuple[Frame, ...]) -> None:
    whole, stream = assemble(Bedrock(answer, streaming=False).run()), read(*events)
    assert whole.violations == []
    assert whole.message == stream.message
    assert (whole.stop_reason, whole.usage, whole.metrics, whole.redactions) == (
        stream.stop_reason,
        stream.usage,
        stream.metrics,
        stream.redactions,
    )


def test_no_warnings_and_no_shared_state_when_streams_run_together() -> None:
    """Two replies, told in turns, on one model."""
    answers = iter(
        streamed(frames(START, delta(0, text=text), end(0), stop("end_turn"), METADATA), gap=0.0) for text in "ab"
    )
    bedrock = Bedrock(lambda _: next(answers))

    async def both() -> list[str]:
        replies = await asyncio.gather(collect(bedrock.model), collect(bedrock.model))
        return sorted(json.dumps(assemble(events).message["content"]) for events in replies)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert asyncio.run(both()) == ['[{"text": "a"}]', '[{"text": "b"}]']
