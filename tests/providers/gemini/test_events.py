from typing import Any

import pytest
from google.genai.types import GenerateContentResponse

from harness.contract.assembler import Assembler
from harness.contract.config import UnknownStopReasonWarning
from harness.contract.exceptions import IncompleteStreamError
from providers.gemini.events import Translator
from tests.providers.gemini.service import USAGE, Chunk, Service, answered, call, chunk, streamed


def told(*chunks: Chunk) -> Assembler:
    return Service(streamed(*chunks)).ask()


def content(*chunks: Chunk) -> list[Any]:
    return list(told(*chunks).message["content"])


def thought(text: str, **fields: Any) -> Chunk:
    return {"text": text, "thought": True, **fields}


def reasoning(text: str, signature: str | None = None) -> Chunk:
    return {"reasoningContent": {"reasoningText": {"text": text, **({"signature": signature} if signature else {})}}}


def test_parts_of_a_kind_are_one_block_and_a_signature_ends_a_block_of_thoughts() -> None:
    assert content(
        chunk(thought("I ")),
        chunk(thought("see.", thoughtSignature="c2ln")),
        chunk(thought("And"), {"text": "It "}),
        chunk({"text": ""}, {"text": "is."}, finish="STOP"),
    ) == [reasoning("I see.", "c2ln"), reasoning("And"), {"text": "It is."}]


def test_a_signature_without_thoughts_is_kept_with_the_thoughts_before_it() -> None:
    signed = chunk(thought("", thoughtSignature="c2ln"), finish="STOP")
    assert content(chunk(thought("Hm.")), signed) == [reasoning("Hm.", "c2ln")]
    assert content(signed) == [reasoning("", "c2ln")]


def test_the_signature_of_text_makes_no_block() -> None:
    assert content(chunk({"text": "Hi"}), chunk({"text": "", "thoughtSignature": "c2ln"}, finish="STOP")) == [
        {"text": "Hi"}
    ]


def test_calls_keep_their_signature_and_their_id_and_get_one_where_they_have_none() -> None:
    signed = call("add", id="abc", args={"a": [1, "日"]}) | {"thoughtSignature": "c2ln"}
    reply = told(chunk(signed, call("add", id="abc"), call("clock")), chunk(finish="STOP"))
    first, *others = [block["toolUse"] for block in reply.message["content"]]
    assert first == {"toolUseId": "abc", "name": "add", "input": {"a": [1, "日"]}, "reasoningSignature": "c2ln"}
    assert [(use["name"], use["input"]) for use in others] == [("add", {}), ("clock", {})]
    assert len({"abc", "", *(use["toolUseId"] for use in others)}) == 4
    assert reply.stop_reason == "tool_use"


def partial(path: str, **value: Any) -> Chunk:
    return {"functionCall": {"partialArgs": [{"jsonPath": path, **value}], "willContinue": True}}


def test_arguments_that_come_piece_by_piece() -> None:
    reply = told(
        chunk(call("plan", willContinue=True)),
        chunk(partial("$.city", stringValue="New ", willContinue=True)),
        chunk(partial("$.city", stringValue="York")),
        chunk(partial("$.stops[1].name", stringValue="B")),
        chunk(partial("$.stops[0]['a.b']", numberValue=2)),
        chunk(partial("$.fast", boolValue=False), partial("$.via", nullValue="NULL_VALUE")),
        chunk({"functionCall": {}}, call("clock")),
        chunk(finish="STOP"),
    )
    assert [(block["toolUse"]["name"], block["toolUse"]["input"]) for block in reply.message["content"]] == [
        ("plan", {"city": "New York", "stops": [{"a.b": 2}, {"name": "B"}], "fast": False, "via": None}),
        ("clock", {}),
    ]
    assert reply.stop_reason == "tool_use"


@pytest.mark.parametrize(("finish", "reason"), [("MAX_TOKENS", "max_tokens"), ("STOP", "end_turn")])
def test_a_call_that_was_cut_cannot_be_taken_for_a_whole_one(finish: str, reason: str) -> None:
    reply = told(
        chunk(call("plan", willContinue=True)), chunk(partial("$.city", stringValue="Ro")), chunk(finish=finish)
    )
    assert reply.message["content"][0]["toolUse"]["input"] not in ({}, {"city": "Ro"})
    assert reply.stop_reason == reason


def test_calls_win_over_stop_but_not_over_a_limit() -> None:
    assert told(chunk(call("add")), chunk(finish="MAX_TOKENS")).stop_reason == "max_tokens"
    assert told(chunk(call("add"), finish="SAFETY")).stop_reason == "content_filtered"


def test_usage_of_the_last_chunk_that_has_any_stands() -> None:
    reply = told(
        chunk({"text": "Hi"}, usageMetadata={"promptTokenCount": 9, "totalTokenCount": 9}),
        chunk(finish="MAX_TOKENS"),
        {
            "usageMetadata": {
                "promptTokenCount": 10,
                "toolUsePromptTokenCount": 5,
                "candidatesTokenCount": 3,
                "thoughtsTokenCount": 2,
                "cachedContentTokenCount": 4,
                "totalTokenCount": 20,
            }
        },
        {"usageMetadata": {"trafficType": "ON_DEMAND"}},
    )
    assert reply.usage == {"inputTokens": 15, "outputTokens": 5, "totalTokens": 20, "cacheReadInputTokens": 4}
    assert reply.stop_reason == "max_tokens"


def test_counts_that_are_absent_are_zero_and_usage_that_is_absent_is_not_made_up() -> None:
    told_total = told(chunk({"text": "Hi"}, finish="STOP", usageMetadata={"totalTokenCount": 7}))
    assert told_total.usage == {"inputTokens": 0, "outputTokens": 0, "totalTokens": 7}
    assert told(chunk({"text": "Hi"}, finish="STOP")).usage is None


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(("word", "reason"), [("SAFETY", "content_filtered"), ("MODEL_ARMOR", "guardrail_intervened")])
def test_a_refused_prompt_is_an_empty_reply_that_says_why(word: str, reason: str, *, whole: bool) -> None:
    refused = {"promptFeedback": {"blockReason": word}, "usageMetadata": {"promptTokenCount": 3, "totalTokenCount": 3}}
    service = Service(answered(refused) if whole else streamed(refused), stream=not whole)
    reply = service.ask()
    assert (reply.message["content"], reply.stop_reason) == ([], reason)
    assert reply.usage == {"inputTokens": 3, "outputTokens": 0, "totalTokens": 3}


def test_what_the_stop_reason_does_not_say_goes_beside_it() -> None:
    candidate = {"finish_reason": "RECITATION", "finish_message": "Too close."}
    translator = Translator({})
    translator.feed(GenerateContentResponse.model_validate({"candidates": [candidate]}))
    assert translator.finish()[-2] == {
        "messageStop": {
            "stopReason": "content_filtered",
            "additionalModelResponseFields": {"finishReason": "RECITATION", "finishMessage": "Too close."},
        }
    }


@pytest.mark.parametrize("candidate", [{}, {"content": {}}, {"content": {"parts": []}}, {"content": None}])
def test_a_candidate_without_parts_still_ends_the_reply(candidate: Chunk) -> None:
    reply = told({"candidates": [candidate | {"finishReason": "MALFORMED_FUNCTION_CALL"}]})
    assert (reply.message["content"], reply.stop_reason) == ([], "content_filtered")


def test_other_candidates_are_left_out() -> None:
    both = chunk({"text": "Hi"}, finish="STOP", usageMetadata=USAGE)
    both["candidates"].append({"content": {"parts": [{"text": "Other"}]}, "index": 1, "finishReason": "MAX_TOKENS"})
    reply = told(both)
    assert (reply.message["content"], reply.stop_reason) == ([{"text": "Hi"}], "end_turn")


def test_a_word_that_nobody_knows_warns() -> None:
    with pytest.warns(UserWarning, match="UNHEARD_OF") as warned:
        assert told(chunk({"text": "Hi"}, finish="UNHEARD_OF")).stop_reason == "end_turn"
    assert UnknownStopReasonWarning in {warning.category for warning in warned}


@pytest.mark.parametrize("chunks", [(), (chunk({"text": "Hi"}),), (chunk(call("add")),)])
def test_a_stream_without_a_finish_reason_is_incomplete(chunks: tuple[Chunk, ...]) -> None:
    with pytest.raises(IncompleteStreamError):
        told(*chunks)
