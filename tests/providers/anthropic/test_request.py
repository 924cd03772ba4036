import copy
from typing import Any

import pytest

from harness.contract.config import CacheConfig, CacheToolsConfig, NotStrictWarning, UnsupportedContentWarning
from providers._shared.request import Request, system_blocks
from providers.anthropic.names import NAMES
from providers.anthropic.request import count_request, for_signature, format_request

SPEC: Any = {"name": "add", "description": "Adds.", "inputSchema": {"json": {"type": "object", "properties": {}}}}
POINT: Any = {"cachePoint": {"type": "default"}}
MARK = {"type": "ephemeral"}


def user(*content: Any) -> Any:
    return {"role": "user", "content": list(content)}


def assistant(*content: Any) -> Any:
    return {"role": "assistant", "content": list(content)}


def said(text: str) -> Any:
    return {"text": text}


def answered(call_id: str) -> Any:
    return {"toolResult": {"toolUseId": call_id, "content": [said("42")]}}


def request(messages: Any = None, specs: Any = None, config: Any = None, **arguments: Any) -> dict[str, Any]:
    settings = {"model_id": "m", "max_tokens": 10, **(config or {})}
    system = system_blocks(arguments.pop("system_prompt", None), arguments.pop("system_prompt_content", None))
    return format_request(Request(settings, messages or [user(said("hi"))], specs or (), system, **arguments))


def text(words: str, **fields: Any) -> Any:
    return {"type": "text", "text": words, **fields}


def test_the_shortest_request() -> None:
    assert request() == {
        "model": "m",
        "max_tokens": 10,
        "messages": [{"role": "user", "content": [text("hi")]}],
    }


@pytest.mark.parametrize(
    ("arguments", "system"),
    [
        ({"system_prompt": "be brief"}, [text("be brief")]),
        ({"system_prompt_content": [said("be brief")]}, [text("be brief")]),
        ({"system_prompt": "old", "system_prompt_content": [said("new")]}, [text("new")]),
        ({"system_prompt": "old", "system_prompt_content": []}, [text("old")]),
        (
            {"system_prompt_content": [said("a"), POINT, said(" "), said("b")]},
            [text("a", cache_control=MARK), text("b")],
        ),
        ({"system_prompt_content": [{"guardContent": {"text": {"text": "g"}}}]}, [text("g")]),
        ({"system_prompt": "  "}, None),
    ],
)
def test_system_prompts(arguments: Any, system: Any) -> None:
    assert request(**arguments).get("system") == system


def test_turns_of_one_role_are_merged_and_results_come_first() -> None:
    messages = [
        user(said("a")),
        assistant(said(" ")),
        user(said("b")),
        assistant({"toolUse": {"toolUseId": "t1", "name": "add", "input": {}}}),
        assistant({"toolUse": {"toolUseId": "t2", "name": "add", "input": {}}}),
        user(said("look"), answered("t1")),
        user(answered("t2")),
    ]
    turns = request(messages)["messages"]
    assert [turn["role"] for turn in turns] == ["user", "assistant", "user"]
    assert turns[0]["content"] == [text("a"), text("b")]
    assert [block.get("tool_use_id", "text") for block in turns[2]["content"]] == ["t1", "t2", "text"]


def test_reasoning_stays_in_its_place() -> None:
    thought = {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}}
    turn = request([user(said("a")), assistant(thought, said("b"), thought)])["messages"][1]
    assert [block["type"] for block in turn["content"]] == ["thinking", "text", "thinking"]


def test_tools_and_their_names() -> None:
    specs = [{**SPEC, "name": "calendar.read"}, {**SPEC, "description": ""}]
    history = [user(said("a")), assistant({"toolUse": {"toolUseId": "t", "name": "calendar.read", "input": {}}})]
    made = request(history, specs, tool_choice={"tool": {"name": "calendar.read"}})
    assert [tool["name"] for tool in made["tools"]] == [NAMES.wire("calendar.read"), "add"]
    assert ["description" in tool for tool in made["tools"]] == [True, False]
    assert made["tool_choice"] == {"type": "tool", "name": NAMES.wire("calendar.read")}
    assert made["messages"][1]["content"][0]["name"] == NAMES.wire("calendar.read")


def test_strict_tools_where_they_can_be() -> None:
    mapping = {"type": "object", "properties": {"m": {"type": "object"}}}
    specs = [SPEC, {**SPEC, "name": "open", "inputSchema": {"json": mapping}}]
    with pytest.warns(NotStrictWarning, match="#/properties/m"):
        closed, opened = request(specs=specs, config={"strict_tools": True})["tools"]
    assert (closed["strict"], closed["input_schema"]["additionalProperties"]) == (True, False)
    assert ("strict" in opened, opened["input_schema"]) == (False, mapping)


@pytest.mark.parametrize(
    ("choice", "wire"), [({"auto": {}}, {"type": "auto"}), ({"any": {}}, {"type": "any"}), (None, None)]
)
def test_tool_choices(choice: Any, wire: Any) -> None:
    assert request(specs=[SPEC], tool_choice=choice).get("tool_choice") == wire


def test_no_choice_without_tools() -> None:
    assert "tool_choice" not in request(tool_choice={"any": {}})


@pytest.mark.parametrize(
    ("choice", "thinks"), [({"any": {}}, False), ({"tool": {"name": "add"}}, False), ({"auto": {}}, True)]
)
def test_a_forced_call_cannot_think(choice: Any, thinks: bool) -> None:
    params = {"thinking": {"type": "enabled", "budget_tokens": 1024}}
    made = request(specs=[SPEC], config={"params": params}, tool_choice=choice)
    assert ("thinking" in made) is thinks
    assert "thinking" in params


def test_params_reach_the_request_and_add_to_the_tools() -> None:
    search = {"type": "web_search_20250305", "name": "web_search"}
    made = request(specs=[SPEC], config={"params": {"temperature": 0.5, "max_tokens": 99, "tools": [search]}})
    assert (made["temperature"], made["max_tokens"]) == (0.5, 99)
    assert [tool["name"] for tool in made["tools"]] == ["add", "web_search"]


def test_what_the_sdk_does_not_name_goes_into_the_body() -> None:
    made = {"model": "m", "temperature": 0.5, "extra_body": {"own": 1}}
    assert for_signature(made, ["model", "extra_body"]) == {
        "model": "m",
        "extra_body": {"temperature": 0.5, "own": 1},
    }
    assert for_signature({"model": "m"}, ["model"]) == {"model": "m"}


def test_only_what_can_be_counted_is_counted() -> None:
    made = request(specs=[SPEC], config={"params": {"temperature": 0.5}}, system_prompt="s")
    assert sorted(count_request(made)) == ["messages", "model", "system", "tools"]


def test_cache_points_mark_the_block_before_them() -> None:
    messages = [
        user(said("a"), POINT, said("b")),
        assistant(said("c")),
        user({"cachePoint": {"type": "default", "ttl": "1h"}}),
    ]
    turns = request(messages)["messages"]
    assert turns[0]["content"] == [text("a", cache_control=MARK), text("b")]
    assert turns[1]["content"] == [text("c", cache_control={**MARK, "ttl": "1h"})]
    assert len(turns) == 2


def test_reasoning_cannot_be_marked() -> None:
    thought = {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}}
    turn = request([user(said("a")), assistant(said("b"), thought, POINT)])["messages"][1]
    assert turn["content"][0] == text("b", cache_control=MARK)
    assert "cache_control" not in turn["content"][1]


def test_a_cache_point_before_everything_warns() -> None:
    with pytest.warns(UnsupportedContentWarning, match="nothing before it"):
        made = request([user(POINT, said("a"))])
    assert made["messages"][0]["content"] == [text("a")]


def test_settings_mark_tools_and_history() -> None:
    config = {"cache_tools": CacheToolsConfig(ttl="1h"), "cache_config": CacheConfig()}
    made = request([user(said("a")), assistant(said("b")), user(said("c"), said("d"))], [SPEC, SPEC], config)
    assert [tool.get("cache_control") for tool in made["tools"]] == [None, {**MARK, "ttl": "1h"}]
    assert made["messages"][2]["content"] == [text("c"), text("d", cache_control=MARK)]


def test_a_request_has_four_marks_at_most_and_keeps_the_last_ones() -> None:
    messages = [user(*(part for word in "abcd" for part in (said(word), POINT)))]
    with pytest.warns(UnsupportedContentWarning, match="more than 4 cache points"):
        made = request(messages, system_prompt_content=[said("s"), POINT])
    assert ["cache_control" in block for block in made["messages"][0]["content"]] == [False, True, True, True]
    assert "cache_control" in made["system"][0]


def test_nothing_that_was_given_is_changed() -> None:
    config = {"params": {"tools": [], "thinking": {"type": "adaptive"}}, "cache_tools": CacheToolsConfig()}
    messages = [user(said("a"), POINT), assistant(said("b")), user(said("c"), answered("t"), POINT)]
    given = (messages, [SPEC], config, [said("s"), POINT])
    before = copy.deepcopy(given)
    request(messages, [SPEC], config, system_prompt_content=given[3], tool_choice={"any": {}})
    assert given == before
