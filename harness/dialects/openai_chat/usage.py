"""``usage``: the counters, the details that vendors put beside them, and where a stream carries them."""

from collections.abc import Callable, Mapping
from typing import Any

from harness.dialects.reply import Usage

Json = dict[str, Any]

_NO_COMPLETION_DETAILS = {
    "reasoning_tokens": 0,
    "audio_tokens": 0,
    "accepted_prediction_tokens": 0,
    "rejected_prediction_tokens": 0,
}


def usage_object(usage: Usage, details: str, share: tuple[int, int] = (1, 1)) -> Json:
    """The ``usage`` object; ``share`` (done, of) tells how much of the output was there when it was sent."""
    done, of = share
    output = usage.output * done // of
    body: Json = {
        "prompt_tokens": usage.input,
        "completion_tokens": output,
        "total_tokens": total(usage) - usage.output + output,
    }
    return body | _DETAILS[details](_cache(usage))


def told_usage(usage: Usage, details: str) -> Usage:
    """What a reader knows of ``usage``."""
    read = 0 if usage.cache_read is None and details in _TELL_ZEROS else usage.cache_read
    return Usage(usage.input, usage.output, total(usage), read, usage.cache_write)


def total(usage: Usage) -> int:
    """``total_tokens``, which the wire always carries."""
    return usage.input + usage.output if usage.total is None else usage.total


def _cache(usage: Usage) -> Json:
    counters = {"cached_tokens": usage.cache_read, "cache_write_tokens": usage.cache_write}
    return {name: value for name, value in counters.items() if value is not None}


def _as_counted(cache: Json) -> Json:
    return {"prompt_tokens_details": cache} if cache else {}


def _all(cache: Json) -> Json:
    return {
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0, **cache},
        "completion_tokens_details": _NO_COMPLETION_DETAILS,
    }


def _null(cache: Json) -> Json:
    return {"prompt_tokens_details": cache or None, "completion_tokens_details": None}


def _writer_null(cache: Json) -> Json:
    return {"prompt_token_details": cache or None, "completion_tokens_details": None}


def _writer_all(cache: Json) -> Json:
    return {
        "prompt_token_details": {"cached_tokens": 0, **cache},
        "completion_tokens_details": {"reasoning_tokens": 0},
    }


_DETAILS: Mapping[str, Callable[[Json], Json]] = {
    "as_counted": _as_counted,
    "all": _all,
    "null": _null,
    "writer_null": _writer_null,
    "writer_all": _writer_all,
}
_TELL_ZEROS = frozenset({"all", "writer_all"})
