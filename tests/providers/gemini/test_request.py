import warnings
from copy import deepcopy
from typing import Any

import pytest
from pydantic import BaseModel

from harness.contract.config import UnsupportedContentWarning
from providers._shared.request import Request, system_blocks
from providers.gemini.request import config_of, contents_of, structured_config

PNG = b"\x89PNG\r\n\x1a\n"
ADD: Any = {"name": "math/add", "description": "Adds.", "inputSchema": {"json": {"type": "object", "properties": {}}}}


def request(*messages: Any, model_id: str = "gemini-3-pro", **fields: Any) -> Request:
    config = {"model_id": model_id, **fields.pop("config", {})}
    return Request(config, list(messages), **fields)


def user(*blocks: Any) -> Any:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: Any) -> Any:
    return {"role": "assistant", "content": list(blocks)}


def use(call_id: str, name: str = "math/add", **fields: Any) -> Any:
    return {"toolUse": {"toolUseId": call_id, "name": name, "input": {"a": 1}, **fields}}


def result(call_id: str, *content: Any, status: str = "success") -> Any:
    return {"toolResult": {"toolUseId": call_id, "content": list(content), "status": status}}


def parts(*blocks: Any, **fields: Any) -> list[Any]:
    """What a turn of these blocks becomes."""
    turns = contents_of(request(user(*blocks), **fields))
    return [part for turn in turns for part in turn["parts"]]


def response(*content: Any, **fields: Any) -> Any:
    return parts(result("1", *content, **fields))[0]["function_response"]["response"]


def test_roles_are_merged_and_results_come_first() -> None:
    given = [
        user({"text": "Hi"}),
        user({"text": "there"}),
        assistant({"text": "Let me"}, use("1"), use("2")),
        user({"text": "So?"}, result("1", {"text": "a"})),
        user(result("2", {"text": "b"})),
        assistant({"text": " "}),
    ]
    kept = deepcopy(given)
    turns = contents_of(request(*given))
    assert given == kept
    assert [(turn["role"], [next(iter(part)) for part in turn["parts"]]) for turn in turns] == [
        ("user", ["text", "text"]),
        ("model", ["text", "function_call", "function_call"]),
        ("user", ["function_response", "function_response", "text"]),
    ]


def test_a_call_and_its_result_have_the_same_id_and_the_same_legal_name() -> None:
    turns = contents_of(request(assistant(use("1", reasoningSignature="c2ln")), user(result("1", {"text": "3"}))))
    called, answered = turns[0]["parts"][0], turns[1]["parts"][0]["function_response"]
    assert called["thought_signature"] == b"sig"
    assert (called["function_call"]["id"], called["function_call"]["name"]) == (answered["id"], answered["name"])
    declared = config_of(request(tool_specs=[ADD]))["tools"][0]["function_declarations"][0]
    assert declared["name"] == answered["name"] != "math/add"
    assert declared["parameters_json_schema"] == {"type": "object", "properties": {}}


@pytest.mark.parametrize(("name", "legal"), [("get_weather-v1.2", True), ("9lives", False), ("w" * 65, False)])
def test_legal_names_stay(name: str, *, legal: bool) -> None:
    sent = parts(use("1", name))[0]["function_call"]["name"]
    assert (sent == name) is legal
    assert len(sent) <= 64
    assert sent[0].isalpha() or sent[0] == "_"


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ([{"text": "sunny"}], {"output": "sunny"}),
        ([{"json": {"t": 21.5}}], {"t": 21.5}),
        ([{"json": [1, None]}], {"output": [1, None]}),
        ([{"json": None}], {"output": None}),
        ([{"text": "one"}, {"json": {"t": 1}}], {"output": ["one", {"t": 1}]}),
        ([], {"output": ""}),
    ],
)
def test_results_are_objects(content: list[Any], wanted: Any) -> None:
    assert response(*content) == wanted


def test_a_failed_call_says_so() -> None:
    assert response({"text": "no such city"}, status="error") == {"error": "no such city"}
    assert response({"json": {"code": 1}}, status="error") == {"error": {"code": 1}}


@pytest.mark.parametrize(
    ("model_id", "nested"),
    [("gemini-3-pro", True), ("models/gemini-flash-latest", True), ("models/gemini-2.5-flash", False)],
)
def test_media_of_results_stand_where_the_model_takes_them(model_id: str, *, nested: bool) -> None:
    image = {"image": {"format": "png", "source": {"bytes": PNG}}}
    wire = {"inline_data": {"data": PNG, "mime_type": "image/png"}}
    answered, *behind = parts(result("1", {"text": "see"}, image), model_id=model_id)
    assert answered["function_response"].get("parts") == ([wire] if nested else None)
    assert behind == ([] if nested else [wire])


@pytest.mark.parametrize(
    ("block", "wanted"),
    [
        (
            {"image": {"format": "png", "source": {"bytes": PNG}}},
            {"inline_data": {"data": PNG, "mime_type": "image/png"}},
        ),
        (
            {"document": {"format": "pdf", "name": "n", "source": {"bytes": b"%PDF"}}},
            {"inline_data": {"data": b"%PDF", "mime_type": "application/pdf"}},
        ),
        (
            {"video": {"format": "three_gp", "source": {"bytes": b"v"}}},
            {"inline_data": {"data": b"v", "mime_type": "video/3gpp"}},
        ),
        (
            {"video": {"format": "mp4", "source": {"location": {"type": "gcs", "uri": "gs://b/v.mp4"}}}},
            {"file_data": {"file_uri": "gs://b/v.mp4", "mime_type": "video/mp4"}},
        ),
    ],
)
def test_media(block: Any, wanted: Any) -> None:
    assert parts(block) == [wanted]


@pytest.mark.parametrize(
    "block",
    [
        {"image": {"format": "gif", "source": {"bytes": b"GIF89a"}}},
        {"image": {"format": "png", "source": {"location": {"type": "s3", "uri": "s3://b/a.png"}}}},
        {"document": {"format": "docx", "name": "n", "source": {"bytes": b"PK"}}},
        {"video": {"format": "mkv", "source": {"bytes": b"v"}}},
        {"reasoningContent": {"redactedContent": b"hidden"}},
        {"novelty": {}},
    ],
)
def test_what_the_service_cannot_take_is_left_out_with_a_warning(block: Any) -> None:
    with pytest.warns(UnsupportedContentWarning):
        assert parts({"text": "Hi"}, block) == [{"text": "Hi"}]


def test_reasoning_goes_back_with_its_signature_where_that_can_be_one() -> None:
    def spoken(**fields: str) -> Any:
        return {"reasoningContent": {"reasoningText": fields}}

    assert parts(
        spoken(text="Hm.", signature="c2ln"), spoken(text="So."), spoken(text="", signature="c2ln"), spoken(text="")
    ) == [
        {"text": "Hm.", "thought": True, "thought_signature": b"sig"},
        {"text": "So.", "thought": True},
        {"text": "", "thought": True, "thought_signature": b"sig"},
    ]
    assert parts(spoken(text="Hm.", signature="ünlike base64")) == [{"text": "Hm.", "thought": True}]


def test_cited_and_guarded_text_is_text_and_cache_points_are_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert parts(
            {"citationsContent": {"content": [{"text": "It says "}, {"text": "so."}], "citations": []}},
            {"guardContent": {"text": {"text": "Look."}}},
            {"cachePoint": {"type": "default"}},
            {"text": "\n"},
        ) == [{"text": "It says so."}, {"text": "Look."}]


def test_the_system_prompt() -> None:
    blocks: Any = [{"text": "Be kind."}, {"cachePoint": {"type": "default"}}, {"guardContent": {"text": {"text": "X"}}}]
    assert config_of(request(system=blocks))["system_instruction"] == {"parts": [{"text": "Be kind."}, {"text": "X"}]}
    assert "system_instruction" not in config_of(request(system=system_blocks(" ")))


@pytest.mark.parametrize(
    ("choice", "wanted"),
    [
        ({"auto": {}}, {"mode": "AUTO"}),
        ({"any": {}}, {"mode": "ANY"}),
        ({"tool": {"name": "math-add"}}, {"mode": "ANY", "allowed_function_names": ["math-add"]}),
    ],
)
def test_tool_choice(choice: Any, wanted: Any) -> None:
    config = config_of(request(tool_specs=[ADD], tool_choice=choice))
    assert config["tool_config"] == {"function_calling_config": wanted}
    assert "tool_config" not in config_of(request(tool_choice=choice))


def test_params_win_and_tools_add_up() -> None:
    params = {"temperature": 0, "tools": [{"url_context": {}}], "automatic_function_calling": None}
    kept = deepcopy(params)
    config = config_of(request(tool_specs=[ADD], config={"params": params, "gemini_tools": [{"google_search": {}}]}))
    assert params == kept
    assert [next(iter(tool)) for tool in config["tools"]] == ["function_declarations", "google_search", "url_context"]
    assert (config["temperature"], config["automatic_function_calling"]) == (0, None)


class Answer(BaseModel):
    total: int


def test_structured_output_leaves_the_services_tools_out() -> None:
    config = structured_config(
        request(config={"gemini_tools": [{"google_search": {}}], "params": {"temperature": 0}}), Answer
    )
    assert config["response_mime_type"] == "application/json"
    assert config["response_json_schema"]["properties"] == {"total": {"title": "Total", "type": "integer"}}
    assert config["temperature"] == 0
    assert "tools" not in config
