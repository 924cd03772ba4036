"""Token counts, under whichever names they come.

``inputTokens`` is the service's ``prompt_tokens``, which holds the cached ones too; ``cacheReadInputTokens`` and
``cacheWriteInputTokens`` say how many of those were read from and written to its cache.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from harness.contract.events import Usage

_INPUT: Final = (("prompt_tokens",), ("input_tokens",))
_OUTPUT: Final = (("completion_tokens",), ("output_tokens",))
_TOTAL: Final = (("total_tokens",),)
_CACHE_READ: Final = (
    ("prompt_tokens_details", "cached_tokens"),  # OpenAI and most others
    ("input_tokens_details", "cached_tokens"),  # OpenAI's Responses
    ("prompt_token_details", "cached_tokens"),  # Writer
    ("prompt_cache_hit_tokens",),  # DeepSeek
    ("cache_read_input_tokens",),  # LiteLLM's proxy
    ("cached_tokens",),  # Moonshot
    ("num_cached_tokens",),  # Mistral
)
_CACHE_WRITE: Final = (
    ("prompt_tokens_details", "cache_write_tokens"),  # OpenRouter
    ("input_tokens_details", "cache_write_tokens"),  # OpenAI's Responses
    ("prompt_tokens_details", "cache_creation_tokens"),  # LiteLLM's proxy
    ("cache_creation_input_tokens",),  # Vercel's gateway, LiteLLM's proxy
)

Paths = tuple[tuple[str, ...], ...]


def reports(chunk: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The usage objects of a chunk or body, in rising order of trust: Groq's own place, Moonshot's, OpenAI's."""
    choices = chunk.get("choices")
    holders = (chunk.get("x_groq"), *(choices if isinstance(choices, list) else ()), chunk)
    return (holder["usage"] for holder in holders if isinstance(holder, Mapping) and _holds(holder))


def _holds(holder: Mapping[str, Any]) -> bool:
    return isinstance(holder.get("usage"), Mapping)


def usage_of(raw: Mapping[str, Any]) -> Usage | None:
    """The contract's usage; None when the service counted nothing."""
    given, made, total = (_count(raw, paths) for paths in (_INPUT, _OUTPUT, _TOTAL))
    if given is None and made is None and total is None:
        return None
    given = given if given is not None else max((total or 0) - (made or 0), 0)
    made = made if made is not None else max((total or 0) - given, 0)
    usage = Usage(inputTokens=given, outputTokens=made, totalTokens=total if total is not None else given + made)
    if (read := _count(raw, _CACHE_READ)) is not None:
        usage["cacheReadInputTokens"] = read
    if (written := _count(raw, _CACHE_WRITE)) is not None:
        usage["cacheWriteInputTokens"] = written
    return usage


def _count(raw: Mapping[str, Any], paths: Paths) -> int | None:
    return next((count for path in paths if (count := _at(raw, path)) is not None), None)


def _at(raw: Any, path: tuple[str, ...]) -> int | None:
    for key in path:
        raw = raw.get(key) if isinstance(raw, Mapping) else None
    return int(raw) if isinstance(raw, int | float) and raw >= 0 else None
