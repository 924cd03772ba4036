from typing import Any

import pytest

from harness.contract.config import UnknownStopReasonWarning
from harness.contract.exceptions import (
    ContextWindowOverflowException,
    IncompleteStreamError,
    ModelError,
    ModelResponseError,
    ModelThrottledException,
)
from providers._shared.openai_chat.finish import ENDINGS
from providers._shared.openai_chat.reply import ChatReader
from tests.providers.shared.openai_chat.wire import USAGE, body, calls, chunk, entry, events, in_order, read

STOP = chunk("stop")


def whole(value: Any) -> Any:
    return in_order(ChatReader().whole(value))


def reasoning(text: str) -> dict[str, Any]:
    return {"reasoningContent": {"reasoningText": {"text": text}}}


@pytest.mark.parametrize(
    "message",
    [
        {"reasoning_content": "hm"},
        {"reasoning": "hm"},
        {"reasoning_content": "hm", "reasoning": "hm"},
        {"reasoning": "hm", "reasoning_details": [{"type": "reasoning.text", "text": "hm"}]},
        {"reasoning": None, "reasoning_details": [{"type": "reasoning.summary", "summary": "hm"}]},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}], "closed": True}]},
        {"content": [{"type": "thinking", "thinking": "hm"}]},
    ],
)
def test_reasoning_under_every_name_is_said_once(message: dict[str, Any]) -> None:
    assert read(chunk(**message), chunk(content="ok"), STOP).message["content"] == [reasoning("hm"), {"text": "ok"}]
    content = message.get("content", [])
    rest = {key: value for key, value in message.items() if key != "content"}
    found = whole(body(content=[*content, {"type": "text", "text": "ok"}], **rest))
    assert found.message["content"] == [reasoning("hm"), {"text": "ok"}]


def test_encrypted_reasoning_is_no_text() -> None:
    details = [{"type": "reasoning.encrypted", "data": "AAAA"}]
    assert read(chunk(reasoning_details=details, content="x"), STOP).message["content"] == [{"text": "x"}]


def test_blocks_follow_each_other_as_told() -> None:
    told = [chunk(reasoning="a"), chunk(content="b"), chunk(reasoning="c"), chunk(reasoning="d"), chunk(content="e")]
    assert read(*told, STOP).message["content"] == [
        reasoning("a"),
        {"text": "b"},
        reasoning("cd"),
        {"text": "e"},
    ]


def test_everything_in_one_delta() -> None:
    call = entry("{}", "f", index=0, id="a")
    found = read(chunk("tool_calls", reasoning="r", content="t", tool_calls=[call]))
    assert found.message["content"] == [
        reasoning("r"),
        {"text": "t"},
        {"toolUse": {"toolUseId": "a", "name": "f", "input": {}}},
    ]


def test_a_refusal_is_text_and_content_filtered() -> None:
    parts = [chunk(content=None, refusal="I "), chunk(refusal="won't")]
    for found in (read(*parts, STOP), whole(body(content=None, refusal="I won't"))):
        assert found.message["content"] == [{"text": "I won't"}]
        assert found.stop_reason == "content_filtered"


def test_absent_and_null_things_say_nothing() -> None:
    told = [
        {"choices": []},
        {"choices": None},
        {"id": "only"},
        {"choices": [None]},
        {"choices": [{"index": 0}]},
        {"choices": [{"index": 0, "delta": None}]},
        chunk(role="assistant", content=None, tool_calls=None, refusal=None, function_call=None, reasoning=None),
        chunk(role="assistant", content=""),
        chunk(role="assistant", content="x"),
        {"choices": [{"finish_reason": "stop"}]},
    ]
    assert [next(iter(event)) for event in events(told)] == [
        "messageStart",
        "contentBlockStart",
        "contentBlockDelta",
        "contentBlockStop",
        "messageStop",
    ]


def test_content_with_the_finish_and_after_it_is_kept() -> None:
    assert read(chunk(content="a"), chunk("stop", content="b"), chunk("stop", content="")).message["content"] == [
        {"text": "ab"}
    ]


def test_only_one_choice_is_read() -> None:
    other = {"choices": [{"index": 1, "delta": {"content": "other"}, "finish_reason": "length"}]}
    found = read(chunk(content="one"), other, STOP)
    assert found.message["content"] == [{"text": "one"}]
    assert found.stop_reason == "end_turn"


@pytest.mark.parametrize(
    ("reasons", "stop"),
    [
        ((None, "stop", "stop"), "end_turn"),
        (("length", None, ""), "max_tokens"),
        (("stop", "content_filter"), "content_filtered"),
        (("STOP",), "end_turn"),
        (("MAX_TOKENS",), "max_tokens"),
        ((None, ""), "end_turn"),
    ],
)
def test_the_last_finish_reason_counts(reasons: tuple[str | None, ...], stop: str) -> None:
    assert read(*(chunk(reason, content="x") for reason in reasons)).stop_reason == stop


@pytest.mark.parametrize(("reason", "ending"), ENDINGS.items())
def test_every_ending_with_and_without_a_call(reason: str, ending: Any) -> None:
    text, call = chunk(reason, content="x"), calls(entry("{}", "f", index=0, id="a"), finish=reason)
    if not isinstance(ending.means, str):
        for told in (text, call):
            with pytest.raises(ending.means, match=reason):
                read(told)
    elif ending.means in {"end_turn", "tool_use"}:
        assert read(call).stop_reason == "tool_use"
    else:
        assert [read(text).stop_reason, read(call).stop_reason] == [ending.means] * 2


def test_tool_calls_without_a_call_warn_and_end_the_turn() -> None:
    with pytest.warns(UnknownStopReasonWarning, match="without a tool call"):
        assert read(chunk("tool_calls", content="x", tool_calls=[])).stop_reason == "end_turn"


def test_an_unknown_reason_warns() -> None:
    with pytest.warns(UnknownStopReasonWarning, match="'sunset'"):
        assert read(chunk("sunset", content="x")).stop_reason == "end_turn"


def test_a_stream_needs_an_end() -> None:
    with pytest.raises(IncompleteStreamError):
        read(chunk(content="x"), done=False)
    with pytest.raises(IncompleteStreamError):
        read(done=False)
    assert read(chunk("stop", content="x"), done=False).stop_reason == "end_turn"
    assert read(chunk(content="x")).stop_reason == "end_turn"
    assert read(calls(entry("{}", "f", index=0, id="a"))).stop_reason == "tool_use"


@pytest.mark.parametrize("told", [[], [{"choices": []}], [{"choices": [], "usage": USAGE}]])
def test_a_stream_needs_a_reply(told: list[Any]) -> None:
    with pytest.raises(ModelResponseError, match="no choices"):
        read(*told)


@pytest.mark.parametrize(
    "value",
    [None, "<html>", [], {}, {"choices": None}, {"choices": []}, {"choices": [{}]}, {"success": True, "data": {}}],
)
def test_a_whole_answer_needs_a_reply(value: Any) -> None:
    with pytest.raises(ModelResponseError):
        whole(value)


@pytest.mark.parametrize(
    ("error", "raised", "words"),
    [
        ({"error": {"message": "busy", "code": 429}}, ModelThrottledException, "busy"),
        ({"error": {"message": "busy", "code": "503"}, "choices": []}, ModelThrottledException, "busy"),
        ({"error": {"message": "long", "code": "context_length_exceeded"}}, ContextWindowOverflowException, "long"),
        ({"error": {"message": "odd", "type": "server_error", "code": None}}, ModelResponseError, "odd"),
        ({"error": "words only", "code": "rate_limit_exceeded"}, ModelThrottledException, "words only"),
        ({"object": "error", "message": "bad", "code": 400}, ModelResponseError, "bad"),
        ({"detail": "not today"}, ModelResponseError, "not today"),
        ({"choices": [{"error": {"code": 502, "message": "upstream"}}]}, ModelResponseError, "upstream"),
    ],
)
def test_errors_in_place_of_a_reply(error: Any, raised: type[ModelError], words: str) -> None:
    for reading in (ChatReader().feed, ChatReader().whole):
        with pytest.raises(raised, match=words):
            reading(error)


def test_usage_wherever_it_comes() -> None:
    expected = {"inputTokens": 3, "outputTokens": 5, "totalTokens": 8}
    late = {"choices": [], "usage": USAGE}
    early = {**chunk(content="x"), "usage": {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4}}
    nulled = {**STOP, "usage": {"prompt_tokens": None, "completion_tokens": 5, "total_tokens": 8}}
    inside = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop", "usage": USAGE}]}
    for told in (
        [chunk(content="x"), STOP, late],
        [early, {**STOP, "usage": USAGE}, {"choices": [], "usage": None}],
        [early, nulled],
        [chunk(content="x"), {**STOP, "x_groq": {"usage": USAGE}}],
        [chunk(content="x"), inside],
        [chunk(content="x"), {**STOP, "x_groq": {"usage": USAGE}}, late],
    ):
        assert read(*told).usage == expected


def test_no_usage_no_metadata() -> None:
    assert [next(iter(event)) for event in events([chunk("stop", content="x")])][-1] == "messageStop"


def test_names_of_the_wire_become_the_callers() -> None:
    reader = ChatReader({"a_b_1": "a.b"})
    found = in_order(events([calls(entry("{}", "a_b_1", index=0, id="a"))], reader=reader))
    assert found.message["content"][0]["toolUse"]["name"] == "a.b"


def test_streamed_and_whole_are_one() -> None:
    pieces = [entry('{"x"', "f", index=0, id="a"), entry(":1}", index=0)]
    streamed = read(
        chunk(reasoning="r"), chunk(content="t"), *map(calls, pieces), chunk("tool_calls"), {"usage": USAGE}
    )
    message = {"reasoning": "r", "content": "t", "tool_calls": [entry('{"x":1}', "f", id="a")]}
    together = whole(body("tool_calls", **message))
    assert streamed.message == together.message
    assert (streamed.stop_reason, streamed.usage) == (together.stop_reason, together.usage)


def test_two_readers_share_nothing() -> None:
    one, two = ChatReader(), ChatReader()
    one.feed(chunk(content="one"))
    two.feed(chunk("length", content="two"))
    one.feed(STOP)
    assert one.finish(done=False)[-1] == {"messageStop": {"stopReason": "end_turn"}}
    assert two.finish(done=False)[-1] == {"messageStop": {"stopReason": "max_tokens"}}
