from typing import Any

import pytest

from providers._shared.openai_chat.usage import usage_of


@pytest.mark.parametrize(
    ("raw", "counts"),
    [
        ({"prompt_tokens": 3, "completion_tokens": 5, "total_tokens": 9}, (3, 5, 9)),
        ({"prompt_tokens": 3, "completion_tokens": 5}, (3, 5, 8)),
        ({"prompt_tokens": 3, "total_tokens": 8}, (3, 5, 8)),
        ({"completion_tokens": 5, "total_tokens": 8}, (3, 5, 8)),
        ({"input_tokens": 3, "output_tokens": 5}, (3, 5, 8)),
        ({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}, (0, 0, 0)),
        ({"prompt_tokens": 3.0, "completion_tokens": None, "total_tokens": None}, (3, 0, 3)),
    ],
)
def test_counts(raw: dict[str, Any], counts: tuple[int, int, int]) -> None:
    assert usage_of(raw) == dict(zip(("inputTokens", "outputTokens", "totalTokens"), counts, strict=True))


@pytest.mark.parametrize("raw", [{}, {"prompt_tokens": None}, {"cost": 0.1}, {"prompt_tokens": "many"}])
def test_nothing_counted(raw: dict[str, Any]) -> None:
    assert usage_of(raw) is None


@pytest.mark.parametrize(
    ("raw", "read", "written"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 2, "cache_write_tokens": 1}}, 2, 1),
        ({"prompt_tokens_details": None, "prompt_cache_hit_tokens": 2, "prompt_cache_miss_tokens": 9}, 2, None),
        ({"prompt_tokens_details": {"cached_tokens": None}, "cached_tokens": 2}, 2, None),
        ({"cache_read_input_tokens": 2, "cache_creation_input_tokens": 1}, 2, 1),
        ({}, None, None),
    ],
)
def test_cached_tokens_under_every_name(raw: dict[str, Any], read: int | None, written: int | None) -> None:
    usage = usage_of({"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11, **raw})
    assert usage is not None
    assert (usage["inputTokens"], usage["totalTokens"]) == (10, 11)
    assert (usage.get("cacheReadInputTokens"), usage.get("cacheWriteInputTokens")) == (read, written)
