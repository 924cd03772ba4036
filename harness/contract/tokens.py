"""Token estimates for prompts, without a vendor.

Text is counted by tiktoken's ``cl100k_base`` when tiktoken is installed, else as ceil(characters / 4);
JSON as ceil(length of its text / 2). Binary content (images, documents, videos, redacted reasoning) is not
counted. Not for billing.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from harness.contract.content import ContentBlock, Messages, SystemContentBlock, ToolSpec

TextCounter = Callable[[str], int]


def estimate_text(text: str) -> int:
    """Tokens of a text, as ceil(characters / 4)."""
    return math.ceil(len(text) / 4)


def estimate_json(value: Any) -> int:
    """Tokens of a JSON value, as ceil(length / 2); 0 for what JSON cannot say."""
    try:
        return math.ceil(len(json.dumps(value)) / 2)
    except (TypeError, ValueError):
        return 0


@lru_cache(maxsize=1)
def text_counter() -> TextCounter:
    """Tiktoken's counter when it is installed and its vocabulary is on this machine, else :func:`estimate_text`."""
    try:
        import tiktoken

        encoding = tiktoken.get_encoding("cl100k_base")
    # tiktoken fetches its vocabulary at first use, and an offline machine fails in ways of requests' own.
    except Exception:
        return estimate_text
    return lambda text: len(encoding.encode(text, disallowed_special=()))


def count_tokens(
    messages: Messages,
    tool_specs: list[ToolSpec] | None = None,
    system_prompt: str | None = None,
    system_prompt_content: list[SystemContentBlock] | None = None,
    *,
    count_text: TextCounter | None = None,
) -> int:
    """Estimated input tokens of a request. ``system_prompt_content`` wins over ``system_prompt``."""
    count = count_text or text_counter()
    system = [block.get("text", "") for block in system_prompt_content or ()] or [system_prompt or ""]
    blocks = (block for message in messages for block in message["content"])
    return (
        sum(map(count, system))
        + sum(_count_block(block, count) for block in blocks)
        + sum(map(estimate_json, tool_specs or ()))
    )


def _count_block(block: ContentBlock, count: TextCounter) -> int:
    return sum(map(count, _texts(block))) + sum(map(estimate_json, _values(block)))


def _texts(block: ContentBlock) -> Iterator[str]:
    yield block.get("text", "")
    yield block.get("toolUse", {}).get("name", "")
    yield block.get("reasoningContent", {}).get("reasoningText", {}).get("text", "")
    yield block.get("guardContent", {}).get("text", {}).get("text", "")
    yield from _item_texts(block.get("citationsContent", {}).get("content", ()))
    yield from _item_texts(block.get("toolResult", {}).get("content", ()))


def _item_texts(items: Iterable[Any]) -> Iterator[str]:
    return (item["text"] for item in items if "text" in item)


def _values(block: ContentBlock) -> Iterator[Any]:
    if "toolUse" in block:
        yield block["toolUse"].get("input", {})
    yield from (item["json"] for item in block.get("toolResult", {}).get("content", ()) if "json" in item)
