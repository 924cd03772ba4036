"""Errors of a dialect in other words: the same sentences with other numbers, and words that only look like others."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from harness.dialects.base import VendorError

#: counts of tokens and the like: shorter numbers may be statuses, codes or durations
_COUNT: Final = re.compile(r"\d{4,12}")


def with_numbers(error: VendorError, factor: int) -> VendorError:
    """The error with the numbers in its sentences multiplied: what is greater stays so, and sums stay sums.

    Codes and ids, which have no blank in them, are left as they are. So is an error whose body is no JSON, and the form
    that it has in a stream where that is no JSON.
    """
    body, streamed = _changed(error.body, factor), _changed(error.in_stream, factor)
    return replace(error, body=body or error.body, in_stream=streamed or error.in_stream)


#: ``rate`` in longer words, statuses that are none, and parts of a prompt that are not too long
INNOCENT: Final = "Failed to generate: the operation could not separate line 429 from line 503 of the given context"


def with_innocent_words(error: VendorError) -> VendorError | None:
    """The error with other sentences, in which nothing means rate limits or overflow; None where it has none."""
    body = _told_anew(error.body, lambda text: INNOCENT)
    return replace(error, body=body, in_stream=None) if body and INNOCENT.encode() in body else None


def _changed(told: bytes | None, factor: int) -> bytes | None:
    return _told_anew(told, lambda text: _multiplied(text, factor))


def _told_anew(told: bytes | None, change: Callable[[str], str]) -> bytes | None:
    try:
        value = json.loads(told or b"")
    except ValueError:
        return None
    return json.dumps(_sentences(value, change), ensure_ascii=False).encode()


def _sentences(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value) if " " in value else value
    if isinstance(value, dict):
        return {key: _sentences(item, change) for key, item in value.items()}
    return [_sentences(item, change) for item in value] if isinstance(value, list) else value


def _multiplied(text: str, factor: int) -> str:
    return _COUNT.sub(lambda number: str(int(number[0]) * factor), text)
