"""Turns of a conversation, in few words."""

from typing import Any

from harness.contract.content import ContentBlock, Message


def user(*blocks: ContentBlock) -> Message:
    """A turn of the user."""
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: ContentBlock) -> Message:
    """A turn of the model."""
    return {"role": "assistant", "content": list(blocks)}


def use(call_id: str, value: Any, name: str = "get_weather", **more: Any) -> ContentBlock:
    """A call in the history."""
    made: Any = {"toolUse": {"toolUseId": call_id, "name": name, "input": value, **more}}
    block: ContentBlock = made
    return block


def result(call_id: str, *content: Any, status: Any = "success") -> ContentBlock:
    """A tool's result."""
    return {"toolResult": {"toolUseId": call_id, "status": status, "content": list(content)}}
