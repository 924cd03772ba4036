from typing import Any

import pytest

from harness.contract.config import UnsupportedContentWarning, UnsupportedToolChoiceWarning
from providers._shared.request import Request
from providers.ollama.request import chat_messages, chat_request

HELLO: Any = [{"role": "user", "content": [{"text": "Hello"}]}]

PNG = b"\x89PNG\r\n"
PNG_TEXT = "iVBORw0K"

SPEC: Any = {
    "name": "search",
    "description": "Searches.",
    "inputSchema": {
        "json": {
            "type": "object",
            "properties": {
                "filter": {"type": "object", "properties": {"year": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}
            },
            "$defs": {"Unused": {"type": "string"}},
        }
    },
}


def body(messages: Any = HELLO, tool_choice: Any = None, specs: Any = (), **config: Any) -> dict[str, Any]:
    return chat_request(Request({"model_id": "m", **config}, messages, specs, (), tool_choice))


def user(*blocks: Any) -> Any:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: Any) -> Any:
    return {"role": "assistant", "content": list(blocks)}


def result(*content: Any, **fields: Any) -> Any:
    return {"toolResult": {"toolUseId": "a", "content": list(content), **fields}}


USE: Any = {"toolUse": {"toolUseId": "a", "name": "search", "input": {"q": "ä"}}}


def test_the_least_request() -> None:
    assert body() == {"model": "m", "messages": [{"role": "user", "content": "Hello"}], "stream": True}


def test_settings() -> None:
    params = {"think": "low", "options": {"seed": 1, "num_ctx": 2}, "model": "other", "stream": True}
    found = body(params=params, options={"num_ctx": 4096}, keep_alive=0, stream=False)
    assert found["options"] == {"seed": 1, "num_ctx": 4096}
    assert (found["keep_alive"], found["think"], found["model"], found["stream"]) == (0, "low", "m", False)
    assert params == {"think": "low", "options": {"seed": 1, "num_ctx": 2}, "model": "other", "stream": True}


def test_a_schema_is_sent_as_it_is() -> None:
    (tool,) = body(specs=[SPEC])["tools"]
    assert tool["function"]["parameters"] == SPEC["inputSchema"]["json"]


@pytest.mark.parametrize("choice", [{"any": {}}, {"tool": {"name": "search"}}])
def test_a_choice_of_tools_is_ignored_with_one_warning(choice: Any) -> None:
    with pytest.warns(UnsupportedToolChoiceWarning) as heard:
        assert "tool_choice" not in body(specs=[SPEC], tool_choice=choice)
    assert len(heard) == 1


def test_the_usual_choice_needs_no_warning() -> None:
    assert "tool_choice" not in body(specs=[SPEC], tool_choice={"auto": {}})


def test_texts_and_images_share_a_message() -> None:
    image = {"image": {"format": "png", "source": {"bytes": PNG}}}
    found = chat_messages([user({"text": "What"}, image, {"text": " "}, {"text": "is it?"})], [{"text": "Be brief."}])
    assert found == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "What\n\nis it?", "images": [PNG_TEXT]},
    ]


def test_results_come_first_and_name_their_calls() -> None:
    messages = [assistant({"text": "Wait."}, USE), user({"text": "So?"}, result({"json": {"n": "é"}}, {"text": "ok"}))]
    calls = [{"id": "a", "type": "function", "function": {"name": "search", "arguments": {"q": "ä"}}}]
    assert chat_messages(messages) == [
        {"role": "assistant", "content": "Wait.", "tool_calls": calls},
        {"role": "tool", "content": '{"n": "é"}\nok', "tool_call_id": "a", "tool_name": "search"},
        {"role": "user", "content": "So?"},
    ]


def test_a_failed_result_with_an_image() -> None:
    image = {"image": {"format": "png", "source": {"bytes": PNG}}}
    (found,) = chat_messages([user(result({"text": "no"}, image, status="error"))])
    assert found == {"role": "tool", "content": "Error: no", "tool_call_id": "a", "images": [PNG_TEXT]}


def test_reasoning_goes_back_with_what_came_of_it() -> None:
    reasoning = {"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "s"}}}
    assert chat_messages([assistant(reasoning, {"text": "Yes."})]) == [
        {"role": "assistant", "content": "Yes.", "thinking": "Hm."}
    ]
    assert chat_messages([assistant(reasoning)]) == []


def test_cited_text_and_cache_points() -> None:
    cited = {"citationsContent": {"content": [{"text": "So "}, {"text": "it is."}], "citations": []}}
    assert chat_messages([assistant(cited, {"cachePoint": {"type": "default"}})]) == [
        {"role": "assistant", "content": "So it is."}
    ]


@pytest.mark.parametrize(
    "block",
    [
        {"document": {"format": "pdf", "name": "d", "source": {"bytes": b"%PDF"}}},
        {"video": {"format": "mp4", "source": {"bytes": b"mp4"}}},
        {"image": {"format": "png", "source": {"location": {"type": "s3", "uri": "s3://b/k"}}}},
    ],
)
def test_what_cannot_be_sent_is_left_out_with_a_warning(block: Any) -> None:
    with pytest.warns(UnsupportedContentWarning):
        assert chat_messages([user({"text": "Look"}, block)]) == [{"role": "user", "content": "Look"}]


def test_redacted_reasoning_is_left_out_with_a_warning() -> None:
    with pytest.warns(UnsupportedContentWarning, match="redacted"):
        found = chat_messages([assistant({"reasoningContent": {"redactedContent": b"x"}}, {"text": "Yes."})])
    assert found == [{"role": "assistant", "content": "Yes."}]
