import copy
from typing import Any

import pytest
from pydantic import BaseModel

from harness.contract.config import UnsupportedContentWarning
from providers._shared.request import Request, system_blocks
from providers.openai_responses.names import CALL_IDS
from providers.openai_responses.request import input_items, response_body

ADD: Any = {
    "name": "math.add",
    "description": "Adds.",
    "inputSchema": {"json": {"type": "object", "properties": {"x": {"type": "integer"}}}},
}
IMAGE = {"image": {"format": "png", "source": {"bytes": b"\x89PNG"}}}
PDF = {"document": {"format": "pdf", "name": "Report", "source": {"bytes": b"%PDF"}}}
IMAGE_PART = {"type": "input_image", "image_url": "data:image/png;base64,iVBORw=="}
PDF_PART = {"type": "input_file", "filename": "Report.pdf", "file_data": "data:application/pdf;base64,JVBERg=="}
SEALED = "reasoning.encrypted_content"


class Sum(BaseModel):
    """A sum."""

    total: int


def user(*blocks: Any) -> Any:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: Any) -> Any:
    return {"role": "assistant", "content": list(blocks)}


def asked(*parts: Any) -> Any:
    return {"type": "message", "role": "user", "content": list(parts)}


def answered(*texts: str) -> Any:
    parts = [{"type": "output_text", "text": text, "annotations": []} for text in texts]
    return {"type": "message", "role": "assistant", "content": parts}


def words(text: str) -> Any:
    return {"type": "input_text", "text": text}


def use(call_id: str = "a", **value: Any) -> Any:
    return {"toolUse": {"toolUseId": call_id, "name": "math.add", "input": value}}


def result(*content: Any, call_id: str = "a", **fields: Any) -> Any:
    return {"toolResult": {"toolUseId": call_id, "content": list(content), **fields}}


def body(
    *messages: Any, output_model: type[BaseModel] | None = None, state: Any = None, **fields: Any
) -> dict[str, Any]:
    names = ("tool_specs", "tool_choice", "system")
    own = {name: fields.pop(name) for name in names if name in fields}
    config = {"model_id": "gpt-5-mini", **fields}
    return response_body(Request(config, list(messages or (user({"text": "Hi"}),)), state=state, **own), output_model)


# --- the conversation -------------------------------------------------------------------------------------------


def test_a_body() -> None:
    assert body(system=system_blocks("Be brief.")) == {
        "model": "gpt-5-mini",
        "input": [asked(words("Hi"))],
        "instructions": "Be brief.",
        "include": [SEALED],
        "store": False,
        "stream": True,
    }


def test_items_keep_the_order_of_blocks() -> None:
    history = [
        user({"text": "Look."}, IMAGE, PDF),
        assistant(
            {"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "S"}}},
            {"text": "One."},
            {"citationsContent": {"content": [{"text": "Two."}], "citations": [{"title": "T"}]}},
            use(x=1),
            {"text": "Three."},
        ),
        user({"text": "And?"}, result({"text": "2"})),
    ]
    before = copy.deepcopy(history)
    call_items = input_items(history)
    assert call_items == [
        asked(words("Look."), IMAGE_PART, PDF_PART),
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}], "encrypted_content": "S"},
        answered("One.", "Two."),
        {"type": "function_call", "call_id": "a", "name": call_items[3]["name"], "arguments": '{"x": 1}'},
        answered("Three."),
        {"type": "function_call_output", "call_id": "a", "output": "2"},
        asked(words("And?")),
    ]
    assert history == before


def test_sealed_reasoning_goes_back_without_a_text() -> None:
    sealed = {"reasoningContent": {"reasoningText": {"text": "", "signature": "S"}}}
    assert input_items([assistant(sealed)]) == [{"type": "reasoning", "summary": [], "encrypted_content": "S"}]


@pytest.mark.parametrize(
    "block",
    [
        {"reasoningContent": {"reasoningText": {"text": "Hm."}}},
        {"reasoningContent": {"redactedContent": b"x"}},
        {"video": {"format": "mp4", "source": {"bytes": b"x"}}},
        {"image": {"format": "png", "source": {"location": {"type": "s3", "uri": "s3://a/b"}}}},
    ],
)
@pytest.mark.parametrize("turn", [user, assistant])
def test_what_cannot_be_sent_is_left_out_with_a_warning(block: Any, turn: Any) -> None:
    with pytest.warns(UnsupportedContentWarning):
        assert len(input_items([turn(block, {"text": "Hi"})])) == 1


@pytest.mark.parametrize("block", [{"text": ""}, {"text": " \n"}, {"cachePoint": {"type": "default"}}])
def test_blank_messages_are_left_out(block: Any) -> None:
    assert input_items([user(block), assistant(block)]) == []


@pytest.mark.parametrize(
    ("given", "output"),
    [
        (result({"text": "é"}, {"json": {"é": [1]}}), 'é\n{"é": [1]}'),
        (result(), "(no output)"),
        (result({"text": "no such city"}, status="error"), "Error: no such city"),
        (result({"text": "See"}, IMAGE), [words("See"), IMAGE_PART]),
        (result(PDF), [PDF_PART]),
        (result(IMAGE, status="error"), [words("Error: "), IMAGE_PART]),
    ],
)
def test_results(given: Any, output: Any) -> None:
    assert input_items([user(given)]) == [{"type": "function_call_output", "call_id": "a", "output": output}]


def test_long_ids_agree() -> None:
    long = "x" * 65
    call_item, output = input_items([assistant(use(long)), user(result({"text": "2"}, call_id=long))])
    assert call_item["call_id"] == output["call_id"] == CALL_IDS.wire(long)
    assert len(output["call_id"]) <= 64


# --- what the service keeps -------------------------------------------------------------------------------------

TALK = [user({"text": "One"}), assistant(use()), user(result({"text": "2"})), user({"text": "More"})]


@pytest.mark.parametrize("state", [None, {}, {"response_id": None}])
def test_a_conversation_that_begins_is_sent_whole_and_kept(state: Any) -> None:
    sent = body(*TALK, stateful=True, state=state)
    assert (len(sent["input"]), sent["store"], "previous_response_id" in sent) == (4, True, False)


def test_of_a_conversation_that_goes_on_only_what_is_new_is_sent() -> None:
    state = {"response_id": "resp_7"}
    sent = body(*TALK, stateful=True, state=state, params={"store": False})
    assert [item["type"] for item in sent["input"]] == ["function_call_output", "message"]
    assert (sent["store"], sent["previous_response_id"]) == (True, "resp_7")
    assert state == {"response_id": "resp_7"}
    assert body(user({"text": "Hi"}), stateful=True, state=state)["input"] == [asked(words("Hi"))]


def test_state_means_nothing_unless_the_model_is_stateful() -> None:
    sent = body(*TALK, state={"response_id": "resp_7"})
    assert (len(sent["input"]), sent["store"], "previous_response_id" in sent) == (4, False, False)


# --- settings ---------------------------------------------------------------------------------------------------


def test_params_are_further_fields() -> None:
    params: Any = {
        "max_output_tokens": 9,
        "reasoning": {"effort": "low"},
        "store": True,
        "model": "x",
        "instructions": "I",
    }
    before = copy.deepcopy(params)
    sent = body(params=params)
    assert (sent["max_output_tokens"], sent["reasoning"], sent["store"]) == (9, {"effort": "low"}, True)
    assert (sent["model"], sent["instructions"]) == ("gpt-5-mini", "I")
    assert body(params=params, system=system_blocks("Mine."))["instructions"] == "Mine."
    assert params == before


@pytest.mark.parametrize(
    ("params", "include"),
    [
        (None, [SEALED]),
        ({"include": ["file_search_call.results"]}, ["file_search_call.results", SEALED]),
        ({"include": [SEALED]}, [SEALED]),
        ({"include": None}, None),
    ],
)
def test_encrypted_reasoning_is_asked_for(params: Any, include: Any) -> None:
    assert body(params=params).get("include") == include


@pytest.mark.parametrize(
    ("model_id", "asks"),
    [
        ("gpt-5.2", True),
        ("o4-mini", True),
        ("grok-4.3", True),
        ("openai.gpt-5.5", True),
        ("gpt-4o", False),
        ("openai/gpt-4.1-mini", False),
        ("gpt-3.5-turbo", False),
        ("gpt-35-turbo", False),
        ("ft:gpt-4o:us", False),
        ("gpt-42", True),
        ("gpt-5-chat-latest", False),
        ("gpt-5.2-chat", False),
        ("chatgpt-4o-latest", False),
    ],
)
def test_models_that_do_not_reason_are_not_asked_for_their_reasoning(model_id: str, asks: bool) -> None:
    assert ("include" in body(model_id=model_id)) is asks


# --- tools ------------------------------------------------------------------------------------------------------


def test_tools_are_flat_and_not_made_strict() -> None:
    (tool,) = body(tool_specs=[ADD])["tools"]
    assert tool == {
        "type": "function",
        "name": tool["name"],
        "description": "Adds.",
        "parameters": ADD["inputSchema"]["json"],
        "strict": False,
    }
    assert tool["name"].startswith("math_add_")


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        ({"auto": {}}, "auto"),
        ({"any": {}}, "required"),
        ({"tool": {"name": "math.add"}}, {"type": "function", "name": body(tool_specs=[ADD])["tools"][0]["name"]}),
    ],
)
def test_tool_choice(choice: Any, sent: Any) -> None:
    assert body(tool_specs=[ADD], tool_choice=choice)["tool_choice"] == sent


def test_tools_of_the_service_stand_beside_the_callers() -> None:
    params = {"tools": [{"type": "web_search"}], "tool_choice": "auto", "parallel_tool_calls": False}
    sent = body(tool_specs=[ADD], params=params)
    assert [tool["type"] for tool in sent["tools"]] == ["web_search", "function"]
    assert (sent["tool_choice"], sent["parallel_tool_calls"]) == ("auto", False)
    assert [tool["type"] for tool in body(params=params)["tools"]] == ["web_search"]


def test_without_tools_nothing_is_said_of_them() -> None:
    sent = body(tool_choice={"any": {}}, params={"parallel_tool_calls": False, "tool_choice": "auto"})
    assert {"tools", "tool_choice", "parallel_tool_calls"}.isdisjoint(sent)


# --- structured output ------------------------------------------------------------------------------------------


def test_structured_output_is_a_format_of_the_text() -> None:
    params = {"text": {"verbosity": "low"}, "max_output_tokens": 9}
    sent = body(output_model=Sum, params=params, system=system_blocks("Be exact."))
    assert (sent["text"]["verbosity"], sent["max_output_tokens"], sent["instructions"]) == ("low", 9, "Be exact.")
    form = sent["text"]["format"]
    assert (form["type"], form["name"], form["strict"]) == ("json_schema", "Sum", True)
    assert form["schema"]["required"] == ["total"]
    assert params["text"] == {"verbosity": "low"}
