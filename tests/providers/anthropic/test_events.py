import json
from collections.abc import Mapping
from typing import Any

import pytest

from harness.contract.assembler import BrokenInput
from providers.anthropic.events import Translator
from tests.providers.anthropic.wire import Event, assembled, block, call, end, message, start, text


def told(*events: Event, names: Mapping[str, str] | None = None) -> list[Any]:
    translator = Translator(names)
    return [each for event in events for each in translator.feed(event)]


def whole(reply: Event) -> list[Any]:
    return Translator().whole(reply)


def content(events: list[Any]) -> Any:
    return assembled(events).message["content"]


THINKING = {"type": "thinking", "thinking": "", "signature": ""}
CITATION = {
    "type": "char_location",
    "cited_text": "grass",
    "document_index": 0,
    "document_title": "Facts",
    "start_char_index": 2,
    "end_char_index": 7,
}


def test_the_order_of_a_reply() -> None:
    events = told(start(), *text(0, "Hel", "", "lo"), *end())
    assert [next(iter(event)) for event in events] == [
        "messageStart",
        "contentBlockStart",
        "contentBlockDelta",
        "contentBlockDelta",
        "contentBlockStop",
        "messageStop",
        "metadata",
    ]
    assert content(events) == [{"text": "Hello"}]


def test_an_empty_block_leaves_no_trace() -> None:
    events = told(start(), *text(0, ""), *text(1, "a"), *end())
    assert content(events) == [{"text": "a"}]
    assert events[1]["contentBlockStart"]["contentBlockIndex"] == 0


def test_every_kind_of_block_streamed_and_whole() -> None:
    streamed = told(
        start(),
        *block(
            0, THINKING, {"type": "thinking_delta", "thinking": "hm"}, {"type": "signature_delta", "signature": "s1"}
        ),
        *block(1, THINKING, {"type": "signature_delta", "signature": "s2"}),
        *block(2, {"type": "redacted_thinking", "data": "AAE="}),
        *block(
            3,
            {"type": "text", "text": "", "citations": []},
            {"type": "text_delta", "text": "green"},
            {"type": "citations_delta", "citation": CITATION},
        ),
        *call(4, '{"a":', " 1}"),
        *end("tool_use", input_tokens=3, output_tokens=7),
    )
    reply = message(
        {"type": "thinking", "thinking": "hm", "signature": "s1"},
        {"type": "thinking", "thinking": "", "signature": "s2"},
        {"type": "redacted_thinking", "data": "AAE="},
        {"type": "text", "text": "green", "citations": [CITATION]},
        {"type": "tool_use", "id": "toolu_1", "name": "add", "input": {"a": 1}},
        reason="tool_use",
    )
    one, other = assembled(streamed), assembled(whole(reply))
    assert one.message == other.message
    assert (one.stop_reason, one.usage) == (other.stop_reason, other.usage)
    assert one.message["content"] == [
        {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s1"}}},
        {"reasoningContent": {"reasoningText": {"text": "", "signature": "s2"}}},
        {"reasoningContent": {"redactedContent": b"\x00\x01"}},
        {
            "citationsContent": {
                "content": [{"text": "green"}],
                "citations": [
                    {
                        "location": {"documentChar": {"documentIndex": 0, "start": 2, "end": 7}},
                        "sourceContent": [{"text": "grass"}],
                        "title": "Facts",
                    }
                ],
            }
        },
        {"toolUse": {"toolUseId": "toolu_1", "name": "add", "input": {"a": 1}}},
    ]


@pytest.mark.parametrize(
    ("citation", "location", "title"),
    [
        (
            {"type": "page_location", "document_index": 1, "start_page_number": 2, "end_page_number": 3},
            {"documentPage": {"documentIndex": 1, "start": 2, "end": 3}},
            None,
        ),
        (
            {"type": "content_block_location", "document_index": 1, "start_block_index": 2, "end_block_index": 3},
            {"documentChunk": {"documentIndex": 1, "start": 2, "end": 3}},
            None,
        ),
        (
            {
                "type": "search_result_location",
                "search_result_index": 4,
                "start_block_index": 0,
                "end_block_index": 1,
                "title": "Result",
            },
            {"searchResultLocation": {"searchResultIndex": 4, "start": 0, "end": 1}},
            "Result",
        ),
        (
            {"type": "web_search_result_location", "url": "https://example.org/a", "title": "Page"},
            {"web": {"url": "https://example.org/a"}},
            "Page",
        ),
    ],
)
def test_locations_of_citations(citation: Event, location: Any, title: str | None) -> None:
    cited = {"type": "text", "text": "x", "citations": [{**citation, "cited_text": "y"}]}
    (found,) = content(whole(message(cited)))[0]["citationsContent"]["citations"]
    assert found["location"] == location
    assert found.get("title") == title


def test_blocks_that_are_woven_into_each_other_come_apart() -> None:
    first, second = text(0, "a", "b"), call(1, '{"k":', "1}")
    woven = [first[0], first[1], second[0], second[1], first[2], second[2], second[3], first[3]]
    events = told(start(), *woven, *end("tool_use"))
    assert content(events) == [
        {"text": "ab"},
        {"toolUse": {"toolUseId": "toolu_1", "name": "add", "input": {"k": 1}}},
    ]
    before = told(start(), *woven[:5])
    assert [e["contentBlockDelta"]["delta"] for e in before if "contentBlockDelta" in e] == [
        {"text": "a"},
        {"text": "b"},
    ]


def test_blocks_that_nobody_ended_are_ended() -> None:
    assert content(told(start(), *text(0, "a")[:-1], *text(1, "b")[:-1], *end())) == [{"text": "a"}, {"text": "b"}]


def test_text_without_a_start_is_kept() -> None:
    assert content(told(*text(0, "a")[1:], *end())) == [{"text": "a"}]


def test_an_index_that_is_used_again_is_another_block() -> None:
    assert content(told(start(), *text(0, "a"), *call(0, "{}"), *text(0, "b"), *end())) == [
        {"text": "a"},
        {"toolUse": {"toolUseId": "toolu_1", "name": "add", "input": {}}},
        {"text": "b"},
    ]


def test_the_vendors_own_tools_are_not_told() -> None:
    server = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
    events = told(
        start(),
        *block(0, server, {"type": "input_json_delta", "partial_json": '{"query": "x"}'}),
        *block(1, {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}),
        *text(2, "found"),
        *end("tool_use"),
    )
    assert content(events) == [{"text": "found"}]
    assert assembled(events).stop_reason == "end_turn"


def test_what_nobody_knows_is_passed_over() -> None:
    unknown = [{"type": "ping"}, {"type": "brand_new"}, {}, *block(5, {"type": "hologram"}, {"type": "light_delta"})]
    odd = {"type": "content_block_delta", "index": 0, "delta": {"type": "brand_new_delta", "text": "no"}}
    first = text(0, "a", "b")
    events = told(start(), *unknown, first[0], odd, *first[1:], *unknown, *end())
    assert content(events) == [{"text": "ab"}]


def test_calls_without_arguments() -> None:
    events = told(start(), *call(0, "", call_id="a"), *call(1, call_id="b"), *end("tool_use"))
    assert content(events) == [
        {"toolUse": {"toolUseId": "a", "name": "add", "input": {}}},
        {"toolUse": {"toolUseId": "b", "name": "add", "input": {}}},
    ]


@pytest.mark.parametrize("reason", ["max_tokens", "refusal", "model_context_window_exceeded"])
def test_a_call_that_was_cut_is_told_as_cut(reason: str) -> None:
    events = told(start(), *call(0, '{"k": 1}', call_id="done"), *call(1, '{"k"', call_id="cut"), *end(reason))
    assert [part["toolUse"]["input"] for part in content(events)] == [{"k": 1}, BrokenInput('{"k"')]
    assert assembled(events).stop_reason != "tool_use"


def test_a_call_is_told_as_soon_as_it_starts() -> None:
    assert "contentBlockStart" in told(start(), *call(0, '{"k": 1}')[:1])[-1]


def test_input_that_comes_with_the_start() -> None:
    begun = {"type": "tool_use", "id": "t", "name": "add", "input": {"k": "é"}}
    events = told(start(), *block(0, begun), *end("tool_use"))
    assert content(events)[0]["toolUse"]["input"] == {"k": "é"}
    fragments = block(0, begun, {"type": "input_json_delta", "partial_json": '{"k": 2}'})
    assert content(told(start(), *fragments, *end("tool_use")))[0]["toolUse"]["input"] == {"k": 2}


def test_calls_get_ids_of_their_own() -> None:
    events = told(
        start(), *call(0, "{}", call_id="a"), *call(1, "{}", call_id="a"), *call(2, "{}", call_id=None), *end()
    )
    ids = [part["toolUse"]["toolUseId"] for part in content(events)]
    assert ids[0] == "a"
    assert len(set(ids)) == 3
    assert all(ids)


def test_names_come_back() -> None:
    events = told(start(), *call(0, "{}", name="calendar_read"), *end(), names={"calendar_read": "calendar.read"})
    assert content(events)[0]["toolUse"]["name"] == "calendar.read"


@pytest.mark.parametrize(
    ("first", "last", "usage"),
    [
        (
            {"input_tokens": 5, "output_tokens": 1, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 20},
            {"input_tokens": None, "output_tokens": 9, "cache_read_input_tokens": None},
            {
                "inputTokens": 5,
                "outputTokens": 9,
                "totalTokens": 134,
                "cacheReadInputTokens": 100,
                "cacheWriteInputTokens": 20,
            },
        ),
        (
            {"input_tokens": 5, "output_tokens": 1},
            {"input_tokens": 6, "output_tokens": 9},
            {"inputTokens": 6, "outputTokens": 9, "totalTokens": 15},
        ),
    ],
)
def test_usage_is_merged(first: Any, last: Any, usage: Any) -> None:
    assert assembled(told(start(**first), *text(0, "a"), *end(**last))).usage == usage


def test_usage_that_nobody_told_is_absent() -> None:
    silent = {"type": "message_start", "message": {"role": "assistant", "content": [], "usage": None}}
    events = told(silent, {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": None}, end()[-1])
    assert "usage" not in events[-1]["metadata"]
    assert events[-1]["metadata"]["metrics"]["latencyMs"] >= 0


def test_the_last_stop_reason_that_is_not_null_counts() -> None:
    late = {"type": "message_delta", "delta": {"stop_reason": None}, "usage": {"output_tokens": 8}}
    events = told(start(), *text(0, "a"), end("max_tokens")[0], late, {"type": "message_stop"})
    assert assembled(events).stop_reason == "max_tokens"


def test_what_the_contracts_stop_reason_hides_is_kept() -> None:
    events = told(start(), *text(0, "a"), *end("refusal"))
    stop = next(event["messageStop"] for event in events if "messageStop" in event)
    assert stop == {"stopReason": "content_filtered", "additionalModelResponseFields": {"stop_reason": "refusal"}}


def test_events_are_plain_json_but_for_redacted_bytes() -> None:
    events = told(start(), *text(0, "a"), *call(1, "{}"), *end("tool_use"))
    assert json.loads(json.dumps(events)) == events
