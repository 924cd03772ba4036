"""``usage``: the counters, and the details that vendors put beside them."""

from collections.abc import Callable, Mapping
from typing import Any

from harness.dialects.reply import Usage

Json = dict[str, Any]


def usage_object(usage: Usage, details: str) -> Json:
    """The ``usage`` object."""
    told = told_usage(usage, details)
    cache = {"cached_tokens": told.cache_read, "cache_write_tokens": told.cache_write}
    counted = {name: value for name, value in cache.items() if value is not None}
    counters: Json = {"input_tokens": usage.input, "output_tokens": usage.output, "total_tokens": told.total}
    return counters | _DETAILS[details](counted)


def told_usage(usage: Usage, details: str) -> Usage:
    """What a reader knows of ``usage``; ``total_tokens`` is always on the wire."""
    total = usage.input + usage.output if usage.total is None else usage.total
    zero_read, zero_write = _ZEROS[details]
    return Usage(
        usage.input,
        usage.output,
        total,
        zero_read if usage.cache_read is None else usage.cache_read,
        zero_write if usage.cache_write is None else usage.cache_write,
    )


#: counters of the cache that the style sends as zero where the reply has none
_ZEROS: Mapping[str, tuple[int | None, int | None]] = {
    "all": (0, 0),
    "cached_only": (0, None),
    "as_counted": (None, None),
    "null": (None, None),
}

_REASONED = {"output_tokens_details": {"reasoning_tokens": 0}}


def _as_counted(cache: Json) -> Json:
    return {"input_tokens_details": cache} if cache else {}


def _null(cache: Json) -> Json:
    return {"input_tokens_details": cache or None, "output_tokens_details": None}


_DETAILS: Mapping[str, Callable[[Json], Json]] = {
    "all": lambda cache: {"input_tokens_details": cache, **_REASONED},
    "cached_only": lambda cache: {"input_tokens_details": cache, **_REASONED},
    "as_counted": _as_counted,
    "null": _null,
}
