"""A conversation with calls, told in the text format."""

import copy
from typing import Any

from harness.agent.react import Action, parse
from harness.agent.transcript import as_text, instruction
from harness.contract.content import Message, Messages, ToolSpec


def call(name: str, **given: Any) -> Any:
    return {"toolUse": {"toolUseId": f"id-{name}", "name": name, "input": given}}


def result(name: str, *content: Any, status: str = "success") -> Any:
    return {"toolResult": {"toolUseId": f"id-{name}", "content": list(content), "status": status}}


QUESTION: Message = {"role": "user", "content": [{"text": "what?"}]}


def told(*messages: Message) -> list[tuple[Any, ...]]:
    return [
        (message["role"], *(block.get("text", block) for block in message["content"]))
        for message in as_text(list(messages))
    ]


def test_a_call_becomes_an_action_and_its_result_an_observation() -> None:
    assert told(
        QUESTION,
        {"role": "assistant", "content": [{"text": "I look."}, call("a", k="é")]},
        {"role": "user", "content": [result("a", {"text": "one"}, {"json": {"n": 2}})]},
    ) == [
        ("user", "what?"),
        ("assistant", 'Thought: I look.\nAction: a\nAction Input: {"k": "é"}'),
        ("user", 'Observation: one\n{"n": 2}'),
    ]


def test_several_calls_become_a_turn_each_with_its_own_observation() -> None:
    assert told(
        QUESTION,
        {"role": "assistant", "content": [call("a"), call("b")]},
        {"role": "user", "content": [result("b", {"text": "two"}), result("a", {"text": "one"})]},
    ) == [
        ("user", "what?"),
        ("assistant", "Action: a\nAction Input: {}"),
        ("user", "Observation: one"),
        ("assistant", "Action: b\nAction Input: {}"),
        ("user", "Observation: two"),
    ]


def test_an_error_is_told_and_an_image_stays() -> None:
    image = {"image": {"format": "png", "source": {"bytes": b"x"}}}
    assert told({"role": "user", "content": [result("a", {"text": "no"}, image, status="error")]}) == [
        ("user", "Observation: Error: no", image)
    ]


def test_the_given_conversation_stays_and_no_tool_block_is_left() -> None:
    given: Messages = [
        QUESTION,
        {"role": "assistant", "content": [call("a"), call("b")]},
        {"role": "user", "content": [result("a", {"text": "one"}), result("b", {"text": "two"})]},
    ]
    before = copy.deepcopy(given)
    found = as_text(given)
    assert given == before
    assert not any({"toolUse", "toolResult"} & block.keys() for message in found for block in message["content"])
    assert isinstance(parse(found[1]["content"][0]["text"]), Action)


def test_the_instruction_names_tools_arguments_and_labels() -> None:
    tool: ToolSpec = {"name": "look", "description": "Finds it.", "inputSchema": {"json": {"required": ["k"]}}}
    words = instruction([tool])
    assert all(part in words for part in ("look: Finds it.", '"required": ["k"]', "Action Input:", "Final Answer:"))
