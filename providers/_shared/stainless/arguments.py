"""Requests as the SDK takes them."""

import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any


def create_arguments(create: Callable[..., Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of one of the SDK's ``create`` methods; fields that it does not know go as extra_body."""
    names = _names(create)
    known = {key: value for key, value in body.items() if key in names}
    extra = {key: value for key, value in body.items() if key not in names}
    return known | ({"extra_body": {**extra, **(body.get("extra_body") or {})}} if extra else {})


@lru_cache
def _names(create: Callable[..., Any]) -> frozenset[str]:
    return frozenset(inspect.signature(create).parameters)
