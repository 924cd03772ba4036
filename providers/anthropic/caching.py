"""Cache points: marks on the block before them (https://docs.claude.com/en/docs/build-with-claude/prompt-caching)."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from providers._shared.content import warn_left_out
from providers.anthropic.blocks import WireBlock

#: blocks that the API lets nobody mark
_UNMARKABLE: Final = frozenset({"thinking", "redacted_thinking"})

#: marks that one request may have
_LIMIT: Final = 4


def mark_last(blocks: Sequence[WireBlock], ttl: str | None) -> bool:
    """Mark the last of ``blocks`` that can be marked; False when there is none."""
    block = next((block for block in reversed(blocks) if block.get("type") not in _UNMARKABLE), None)
    if block is None:
        return False
    block["cache_control"] = {"type": "ephemeral", **({"ttl": ttl} if ttl else {})}
    return True


def mark_point(blocks: Sequence[WireBlock], point: Any) -> None:
    """Turn a cache point that follows ``blocks`` into a mark; warn when nothing stands before it."""
    if not mark_last(blocks, point.get("ttl")):
        warn_left_out("a cache point with nothing before it")


def limit_marks(request: dict[str, Any]) -> None:
    """Keep the marks of tools and system, and the last ones of the messages, up to what a request may have."""
    fixed = _marked(request.get("tools", ())), _marked(request.get("system", ()))
    spoken = _marked(block for message in request["messages"] for block in message["content"])
    surplus = max(0, sum(map(len, fixed)) + len(spoken) - _LIMIT)
    for block in spoken[:surplus]:
        del block["cache_control"]
    if surplus:
        warn_left_out(f"more than {_LIMIT} cache points")


def _marked(blocks: Iterable[Any]) -> list[WireBlock]:
    return [block for block in blocks if isinstance(block, dict) and "cache_control" in block]
