"""``usageMetadata``: running totals, repeated in every chunk.

``Usage.input`` is everything that was read (``promptTokenCount``, which holds the cached tokens, and
``toolUsePromptTokenCount``), ``Usage.output`` everything that was written (``candidatesTokenCount`` and
``thoughtsTokenCount``): so the vendor bills it, and so it adds up to ``totalTokenCount``. ProtoJSON leaves out zeros.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from harness.dialects.gemini_generate.styles import Choices
from harness.dialects.reply import Usage

Json = dict[str, Any]


def told_usage(usage: Usage | None) -> Usage | None:
    """What a reader knows of ``usage``: nothing when every count is zero."""
    if usage is None:
        return None
    if usage.cache_write is not None:
        raise ValueError("Gemini does not count tokens that were written to a cache")
    counts = (usage.input, usage.output, total(usage), usage.cache_read)
    return Usage(usage.input, usage.output, total(usage), usage.cache_read or None) if any(counts) else None


def total(usage: Usage) -> int:
    """``totalTokenCount``."""
    return usage.input + usage.output if usage.total is None else usage.total


def counters(usage: Usage, choices: Choices, output: int | None = None) -> Json:
    """The counters when ``output`` tokens are written, all of them if None."""
    written = usage.output if output is None else output
    thoughts = min(_THOUGHTS[choices.thoughts](usage.output), written)
    by_tools = usage.input // 2 if choices.server_tool != "none" else 0
    counts = {
        "promptTokenCount": usage.input - by_tools,
        "candidatesTokenCount": written - thoughts,
        "totalTokenCount": total(usage) - usage.output + written,
        "cachedContentTokenCount": usage.cache_read or 0,
        "toolUsePromptTokenCount": by_tools,
        "thoughtsTokenCount": thoughts,
    }
    details = {_DETAILS[name]: _by_modality(counts[name]) for name in _DETAILED[choices.service] if counts[name]}
    return {name: count for name, count in counts.items() if count > 0} | details


def _by_modality(count: int) -> list[Json]:
    return [{"modality": "TEXT", "tokenCount": count}]


_THOUGHTS: Final[Mapping[str, Callable[[int], int]]] = {
    "some": lambda output: output // 2,
    "none": lambda output: 0,
    "all": lambda output: output,
}
_DETAILS: Final = {
    "promptTokenCount": "promptTokensDetails",
    "candidatesTokenCount": "candidatesTokensDetails",
    "cachedContentTokenCount": "cacheTokensDetails",
    "toolUsePromptTokenCount": "toolUsePromptTokensDetails",
}
#: counts that a service breaks down by modality
_DETAILED: Final[Mapping[str, tuple[str, ...]]] = {
    "developer": ("promptTokenCount", "toolUsePromptTokenCount"),
    "vertex": ("promptTokenCount", "candidatesTokenCount", "cachedContentTokenCount", "toolUsePromptTokenCount"),
    "rated": ("promptTokenCount", "candidatesTokenCount"),
    "unknown": ("promptTokenCount",),
}


# --- before the last chunk ------------------------------------------------------------------------------------------


def interim(usage: Usage, choices: Choices, done: int, of: int) -> Json:
    """The counters of a chunk that is not the last: ``done`` of ``of`` chunks are told."""
    return _INTERIM[choices.usage](usage, choices, done, of)


def _growing(usage: Usage, choices: Choices, done: int, of: int) -> Json:
    return counters(usage, choices, usage.output * done // of)


def _revised(usage: Usage, choices: Choices, done: int, of: int) -> Json:
    """A first estimate of the prompt, which the last chunk corrects."""
    guess = usage.input + 60
    return counters(Usage(guess, usage.output, guess + usage.output), choices, 0)


_INTERIM: Final[Mapping[str, Callable[[Usage, Choices, int, int], Json]]] = {
    "every": _growing,
    "last": lambda usage, choices, done, of: {},
    "revised": _revised,
}
