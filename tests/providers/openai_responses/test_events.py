from typing import Any

import pytest

from harness.contract.assembler import BrokenInput
from harness.contract.exceptions import ModelResponseError
from providers.openai_responses.events import FailedResponseError, ResponseReader
from tests.providers.openai_responses.wire import (
    HELLO_REPLY,
    USAGE,
    added,
    call,
    completed,
    content,
    cut,
    delta,
    done,
    event,
    events,
    message,
    read,
    reasoning,
    response,
    said,
    text,
    whole,
)
from tests.providers.shared.openai_chat.wire import uses

PAGE = {"type": "url_citation", "url": "https://docs.example.com/a?b=c", "title": "A", "start_index": 0, "end_index": 1}
TOLD = {"inputTokens": 3, "outputTokens": 5, "totalTokens": 8}
FILE = {"type": "file_citation", "file_id": "file-1", "filename": "a.pdf", "index": 1}


def thought(words: str, signature: str | None = None) -> Any:
    signed = {"signature": signature} if signature else {}
    return {"reasoningContent": {"reasoningText": {"text": words, **signed}}}


def use(call_id: str = "call_1", name: str = "add", **value: Any) -> Any:
    return {"toolUse": {"toolUseId": call_id, "name": name, "input": value}}


# --- the whole of it --------------------------------------------------------------------------------------------


def test_the_events_of_a_reply() -> None:
    assert [next(iter(told)) for told in events(HELLO_REPLY)] == [
        "messageStart",
        "contentBlockStart",
        "contentBlockDelta",
        "contentBlockDelta",
        "contentBlockStop",
        "messageStop",
        "metadata",
    ]
    assert read(*HELLO_REPLY).message["content"] == [{"text": "Hello"}]


def test_streamed_and_whole_replies_are_the_same() -> None:
    output = [reasoning("Hm.", encrypted_content="S"), message(text("See", PAGE)), call('{"x": 1}')]
    streamed, body = (
        read(*(done(item, index) for index, item in enumerate(output)), completed(*output)),
        response(*output),
    )
    assert streamed.message == whole(body).message
    assert streamed.stop_reason == whole(body).stop_reason == "tool_use"


@pytest.mark.parametrize(
    ("usage", "told"),
    [
        (USAGE, {"inputTokens": 3, "outputTokens": 5, "totalTokens": 8}),
        (
            {**USAGE, "input_tokens_details": {"cached_tokens": 2, "cache_write_tokens": 1}},
            {
                "inputTokens": 3,
                "outputTokens": 5,
                "totalTokens": 8,
                "cacheReadInputTokens": 2,
                "cacheWriteInputTokens": 1,
            },
        ),
        (
            {**USAGE, "input_tokens_details": None},
            {"inputTokens": 3, "outputTokens": 5, "totalTokens": 8},
        ),
        (None, None),
        ({}, None),
    ],
)
def test_usage(usage: Any, told: Any) -> None:
    assert read(*HELLO_REPLY[:-1], completed(usage=usage)).usage == told


def test_null_usage_at_the_end_does_not_undo_what_was_told_before() -> None:
    assert read(event("in_progress", response=response()), completed(usage=None)).usage is not None


def test_unknown_events_items_and_parts_are_passed_over() -> None:
    search = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
    assert content(
        {"type": "keepalive"},
        {"data": "no type"},
        added(search),
        event("web_search_call.searching", output_index=0, item_id="ws_1"),
        event("code_interpreter_call_code.delta", output_index=0, delta="print()"),
        done(search),
        event("content_part.done", output_index=1, content_index=0, part={"type": "hologram"}),
        added({"type": "hologram"}, 2),
        said("Hi", 1),
        completed(search, message({"type": "hologram"}, text("Hi")), {"type": "hologram"}, "odd"),
    ) == [{"text": "Hi"}]


@pytest.mark.parametrize("broken", [None, "x", 1, []])
def test_what_is_no_event_and_no_response_is_an_error(broken: Any) -> None:
    with pytest.raises(ModelResponseError, match="no JSON object"):
        ResponseReader().feed(broken)
    with pytest.raises(ModelResponseError, match="no JSON object"):
        ResponseReader().whole(broken)


@pytest.mark.parametrize("body", [{}, {"choices": []}, {"output": None}, {"output": "Hi"}])
def test_a_body_without_output_is_no_response(body: Any) -> None:
    with pytest.raises(ModelResponseError, match="no output"):
        ResponseReader().whole(body)


# --- text -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "found",
    [
        [said("Hel"), said("lo")],
        [event("output_text.done", text="Hello", output_index=0, content_index=0)],
        [event("content_part.done", part=text("Hello"), output_index=0, content_index=0)],
        [done(message(text("Hello")))],
        [],
        [said("Hel"), event("output_text.done", text="Hello", output_index=0, content_index=0)],
        [said("Hel"), done(message(text("Hello")))],
        [said("Hel", None, None, item_id="msg_1"), done(message(text("Hello")), None)],
        [said("Hello", None, None), done(message(text("Hello"), item_id=""), None)],
    ],
)
def test_words_are_told_once_wherever_they_come(found: list[Any]) -> None:
    assert content(*found, completed(message(text("Hello")))) == [{"text": "Hello"}]


def test_deltas_stand_where_the_end_tells_another_text() -> None:
    assert content(said("Hello "), completed(message(text("Hello")))) == [{"text": "Hello "}]


def test_final_output_that_lacks_what_was_told_takes_nothing_back() -> None:
    assert content(said("Hi"), done(message(text("Hi"))), done(call("{}"), 1), completed()) == [{"text": "Hi"}, use()]


def test_parts_of_a_message_are_blocks() -> None:
    assert content(said("One"), said("Two", part=1), done(message(text("One"), text("Two"))), completed()) == [
        {"text": "One"},
        {"text": "Two"},
    ]


def test_parts_without_numbers_end_when_they_are_told_as_a_whole() -> None:
    ended = event("content_part.done", part=text("One", PAGE), item_id="msg_1")
    found = content(
        *(said("One", None, None, item_id="msg_1"), ended) * 2,
        done(message(text("One", PAGE), text("One", PAGE)), None),
        completed(),
    )
    assert [block["citationsContent"]["content"] for block in found] == [[{"text": "One"}]] * 2


def test_late_words_of_a_part_that_ended_are_kept() -> None:
    assert content(said("One"), said("Two", part=1), said("more"), completed()) == [
        {"text": "One"},
        {"text": "Two"},
        {"text": "more"},
    ]


@pytest.mark.parametrize("reused", [0, None])
def test_items_under_one_index_are_told_apart(reused: int | None) -> None:
    first, second = message(text("One"), item_id="a"), message(text("Two"), item_id="b")
    assert content(
        added(message(item_id="a"), reused),
        added(message(item_id="b"), reused),
        said("Two", reused, item_id="b"),
        said("One", reused, item_id="a"),
        done(first, reused),
        done(second, reused),
        completed(first, second),
    ) == [{"text": "One"}, {"text": "Two"}]


def test_ids_that_change_with_every_event_do_not_matter_where_there_are_indexes() -> None:
    assert content(
        added(message(item_id="a")),
        said("Hel", item_id="b"),
        said("lo", item_id="c"),
        done(message(text("Hello"), item_id="d")),
        completed(message(text("Hello"), item_id="e")),
    ) == [{"text": "Hello"}]


def test_refusals_are_words_and_end_the_turn() -> None:
    refusal = {"type": "refusal", "refusal": "I will not"}
    streamed = read(
        delta("refusal", "I will", content_index=0),
        event("refusal.done", refusal="I will not", output_index=0, content_index=0),
        completed(message(refusal)),
    )
    for found in (streamed, whole(response(message(refusal)))):
        assert found.message["content"] == [{"text": "I will not"}]
        assert found.stop_reason == "content_filtered"


# --- sources ----------------------------------------------------------------------------------------------------


def test_sources_belong_to_their_part_and_come_once() -> None:
    noted = event("output_text.annotation.added", annotation=PAGE, annotation_index=0, output_index=0, content_index=0)
    found = content(said("See"), noted, done(message(text("See", PAGE, FILE), text("Plain"))), completed())
    page = {"title": "A", "location": {"web": {"url": PAGE["url"], "domain": "docs.example.com"}}}
    assert found == [
        {"citationsContent": {"content": [{"text": "See"}], "citations": [page, {"title": "a.pdf"}]}},
        {"text": "Plain"},
    ]


@pytest.mark.parametrize("odd", [None, "x", {}, {"type": "file_path", "file_id": "f"}])
def test_annotations_that_name_no_source_are_passed_over(odd: Any) -> None:
    assert content(said("See"), completed(message(text("See", odd)))) == [{"text": "See"}]


@pytest.mark.parametrize(("url", "domain"), [("https://a.b:1/c", "a.b"), ("nowhere", ""), ("http://[x", "")])
def test_the_domain_of_a_page(url: str, domain: str) -> None:
    found = whole(response(message(text("See", {"type": "url_citation", "url": url}))))
    (block,) = found.message["content"]
    assert block["citationsContent"]["citations"] == [{"location": {"web": {"url": url, "domain": domain}}}]


# --- reasoning --------------------------------------------------------------------------------------------------


def summary(words: str, part: int | None = 0) -> Any:
    return delta("reasoning_summary_text", words, summary_index=part)


def raw(words: str, part: int = 0) -> Any:
    return delta("reasoning_text", words, content_index=part)


@pytest.mark.parametrize(
    "found",
    [
        [summary("One"), summary(" more"), summary("Two", 1)],
        [raw("One more"), raw("Two", 1)],
        [done(reasoning("One more", "Two"))],
        [summary("One"), done(reasoning("One more", "Two"))],
        [completed(reasoning("One more", "Two"))],
        [completed({"type": "reasoning", "content": [{"text": "One more"}, {"text": "Two"}], "summary": []})],
    ],
)
def test_an_item_of_reasoning_is_one_block(found: list[Any]) -> None:
    assert content(*found, completed()) == [thought("One more\n\nTwo")]


def test_reasoning_that_is_told_in_two_ways_is_told_once() -> None:
    both = reasoning("Short.", content=[{"type": "reasoning_text", "text": "Long."}])
    assert content(summary("Short."), raw("Long."), done(both), completed(both)) == [thought("Short.")]
    assert whole(response(both)).message["content"] == [thought("Long.")]


def test_the_encrypted_form_at_the_end_of_the_item_is_the_signature() -> None:
    assert content(
        added(reasoning(encrypted_content="half")),
        summary("Hm."),
        done(reasoning("Hm.", encrypted_content="whole")),
        completed(reasoning("Hm.", encrypted_content="anew")),
    ) == [thought("Hm.", "whole")]


def test_sealed_reasoning_is_a_block_without_text() -> None:
    sealed = reasoning(encrypted_content="S")
    assert content(added(reasoning()), done(sealed), completed(sealed)) == [thought("", "S")]


def test_reasoning_without_a_word_is_not_told() -> None:
    assert content(added(reasoning()), done(reasoning()), said("Hi", 1), completed()) == [{"text": "Hi"}]


def test_text_waits_for_reasoning_that_is_not_over() -> None:
    told = content(summary("One"), said("Hi", 1), summary(" more"), done(reasoning("One more")), completed())
    assert told == [thought("One more"), {"text": "Hi"}]


# --- calls ------------------------------------------------------------------------------------------------------


def arguments(words: str, index: int | None = 0, **fields: Any) -> Any:
    return delta("function_call_arguments", words, index, **fields)


@pytest.mark.parametrize(
    "found",
    [
        [added(call()), arguments(""), arguments('{"x":'), arguments(" 1}")],
        [added(call()), event("function_call_arguments.done", arguments='{"x": 1}', output_index=0)],
        [added(call()), arguments('{"x":'), done(call('{"x": 1}'))],
        [done(call('{"x": 1}'))],
        [done(call({"x": 1}))],
        [completed(call('{"x": 1}'))],
        [arguments('{"x": 1}'), done(call('{"x": 1}'))],
        [added(call(call_id=None, name=None)), arguments('{"x": 1}'), done(call('{"x": 1}', item_id="other"))],
        [added(call(), None), arguments('{"x": 1}', None, item_id="fc_1"), done(call('{"x": 1}'), None)],
    ],
)
def test_a_call_is_told_once_wherever_it_comes(found: list[Any]) -> None:
    reply = read(*found, completed(call('{"x": 1}')))
    assert reply.message["content"] == [use(x=1)]
    assert reply.stop_reason == "tool_use"


def test_interleaved_calls_are_kept_apart() -> None:
    found = read(
        added(call(call_id="a", item_id="1"), 0),
        added(call(call_id="b", item_id="2"), 1),
        arguments('{"y":', 1),
        arguments('{"x":', 0),
        arguments("2}", 1),
        arguments("1}", 0),
        done(call('{"y":2}', call_id="b", item_id="2"), 1),
        done(call('{"x":1}', call_id="a", item_id="1"), 0),
        completed(),
    )
    assert uses(found) == [("a", "add", {"x": 1}), ("b", "add", {"y": 2})]


def test_another_call_under_the_place_of_one_is_a_call_of_its_own() -> None:
    first, second = call("{}", call_id="a"), call('{"x":1}', call_id="b")
    assert uses(read(done(first), done(second), completed(first, second))) == [("a", "add", {}), ("b", "add", {"x": 1})]


def test_ids_are_made_up_where_they_are_missing_or_taken() -> None:
    found = uses(
        read(done(call("{}")), done(call("{}", item_id="other"), 1), done(call("{}", call_id=None), 2), completed())
    )
    ids = [call_id for call_id, _, _ in found]
    assert ids[0] == "call_1"
    assert len(set(ids)) == 3
    assert all(ids)


def test_names_on_the_wire_become_the_callers() -> None:
    reader = ResponseReader({"math_add": "math.add"})
    (start,) = [
        told["contentBlockStart"]
        for told in events([added(call(name="math_add"))], reader)
        if "contentBlockStart" in told
    ]
    assert start["start"] == {"toolUse": {"name": "math.add", "toolUseId": "call_1"}}


def test_a_call_without_a_name_is_an_error() -> None:
    with pytest.raises(ModelResponseError, match="without a name"):
        read(done(call("{}", name=None)), completed())


@pytest.mark.parametrize("end", [cut("max_output_tokens"), completed(), cut(None)])
def test_a_cut_call_does_not_run(end: Any) -> None:
    found = read(added(call()), arguments('{"x":'), end)
    assert found.stop_reason == "max_tokens"
    assert isinstance(found.message["content"][0]["toolUse"]["input"], BrokenInput)


# --- errors -----------------------------------------------------------------------------------------------------

ERROR = {"code": "server_error", "message": "the words"}


@pytest.mark.parametrize(
    "told",
    [
        {"type": "error", "code": "server_error", "message": "the words", "param": None},
        {"type": "error", "error": ERROR},
        event("failed", response=response(status="failed", error=ERROR)),
        completed(status="failed", error=ERROR),
        event("failed", response=response(status=None, error=ERROR)),
    ],
)
def test_errors_are_raised_with_what_they_say(told: Any) -> None:
    with pytest.raises(FailedResponseError) as caught:
        read(*HELLO_REPLY[:3], told)
    assert caught.value.error["code"] == "server_error"
    assert caught.value.error["message"] == "the words"


@pytest.mark.parametrize("told", [event("failed"), event("failed", response=response(status="failed", error=None))])
def test_a_failure_without_a_reason_is_one(told: Any) -> None:
    with pytest.raises(FailedResponseError, match="does not say why"):
        read(told)


@pytest.mark.parametrize("body", [response(status="failed", error=ERROR), {"error": ERROR}])
def test_a_whole_failure(body: Any) -> None:
    with pytest.raises(FailedResponseError) as caught:
        ResponseReader().whole(body)
    assert caught.value.error == ERROR
