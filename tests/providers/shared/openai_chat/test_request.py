import copy
from typing import Any

import pytest

from harness.contract.config import UnsupportedContentWarning
from providers._shared.openai_chat.names import CALL_IDS, NAMES
from providers._shared.openai_chat.request import chat_body, chat_messages, tool_fields
from providers._shared.request import Request, system_blocks

Blocks = list[Any]

ADD: Any = {
    "name": "add",
    "description": "Adds.",
    "inputSchema": {"json": {"type": "object", "properties": {"x": {"type": "integer"}}}},
}
IMAGE = {"image": {"format": "png", "source": {"bytes": b"\x89PNG"}}}
PDF = {"document": {"format": "pdf", "name": "Report", "source": {"bytes": b"%PDF"}}}
IMAGE_PART = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}}
PDF_PART = {"type": "file", "file": {"filename": "Report.pdf", "file_data": "data:application/pdf;base64,JVBERg=="}}


def user(*blocks: Any) -> Any:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: Any) -> Any:
    return {"role": "assistant", "content": list(blocks)}


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


def use(call_id: str = "a", name: str = "add", **value: Any) -> Any:
    return {"toolUse": {"toolUseId": call_id, "name": name, "input": value}}


def result(*content: Any, call_id: str = "a", **fields: Any) -> Any:
    return {"toolResult": {"toolUseId": call_id, "content": list(content), **fields}}


@pytest.mark.parametrize(
    ("prompt", "content", "sent"),
    [
        ("Be brief.", None, "Be brief."),
        (None, [{"text": "One."}, {"cachePoint": {"type": "default"}}, {"text": "Two."}], "One.\n\nTwo."),
        ("lost", [{"text": "Kept."}], "Kept."),
        ("Kept.", [{"cachePoint": {"type": "default"}}], "Kept."),
        (None, [{"guardContent": {"text": {"text": "Guarded."}}}], "Guarded."),
    ],
)
def test_the_system_prompt_is_one_message(prompt: str | None, content: Any, sent: str) -> None:
    assert chat_messages([], system_blocks(prompt, content)) == [{"role": "system", "content": sent}]


@pytest.mark.parametrize(("prompt", "content"), [(None, None), ("", []), (" \n", [{"text": " "}])])
def test_no_system_prompt_no_message(prompt: str | None, content: Any) -> None:
    assert chat_messages([], system_blocks(prompt, content)) == []


def test_one_text_is_a_string_and_several_are_parts() -> None:
    assert chat_messages([user({"text": "a"}), assistant({"text": "b"}), user({"text": "c"}, {"text": "d"})]) == [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b"},
        {"role": "user", "content": [text("c"), text("d")]},
    ]


def test_blank_text_and_blank_messages_are_not_sent() -> None:
    assert chat_messages([user({"text": " "}), assistant({"text": ""}), user({"text": ""}, {"text": "x"})]) == [
        {"role": "user", "content": "x"}
    ]


def test_calls_and_results() -> None:
    history = [
        assistant(use("a", x=1), use("b", "mul", word="été")),
        user({"text": "first"}, result({"text": "1"}, {"json": {"é": [None]}}), result({"text": "2"}, call_id="b")),
    ]
    assert chat_messages(history) == [
        {
            "role": "assistant",
            "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "add", "arguments": '{"x": 1}'}},
                {"id": "b", "type": "function", "function": {"name": "mul", "arguments": '{"word": "été"}'}},
            ],
        },
        {"role": "tool", "tool_call_id": "a", "content": '1\n{"é": [null]}'},
        {"role": "tool", "tool_call_id": "b", "content": "2"},
        {"role": "user", "content": "first"},
    ]


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        (None, "{}"),
        ({}, "{}"),
        ('{"x":1}', '{"x": 1}'),
        ("{bad", "{}"),
        ("[1]", "{}"),
        ({"at": {1}}, '{"at": "{1}"}'),
    ],
)
def test_input_is_encoded_once(value: Any, sent: str) -> None:
    (wire,) = chat_messages([assistant({"toolUse": {"toolUseId": "a", "name": "add", "input": value}})])
    assert wire["tool_calls"][0]["function"]["arguments"] == sent


@pytest.mark.parametrize(
    ("content", "status", "sent"),
    [
        (["no such file"], "error", "Error: no such file"),
        (["Error: no such file"], "error", "Error: no such file"),
        (["fine"], "success", "fine"),
        ([], None, "(no output)"),
        ([""], "error", "Error: (no output)"),
    ],
)
def test_a_failed_or_empty_result_says_so(content: list[str], status: str | None, sent: str) -> None:
    fields = {} if status is None else {"status": status}
    (wire,) = chat_messages([user(result(*({"text": words} for words in content), **fields))])
    assert wire["content"] == sent


def test_media_are_parts() -> None:
    assert chat_messages([user({"text": "see"}, IMAGE, PDF)])[0]["content"] == [text("see"), IMAGE_PART, PDF_PART]


def test_the_context_of_a_document_is_sent() -> None:
    document = {"document": {**PDF["document"], "context": "Figures of May"}}
    assert chat_messages([user(document)])[0]["content"] == [text("Figures of May"), PDF_PART]


def test_media_of_results_follow_the_last_tool_message() -> None:
    history = [user(result({"text": "drawn"}, IMAGE), result(PDF, call_id="b"), {"text": "so?"})]
    assert chat_messages(history) == [
        {"role": "tool", "tool_call_id": "a", "content": "drawn"},
        {"role": "tool", "tool_call_id": "b", "content": "(no output)"},
        {
            "role": "user",
            "content": [
                text("Output of tool call a:"),
                IMAGE_PART,
                text("Output of tool call b:"),
                PDF_PART,
                text("so?"),
            ],
        },
    ]


S3 = {"location": {"type": "s3", "uri": "s3://b/k"}}


@pytest.mark.parametrize(
    ("block", "named"),
    [
        ({"video": {"format": "mp4", "source": {"bytes": b"v"}}}, "video"),
        ({"image": {"format": "png", "source": S3}}, "image"),
        ({"document": {"format": "pdf", "name": "d", "source": S3}}, "document"),
        ({"novel": {"text": "?"}}, "novel"),
    ],
)
def test_what_cannot_be_sent_is_left_out_with_a_warning(block: Any, named: str) -> None:
    with pytest.warns(UnsupportedContentWarning, match=named):
        assert chat_messages([user({"text": "x"}, block)]) == [{"role": "user", "content": "x"}]
    with pytest.warns(UnsupportedContentWarning, match=named):
        assert chat_messages([user(result({"text": "x"}, block))])[0]["content"] == "x"


def test_assistant_media_are_left_out_with_a_warning() -> None:
    with pytest.warns(UnsupportedContentWarning, match="image"):
        assert chat_messages([assistant(IMAGE, {"text": "x"})]) == [{"role": "assistant", "content": "x"}]


THOUGHT = {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}}


def test_reasoning_of_the_history() -> None:
    history = [assistant(THOUGHT, use("a"))]
    (wire,) = chat_messages(history, reasoning_field="reasoning_content")
    assert wire["reasoning_content"] == "hm"
    with pytest.warns(UnsupportedContentWarning, match="reasoning_field"):
        (wire,) = chat_messages(history)
    assert set(wire) == {"role", "tool_calls"}


def test_redacted_reasoning_is_never_sent() -> None:
    redacted = {"reasoningContent": {"redactedContent": b"\x00"}}
    (wire,) = chat_messages([assistant(redacted, {"text": "x"})], reasoning_field="reasoning")
    assert wire == {"role": "assistant", "content": "x"}


def test_cited_text_is_text() -> None:
    cited = {"citationsContent": {"content": [{"text": "The sky is blue."}], "citations": [{"title": "Sky"}]}}
    assert chat_messages([assistant(cited)]) == [{"role": "assistant", "content": "The sky is blue."}]


def test_tools_and_choices() -> None:
    function = {"name": "add", "description": "Adds.", "parameters": ADD["inputSchema"]["json"]}
    assert tool_fields([ADD], None) == {"tools": [{"type": "function", "function": function}]}
    choices: list[Any] = [{"auto": {}}, {"any": {}}, {"tool": {"name": "add"}}]
    named = {"type": "function", "function": {"name": "add"}}
    assert [tool_fields([ADD], choice)["tool_choice"] for choice in choices] == ["auto", "required", named]
    assert tool_fields([], {"any": {}}) == {}


def test_params_are_sent_but_do_not_decide() -> None:
    params = {
        "temperature": 0.5,
        "top_k": 3,
        "stream": False,
        "model": "other",
        "messages": [],
        "parallel_tool_calls": False,
    }
    body = chat_body(Request({"model_id": "m", "params": params}, [user({"text": "x"})]))
    assert body == {
        "temperature": 0.5,
        "top_k": 3,
        "model": "m",
        "messages": [{"role": "user", "content": "x"}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert chat_body(Request({"model_id": "m", "params": params}, [], [ADD]))["parallel_tool_calls"] is False


def test_whole_replies_have_no_stream_options() -> None:
    params = {"stream_options": {"include_usage": False}}
    streamed = chat_body(Request({"model_id": "m", "stream": True, "params": params}, []))
    assert streamed["stream_options"] == params["stream_options"]
    body = chat_body(Request({"model_id": "m", "stream": False, "params": None}, []))
    assert body == {"model": "m", "messages": [], "stream": False}


def test_services_without_stream_options_are_not_sent_any() -> None:
    assert "stream_options" not in chat_body(Request({"model_id": "m", "params": {"stream_options": None}}, []))


def test_inputs_stay_as_they_were() -> None:
    arguments: list[Any] = [
        {"model_id": "m", "params": {"stream_options": {}, "metadata": {"a": "b"}}, "reasoning_field": "reasoning"},
        [user({"text": "x"}, IMAGE), assistant(THOUGHT, use("a", x=1)), user(result({"json": {"x": 1}}, PDF))],
        [ADD],
        [{"text": "system"}],
        {"any": {}},
    ]
    before = copy.deepcopy(arguments)
    chat_body(Request(*arguments))
    assert arguments == before


@pytest.mark.parametrize("name", ["a.b", "a b", "ä", "x" * 65, ""])
def test_names_that_the_service_refuses_are_mapped_and_mapped_back(name: str) -> None:
    sent = NAMES.wire(name)
    assert 0 < len(sent) <= 64
    assert sent.replace("_", "").replace("-", "").isascii()
    spec: Any = {**ADD, "name": name}
    assert NAMES.own(Request({}, [], [spec, ADD]).tool_names) == {sent: name}


def test_mapped_names_stay_apart_and_agree_everywhere() -> None:
    assert NAMES.wire("a.b") != NAMES.wire("a:b")
    spec: Any = {**ADD, "name": "a.b"}
    fields = tool_fields([spec], {"tool": {"name": "a.b"}})
    (wire,) = chat_messages([assistant(use("a", "a.b"))])
    sent = {
        fields["tools"][0]["function"]["name"],
        fields["tool_choice"]["function"]["name"],
        wire["tool_calls"][0]["function"]["name"],
    }
    assert sent == {NAMES.wire("a.b")}


def test_long_ids_are_shortened_alike_in_call_and_result() -> None:
    long = "x" * 41
    call, answer = chat_messages([assistant(use(long)), user(result({"text": "1"}, call_id=long))])
    assert call["tool_calls"][0]["id"] == answer["tool_call_id"] == CALL_IDS.wire(long)
    assert len(CALL_IDS.wire(long)) <= 40
    assert CALL_IDS.wire("x" * 40) == "x" * 40
