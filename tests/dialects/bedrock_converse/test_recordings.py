"""Witness: what real exchanges hold is what the dialect says and reads, and nothing else."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from harness.dialects.base import DecodeError
from harness.dialects.bedrock_converse import DIALECT
from harness.dialects.bedrock_converse.stops import STOPS
from harness.dialects.reply import Citation, Guardrail, Reasoning, RedactedReasoning, Text, ToolUse, Usage
from harness.wire.eventstream import EventStreamDecoder
from tests.dialects.bedrock_converse.replies import NEIGHBOURS, RICH
from tests.recordings.corpus import CorpusExchange, exchanges, recording
from tests.shared import needs_shared

PROTOCOLS = ("bedrock-converse", "bedrock-converse-stream")

#: answers of status 200 that are no replies
NO_REPLIES = {
    "bedrock-converse-stream/agentjido+req_llm__amazon_bedrock_converse_stream_validation_exception.json": (
        "validationException"
    ),
}

_SERVER_TOOLS = "server tools answer requests with a systemTool alone, which nothing in the contract asks for"

#: parts of recorded paths that no style says
IGNORED = {
    "start.toolResult": _SERVER_TOOLS,
    "delta.toolResult": _SERVER_TOOLS,
    ".toolResult.": _SERVER_TOOLS,
    "appliedGuardrailDetails": "names the guardrail; says nothing of what it did",
    "invocationMetrics.usage.": "counts of what a guardrail costs: some of them are told, all are read past",
    "sensitiveInformationPolicy.regexes[]": "findings like those of piiEntities, which are told",
}

#: parts of told paths that no recording holds, and who says that they may come
UNRECORDED = {
    "unmodelledMember": "the axis 'extras' says just this: members that no model names",
    "unmodelledEvent": "the axis 'unknown_events' says just this",
    "performanceConfig": "service model: ConverseStreamMetadataEvent.performanceConfig",
    "serviceTier": "service model: ConverseStreamMetadataEvent.serviceTier",
    "additionalModelResponseFields": "service model: MessageStopEvent.additionalModelResponseFields",
    "promptRouter": "service model: ConverseStreamTrace.promptRouter",
    "citationsContent.citations[].location.web": "recorded in streams; service model: CitationLocation.web",
    "reasoningContent.redactedContent": "recorded in streams; service model: ReasoningContentBlock.redactedContent",
    "contentPolicy": "service model: GuardrailContentPolicyAssessment",
    "wordPolicy": "service model: GuardrailWordPolicyAssessment",
    "topicPolicy": "recorded in a stream's inputAssessment; service model: GuardrailTopicPolicyAssessment",
    "contextualGroundingPolicy": "recorded in outputAssessments without detected; service model",
    "sensitiveInformationPolicy": "recorded in outputAssessments; service model: GuardrailAssessment has it for both",
}


def paths(value: Any, path: str) -> Iterator[str]:
    """The JSON paths to every leaf; indices collapsed, and what a tool or guardrail is named left out."""
    if path.endswith((".toolUse.input", "toolUse.input")):
        yield path
    elif isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from paths(inner, f"{path}.{'*' if path.endswith(('Assessment', 'Assessments')) else name}")
    elif isinstance(value, list) and value:
        for inner in value:
            yield from paths(inner, f"{path}[]")
    else:
        yield path + ("={}" if value == {} else "=[]" if value == [] else "")


def told_paths(body: bytes, *, stream: bool) -> set[str]:
    if not stream:
        return set(paths(json.loads(body), "whole"))
    return {
        path
        for message in EventStreamDecoder().feed(body)
        for path in paths(json.loads(message.payload), str(message.headers.get(":event-type")))
    }


def asks_for_stream(found: CorpusExchange) -> bool:
    return "/converse-stream" in (found.exchange.request.url or "")


@cache
def replied() -> tuple[CorpusExchange, ...]:
    return tuple(
        found
        for found in exchanges(PROTOCOLS)
        if found.exchange.response.status == 200 and found.row.path not in NO_REPLIES
    )


def recorded() -> set[str]:
    return set().union(
        *(told_paths(found.exchange.response.body, stream=asks_for_stream(found)) for found in replied())
    )


def told() -> set[str]:
    return set().union(
        *(
            told_paths(DIALECT.encode(reply, style, stream=stream).body, stream=stream)
            for reply in RICH
            for style in [
                *NEIGHBOURS,
                *(
                    {"guardrail_policy": policy, "guardrail_findings": findings}
                    for policy in ("topic", "content", "word", "sensitive", "grounding")
                    for findings in ("detected", "undetected")
                ),
            ]
            for stream in (True, False)
        )
    )


@needs_shared
def test_there_are_recordings() -> None:
    streams = [asks_for_stream(found) for found in replied()]
    assert (streams.count(True), streams.count(False)) == (45, 46)


@needs_shared
def test_every_recorded_path_is_told_or_ignored_for_a_reason() -> None:
    missing = {path for path in recorded() - told() if not any(part in path for part in IGNORED)}
    assert missing == set()


@needs_shared
def test_every_told_path_is_recorded_or_documented() -> None:
    invented = {path for path in told() - recorded() if not any(part in path for part in UNRECORDED)}
    assert invented == set()


@needs_shared
def test_the_lists_hold_nothing_that_is_not_needed() -> None:
    only_recorded, only_told = recorded() - told(), told() - recorded()
    assert {part for part in IGNORED if not any(part in path for path in only_recorded)} == set()
    assert {part for part in UNRECORDED if not any(part in path for path in only_told)} == set()


@needs_shared
def test_every_recorded_reply_is_read_and_told_again() -> None:
    stops = {row.wire for row in STOPS}
    for found in replied():
        stream = asks_for_stream(found)
        reply = DIALECT.decode(found.exchange.response.body, stream=stream)
        assert (reply.wire_stop or reply.stop) in stops, found.name
        again = DIALECT.encode(reply, {}, stream=stream)
        assert DIALECT.decode(again.body, stream=stream) == reply, found.name


@needs_shared
@pytest.mark.parametrize(("path", "error"), NO_REPLIES.items())
def test_a_recorded_error_is_no_reply(path: str, error: str) -> None:
    (exchange,) = recording(path)
    with pytest.raises(DecodeError, match=error):
        DIALECT.decode(exchange.response.body, stream=True)


_PYDANTIC_STREAM = "bedrock-converse-stream/pydantic+pydantic-ai__test_bedrock_"
_OTEL_STREAM = "bedrock-converse-stream/open-telemetry+opentelemetry-python-contrib__"
_DATADOG_STREAM = "bedrock-converse-stream/DataDog+dd-trace-py__botocore_bedrock_cassettes_bedrock_"
_RUBY_STREAM = "bedrock-converse-stream/crmne+ruby_llm__chat_web_search_with_bedrock_amazon_"

#: what a few recordings say, read by eye
READ = {
    f"{_PYDANTIC_STREAM}test_bedrock_model_stream_empty_text_delta.yaml": (
        0,
        [Reasoning, Text],
        Usage(70, 43, 113),
        753,
    ),
    f"{_PYDANTIC_STREAM}test_bedrock_model_thinking_part_redacted_stream.yaml": (
        0,
        [RedactedReasoning, RedactedReasoning, Text],
        Usage(92, 253, 345),
        8069,
    ),
    f"{_OTEL_STREAM}test_converse_stream_no_content_tool_call.yaml": (
        0,
        [Text, ToolUse, ToolUse],
        Usage(415, 195, 610),
        593,
    ),
    f"{_DATADOG_STREAM}converse_stream_prompt_caching.yaml": (
        1,
        [Text],
        Usage(12, 250, 1290, 1028, 0),
        None,
    ),
    f"{_RUBY_STREAM}nova-2-lite-v1_0_streams_grounded_turns.yml": (
        0,
        [Text, Text, Text, Text, Text],
        Usage(141, 95, 236),
        1965,
    ),
    "bedrock-converse/Arize-ai+openinference__should-handle-empty-minimal-response.json": (0, [], None, None),
    "bedrock-converse/pydantic+pydantic-ai__test_bedrock_test_bedrock_model_with_code_execution_tool.yaml": (
        0,
        [ToolUse],
        Usage(1002, 59, 1061),
        1604,
    ),
}


@needs_shared
@pytest.mark.parametrize("path", READ)
def test_recordings_are_read_as_a_person_reads_them(path: str) -> None:
    index, kinds, usage, latency = READ[path]
    exchange = recording(path)[index]
    reply = DIALECT.decode(exchange.response.body, stream="/converse-stream" in str(exchange.request.url))
    assert ([type(block) for block in reply.blocks], reply.usage) == (kinds, usage)
    assert latency in (None, reply.latency_ms)


@needs_shared
def test_a_recorded_citation_is_read() -> None:
    (exchange,) = recording(
        "bedrock-converse-stream/crmne+ruby_llm__chat_citations_with_bedrock_claude-haiku-4-5_streams_citations.yml"
    )
    (block,) = DIALECT.decode(exchange.response.body, stream=True).blocks
    assert isinstance(block, Text)
    (citation,) = block.citations
    assert isinstance(citation, Citation)
    assert (citation.title, citation.location) == (
        "facts",
        {"documentChar": {"documentIndex": 0, "start": 0, "end": 73}},
    )
    assert str(citation.source).startswith("The Ruby")


@needs_shared
@pytest.mark.parametrize(
    ("path", "guardrail", "stop"),
    [
        (
            "bedrock-converse-stream/agentjido+req_llm__amazon_bedrock_guardrail_converse_blocked_stream.json",
            Guardrail(True, False),
            "guardrail_intervened",
        ),
        (
            "bedrock-converse/traceloop+openllmetry__test_guardrails_test_guardrail_converse.yaml",
            Guardrail(False, False),
            "guardrail_intervened",
        ),
        (
            "bedrock-converse/traceloop+openllmetry__test_anthropic_test_anthropic_cross_region.yaml",
            Guardrail(False, False),
            "end_turn",
        ),
    ],
)
def test_recorded_guardrails_are_read(path: str, guardrail: Guardrail, stop: str) -> None:
    (exchange,) = recording(path)
    reply = DIALECT.decode(exchange.response.body, stream="/converse-stream" in str(exchange.request.url))
    assert (reply.guardrail, reply.stop) == (guardrail, stop)


@needs_shared
def test_evidence_that_names_a_recording_names_one_that_is_there() -> None:
    there = {found.row.path for found in exchanges(PROTOCOLS)}
    named = {
        part.strip()
        for evidence in (
            *(option.evidence for axis in DIALECT.axes for option in axis.options),
            *(row.evidence for row in DIALECT.stops),
            *(error.evidence for error in DIALECT.errors),
        )
        for part in evidence.replace(": bedrock-", "; bedrock-").split(";")
        if part.strip().startswith("bedrock-converse")
    }
    assert named
    assert named <= there
