"""The ReAct text format, written: the instruction that asks for it, and conversations told in it.

The reader of what a model answers is :mod:`harness.agent.react`.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, cast

from harness.agent.problems import FORMAT
from harness.contract.content import ContentBlock, Json, Message, Messages, ToolResult, ToolSpec, ToolUse

#: the stop sequence that keeps a model from inventing what a tool answers
STOP_SEQUENCE: Final = "\nObservation:"

_RULES: Final = """\
One action a reply, and nothing behind its input: what the tool answers comes back to you as a line "Observation: …".
Never write an observation yourself. Never write an action and a final answer in the same reply."""


def instruction(tools: Sequence[ToolSpec]) -> str:
    """The part of a system prompt that lists the tools and asks for the format."""
    names = ", ".join(tool["name"] for tool in tools)
    listed = "\n".join(map(_listed, tools))
    return (
        f"You have these tools:\n\n{listed}\n\nReply in exactly this format:\n\n{FORMAT}\n\n"
        f"{_RULES}\nThe tools' names: {names}."
    )


def _listed(tool: ToolSpec) -> str:
    schema = json.dumps(tool["inputSchema"]["json"], ensure_ascii=False)
    return f"- {tool['name']}: {tool['description']}\n  arguments, as a JSON schema: {schema}"


def render_action(tool: str, given: Json, thought: str = "") -> str:
    """An action as a model writes it; :func:`harness.agent.react.parse` reads it back."""
    lines = (f"Thought: {thought}" if thought else "", f"Action: {tool}", f"Action Input: {_dumped(given)}")
    return "\n".join(filter(None, lines))


def render_observation(content: str) -> str:
    """What a tool answered, as the model is told."""
    return f"Observation: {content}"


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def as_text(messages: Messages) -> Messages:
    """A conversation without tool blocks: calls are told as actions, results as observations. A new list.

    A turn with several calls becomes one turn a call, each followed by its observation, since the format has one action
    a reply. Roles alternate where they did before. Content that is not text (images, documents) stays a block.
    """
    told: Messages = []
    for index, message in enumerate(messages):
        following = messages[index + 1] if index + 1 < len(messages) else None
        told += _turn(message, following, messages[index - 1] if index else None)
    return told


def _turn(message: Message, following: Message | None, before: Message | None) -> Iterator[Message]:
    calls = [block["toolUse"] for block in message["content"] if "toolUse" in block]
    if message["role"] == "assistant" and calls:
        yield from _calls(message, calls, _results(following))
        return
    spoken = {call["toolUseId"] for call in _all_but_last(before)} & set(_results(message))
    content = [item for block in message["content"] for item in _told(block, spoken)]
    yield {"role": message["role"], "content": content}


def _results(message: Message | None) -> dict[str, ToolResult]:
    content = message["content"] if message else ()
    return {block["toolResult"]["toolUseId"]: block["toolResult"] for block in content if "toolResult" in block}


def _all_but_last(message: Message | None) -> list[ToolUse]:
    """The calls of a turn whose observations were told within it: all that are followed by another call."""
    content = message["content"] if message and message["role"] == "assistant" else ()
    return [block["toolUse"] for block in content if "toolUse" in block][:-1]


def _calls(message: Message, calls: list[ToolUse], results: dict[str, ToolResult]) -> Iterator[Message]:
    """A turn a call. The observation of the last one is told by the message that follows."""
    rest: list[ContentBlock] = [block for block in message["content"] if not {"toolUse", "text"} & block.keys()]
    thought = "\n".join(block["text"] for block in message["content"] if "text" in block).strip()
    for index, call in enumerate(calls):
        action = render_action(call["name"], call["input"], _thought(thought) if not index else "")
        yield {"role": "assistant", "content": [*rest, {"text": action}] if not index else [{"text": action}]}
        if index < len(calls) - 1:
            answered = results.get(call["toolUseId"])
            content = _observation(answered) if answered else [_text(render_observation("(no result)"))]
            yield {"role": "user", "content": content}


def _thought(text: str) -> str:
    """Without the label, where the text was a reply in the format already."""
    return text.removeprefix("Thought:").strip()


def _told(block: ContentBlock, spoken: set[str]) -> list[ContentBlock]:
    if "toolResult" in block:
        return [] if block["toolResult"]["toolUseId"] in spoken else _observation(block["toolResult"])
    if "toolUse" in block:
        return [_text(render_action(block["toolUse"]["name"], block["toolUse"]["input"]))]
    return [block]


def _observation(result: ToolResult) -> list[ContentBlock]:
    items = result["content"]
    said = "\n".join(_said(items))
    failed = "Error: " if result.get("status") == "error" else ""
    others = [cast("ContentBlock", item) for item in items if not {"text", "json"} & item.keys()]
    return [_text(render_observation(f"{failed}{said}".strip())), *others]


def _said(items: Iterable[Any]) -> Iterator[str]:
    return (
        item["text"] if "text" in item else _dumped(item["json"]) for item in items if {"text", "json"} & item.keys()
    )


def _text(text: str) -> ContentBlock:
    return {"text": text}
