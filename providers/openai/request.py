"""Requests as the SDK takes them."""

import inspect
from collections.abc import Mapping
from typing import Any, Final

from openai.resources.chat.completions import AsyncCompletions

_KNOWN: Final = frozenset(inspect.signature(AsyncCompletions.create).parameters)


def create_arguments(body: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of ``chat.completions.create``; fields of other services, which it does not know, go as extra_body."""
    known = {key: value for key, value in body.items() if key in _KNOWN}
    extra = {key: value for key, value in body.items() if key not in _KNOWN}
    return known | ({"extra_body": {**extra, **(body.get("extra_body") or {})}} if extra else {})
