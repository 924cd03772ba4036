import re
from typing import Any

import pytest

from harness.contract.config import UnsupportedContentWarning
from providers._shared.request import Request
from providers.mistral.request import chat_arguments, chat_messages

HELLO: Any = [{"role": "user", "content": [{"text": "Hello"}]}]
SPEC: Any = {"name": "add", "description": "Adds.", "inputSchema": {"json": {"type": "object", "properties": {}}}}

PNG = b"\x89PNG\r\n"
IMAGE = {"image": {"format": "png", "source": {"bytes": PNG}}}
IMAGE_PART = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0K"}}


def arguments(tool_choice: Any = None, specs: Any = (), **config: Any) -> dict[str, Any]:
    return chat_arguments(Request({"model_id": "m", **config}, HELLO, specs, (), tool_choice))


def user(*blocks: Any) -> Any:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: Any) -> Any:
    return {"role": "assistant", "content": list(blocks)}


def use(call_id: str) -> Any:
    return {"toolUse": {"toolUseId": call_id, "name": "add", "input": {"a": "é"}}}


def result(call_id: str, *content: Any) -> Any:
    return {"toolResult": {"toolUseId": call_id, "content": list(content), "status": "success"}}


def test_the_least_request() -> None:
    assert arguments() == {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}


def test_params_add_and_do_not_decide() -> None:
    params = {"temperature": 0.5, "model": "other", "stream": True, "tool_choice": "any", "parallel_tool_calls": False}
    assert arguments(params=params) == {**arguments(), "temperature": 0.5}
    found = arguments(specs=[SPEC], params=params)
    assert (found["tool_choice"], found["parallel_tool_calls"]) == ("any", False)


@pytest.mark.parametrize(
    ("choice", "wire"),
    [
        ({"auto": {}}, "auto"),
        ({"any": {}}, "required"),
        ({"tool": {"name": "add"}}, {"type": "function", "function": {"name": "add"}}),
    ],
)
def test_choices_of_tools(choice: Any, wire: Any) -> None:
    assert arguments(choice, [SPEC])["tool_choice"] == wire


@pytest.mark.parametrize("call_id", ["call_0123456789abcdef", "a", "turn1_0", "ä" * 9])
def test_foreign_ids_become_nine_characters_in_the_call_and_its_result(call_id: str) -> None:
    called, answered = chat_messages([assistant(use(call_id)), user(result(call_id, {"text": "2"}))])
    (entry,) = called["tool_calls"]
    assert re.fullmatch("[a-zA-Z0-9]{9}", entry["id"])
    assert answered == {"role": "tool", "tool_call_id": entry["id"], "content": "2"}


def test_the_services_own_ids_stay() -> None:
    called, _ = chat_messages([assistant(use("D681PevKs")), user(result("D681PevKs", {"text": "2"}))])
    assert called["tool_calls"] == [
        {"id": "D681PevKs", "type": "function", "function": {"name": "add", "arguments": '{"a": "é"}'}}
    ]
    assert called["content"] == ""


def test_a_user_message_does_not_directly_follow_results() -> None:
    turns = [assistant(use("D681PevKs")), user({"text": "See."}, result("D681PevKs", {"text": "2"}, IMAGE))]
    assert chat_messages(turns)[1:] == [
        {"role": "tool", "tool_call_id": "D681PevKs", "content": "2"},
        {"role": "assistant", "content": "OK"},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Output of tool call D681PevKs:"},
                IMAGE_PART,
                {"type": "text", "text": "See."},
            ],
        },
    ]


def test_a_user_message_of_its_own_does_not_either() -> None:
    turns = [assistant(use("D681PevKs")), user(result("D681PevKs", {"text": "2"})), user({"text": "And?"})]
    assert [message["role"] for message in chat_messages(turns)] == ["assistant", "tool", "assistant", "user"]


def test_a_reply_that_stands_last_is_to_be_continued() -> None:
    assert chat_messages([*HELLO, assistant({"text": "Well,"})])[-1] == {
        "role": "assistant",
        "content": "Well,",
        "prefix": True,
    }
    assert "prefix" not in chat_messages([*HELLO, assistant(use("D681PevKs"))])[-1]


def test_images_and_documents() -> None:
    document = {"document": {"format": "pdf", "name": "paper", "context": "Old.", "source": {"bytes": b"%PDF"}}}
    (found,) = chat_messages([user({"text": "Look."}, IMAGE, document)])
    url = "data:application/pdf;base64,JVBERg=="
    assert found["content"] == [
        {"type": "text", "text": "Look."},
        IMAGE_PART,
        {"type": "text", "text": "Old."},
        {"type": "document_url", "document_url": url, "document_name": "paper.pdf"},
    ]


def test_reasoning_goes_back_before_what_came_of_it() -> None:
    reasoning = {"reasoningContent": {"reasoningText": {"text": "Hm."}}}
    (found, _) = chat_messages([assistant(reasoning, {"text": "Yes."}), user({"text": "Sure?"})])
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}
    assert found["content"] == [thinking, {"type": "text", "text": "Yes."}]
    assert chat_messages([assistant(reasoning)]) == []


@pytest.mark.parametrize(
    "turn",
    [
        user({"text": "Hi"}, {"video": {"format": "mp4", "source": {"bytes": b"mp4"}}}),
        user({"text": "Hi"}, {"document": {"format": "pdf", "name": "d", "source": {"location": {"type": "s3"}}}}),
        assistant({"text": "Hi"}, {"reasoningContent": {"redactedContent": b"x"}}),
    ],
)
def test_what_cannot_be_sent_is_left_out_with_a_warning(turn: Any) -> None:
    with pytest.warns(UnsupportedContentWarning):
        assert [message["content"] for message in chat_messages([turn])] == ["Hi"]
