"""What the styles put on the wire."""

import json
import time
from typing import Any

import pytest

from harness.dialects.base import Style
from harness.dialects.openai_responses import DIALECT
from harness.dialects.reply import Reasoning, Reply, Text
from harness.wire.sse import SseDecoder
from tests.dialects.openai_responses.samples import CALLS, CITED, CUT, FILTERED, PLAIN, REFUSED, SEALED, SHORT, THOUGHT

THOUGHTFUL = Reply((Reasoning("Well, so."), Text("So.")))


def events(reply: Reply, style: Style) -> list[dict[str, Any]]:
    """The JSON of every event."""
    decoder = SseDecoder()
    met = [*decoder.feed(DIALECT.encode(reply, style, stream=True).body), *decoder.finish()]
    return [json.loads(event.data) for event in met if event.data != "[DONE]"]


def kinds(reply: Reply, style: Style) -> list[str]:
    """The types of events, repeated ones once."""
    met = [event["type"].removeprefix("response.") for event in events(reply, style)]
    return [kind for at, kind in enumerate(met) if at == 0 or met[at - 1] != kind]


def test_the_usual_text_stream_is_that_of_openai() -> None:
    assert kinds(PLAIN, {}) == [
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "completed",
    ]


@pytest.mark.parametrize(
    ("style", "met"),
    [
        ({"skeleton": "done_only", "opening": "created"}, ["created", "output_text.done", "completed"]),
        ({"skeleton": "deltas_only", "opening": "none"}, ["output_text.delta", "output_text.done", "completed"]),
    ],
)
def test_servers_that_leave_events_out(style: Style, met: list[str]) -> None:
    assert kinds(PLAIN, style) == met


def test_numbers_count_every_event() -> None:
    assert [event["sequence_number"] for event in events(THOUGHT, {})] == list(range(len(events(THOUGHT, {}))))
    assert not any("sequence_number" in event for event in events(THOUGHT, {"sequence_number": "absent"}))


def test_event_lines_repeat_the_type() -> None:
    decoder = SseDecoder()
    met = decoder.feed(DIALECT.encode(THOUGHT, {"id_line": "present"}, stream=True).body)
    assert all(event.event == json.loads(event.data)["type"] for event in met)
    assert [event.id for event in met] == [str(number) for number in range(len(met))]


def test_no_event_names_a_place_where_indexes_are_absent() -> None:
    names = {name for event in events(THOUGHT, {"indexes": "absent"}) for name in event}
    assert not {name for name in names if name.endswith("_index")}


def test_ids_of_an_item_are_one_or_change_as_the_style_says() -> None:
    def met(option: str) -> set[str]:
        told = events(PLAIN, {"item_ids": option})
        ids = {event.get("item_id") or event.get("item", {}).get("id") for event in told} - {None}
        return ids | {item["id"] for item in told[-1]["response"]["output"]}

    assert len(met("stable")) == 1
    assert len(met("other_at_the_end")) == 2
    assert len(met("other_in_every_event")) == len(events(PLAIN, {})) - 2  # all but created and in_progress


def test_reasoning_may_be_done_after_the_item_that_follows_it() -> None:
    told = events(SEALED, {"overlap": "reasoning_done_late"})
    done = [event["output_index"] for event in told if event["type"] == "response.output_item.done"]
    assert done == [1, 0]


def test_reasoning_is_told_in_one_part_or_in_two() -> None:
    def told(style: Style) -> list[tuple[int, str]]:
        done = "response.reasoning_summary_text.done"
        return [(event["summary_index"], event["text"]) for event in events(THOUGHTFUL, style) if event["type"] == done]

    assert told({}) == [(0, "Well, so.")]
    assert told({"reasoning_told_in": "two_parts"}) == [(0, "Well"), (1, ", so.")]
    assert told({"reasoning_told_in": "two_parts", "overlap": "reasoning_done_late"}) == [(0, "Well"), (1, ", so.")]


def test_the_final_response_repeats_the_encrypted_reasoning_or_encrypts_it_anew() -> None:
    def seals(option: str) -> list[str]:
        told = events(SEALED, {"encrypted": option})
        done = [event["item"] for event in told if event["type"] == "response.output_item.done"]
        return [item["encrypted_content"] for item in (done[0], told[-1]["response"]["output"][0])]

    assert seals("once") == ["gAAAAA==", "gAAAAA=="]
    assert seals("anew_at_the_end") == ["gAAAAA==", "gAAAAABngAAAAA=="]


def test_calls_may_be_missing_from_the_final_response() -> None:
    told = events(CALLS, {"final_output": "without_calls"})
    assert {item["type"] for item in told[-1]["response"]["output"]} == {"message"}
    assert events(CALLS, {"final_output": "empty"})[-1]["response"]["output"] == []


def test_texts_side_by_side_share_an_item_or_do_not() -> None:
    def items(option: str) -> list[int]:
        told = json.loads(DIALECT.encode(CITED, {"messages": option}, stream=False).body)
        return [len(item["content"]) for item in told["output"]]

    assert (items("one_item"), items("own_items")) == ([3], [1, 1, 1])


def test_call_id_and_item_id_differ() -> None:
    told = events(CALLS, {})
    calls = [event["item"] for event in told if event.get("item", {}).get("type") == "function_call"]
    assert {call["call_id"] for call in calls} == {call.id for call in CALLS.tools}
    assert not {call["id"] for call in calls} & {call["call_id"] for call in calls}


def test_an_incomplete_response_is_cut_in_its_last_item() -> None:
    told = json.loads(DIALECT.encode(CUT, {}, stream=False).body)
    assert (told["status"], told["incomplete_details"]) == ("incomplete", {"reason": "max_output_tokens"})
    assert [item["status"] for item in told["output"]] == ["completed", "incomplete"]
    assert kinds(CUT, {})[-1] == "incomplete"
    assert (
        json.loads(DIALECT.encode(FILTERED, {}, stream=False).body)["incomplete_details"]["reason"] == "content_filter"
    )


def test_the_servers_own_items_come_before_the_last_of_the_reply() -> None:
    told = json.loads(DIALECT.encode(CALLS, {"noise": "web_search"}, stream=False).body)
    kinds_met = [item["type"] for item in told["output"]]
    assert kinds_met[-2:] == ["web_search_call", "function_call"]
    assert kinds_met.count("web_search_call") == 1


def test_mantle_names_a_calls_item_differently_in_whole_replies() -> None:
    told = json.loads(DIALECT.encode(CALLS, {"call_item_id": "item_id"}, stream=False).body)
    call = next(item for item in told["output"] if item["type"] == "function_call")
    assert "id" not in call
    assert call["output_index"] == 1


def test_a_bom_never_stands_before_words() -> None:
    told = DIALECT.encode(PLAIN, {"bom": "present", "opening": "none"}, stream=True)
    assert told.body.startswith(b"\xef\xbb\xbfevent: response.created\n")


def test_bytes_differ_where_styles_do() -> None:
    replies = (THOUGHT, CITED, CUT, REFUSED, CALLS, SHORT)
    for axis in DIALECT.axes:
        for name in axis.names[1:]:
            style = {axis.name: name}
            modes = [mode for mode in (True, False) if (axis.streamed if mode else axis.whole)]
            for mode in modes:
                told = [DIALECT.encode(reply, style, stream=mode) for reply in replies]
                usual = [DIALECT.encode(reply, {}, stream=mode) for reply in replies]
                # The form of an error shows in errors, and a cut that is called completed in plain text alone.
                silent = axis.name in ("error", "cut_status")
                assert (told != usual) is not silent, (style, mode)


def test_encoding_takes_microseconds() -> None:
    rounds = []
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(10):
            DIALECT.encode(PLAIN, {}, stream=True)
        rounds.append((time.perf_counter() - start) / 10)
    assert min(rounds) < 200e-6
