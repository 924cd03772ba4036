"""Errors: ``httpx.HTTPStatusError`` for a refusal, unless the contract has a type for it."""

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from httpx import HTTPStatusError, Response

from harness.contract.errors import to_exception
from providers._shared.openai_chat.errors import error_facts, error_in


def raise_refusal(response: Response) -> NoReturn:
    """Raise the exception for an answer, which has been read, that is no success."""
    facts = error_facts(_error(response.content), response.status_code, dict(response.headers))
    refused = HTTPStatusError(
        f"HTTP {response.status_code}: {facts.message}", request=response.request, response=response
    )
    mapped = to_exception(facts)
    if mapped is None:
        raise refused
    raise mapped from refused


def _error(body: bytes) -> Any:
    """The error that a body holds: its object, or the words of a proxy."""
    text = body.decode(errors="replace")
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return (error_in(value) or value) if isinstance(value, Mapping) else text
