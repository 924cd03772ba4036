"""Token estimates for prompts, without a vendor.

Text is counted by tiktoken's ``cl100k_base`` when tiktoken and that vocabulary are on this machine, else as
ceil(characters / 4); nothing is fetched. JSON is counted as ceil(length of its text / 2). Binary content (images,
documents, videos, redacted reasoning) is not counted. Not for billing.
"""

import hashlib
import json
import math
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from harness.contract.content import ContentBlock, Messages, SystemContentBlock, ToolSpec

TextCounter = Callable[[str], int]

#: the name of ``cl100k_base`` in tiktoken's cache (the SHA-1 of its address), and the SHA-256 of its content
_VOCABULARY: Final = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
_VOCABULARY_DIGEST: Final = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"


def estimate_text(text: str) -> int:
    """Tokens of a text, as ceil(characters / 4)."""
    return math.ceil(len(text) / 4)


def estimate_json(value: Any) -> int:
    """Tokens of a JSON value, as ceil(length of its text / 2); 0 for what JSON cannot say."""
    try:
        return math.ceil(len(json.dumps(value)) / 2)
    except (TypeError, ValueError, RecursionError):
        return 0


@lru_cache(maxsize=1)
def text_counter() -> TextCounter:
    """Tiktoken's counter when it is installed and its vocabulary is on this machine, else :func:`estimate_text`."""
    if not _has_vocabulary():
        return estimate_text
    try:
        import tiktoken
    except ImportError:
        return estimate_text
    encoding = tiktoken.get_encoding("cl100k_base")
    return lambda text: len(encoding.encode(text, disallowed_special=()))


def _has_vocabulary() -> bool:
    """Whether tiktoken would read its vocabulary from its cache; it would fetch a missing or damaged one."""
    try:
        content = (_cache() / _VOCABULARY).read_bytes()
    except OSError:
        return False
    return hashlib.sha256(content).hexdigest() == _VOCABULARY_DIGEST


def _cache() -> Path:
    """Tiktoken's cache directory. An empty variable turns the cache off, and then names no file that exists."""
    default = str(Path(tempfile.gettempdir()) / "data-gym-cache")
    named = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR", default))
    return Path(named or os.devnull)


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
    system: Iterable[Any] = system_prompt_content or ({"text": system_prompt or ""},)
    blocks = (block for content in (system, *(message["content"] for message in messages)) for block in content)
    return sum(_count_block(block, count) for block in blocks) + sum(map(estimate_json, tool_specs or ()))


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
