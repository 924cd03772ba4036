"""Errors: the SDK's :class:`ollama.ResponseError`, unless the contract has a type for them."""

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from ollama import ResponseError

from harness.contract.errors import to_exception
from providers._shared.openai_chat.errors import error_facts, error_in

#: what the SDK writes for an error inside an answer
_NO_STATUS = -1


def raise_refusal(status: int, headers: Mapping[str, str], body: bytes) -> NoReturn:
    """Raise the exception for an answer that is no success."""
    text = body.decode(errors="replace")
    try:
        error = json.loads(text)
    except ValueError:
        error = text
    raise_error((error_in(error) if isinstance(error, Mapping) else None) or error, status, headers)


def raise_error(error: Any, status: int | None = None, headers: Mapping[str, str] | None = None) -> NoReturn:
    """Raise the exception for an error: its words, or an object that has them, as proxies send."""
    facts = error_facts(error, status, headers)
    # The SDK's exception parses its text, and fails for JSON that is no object.
    words = json.dumps({"error": f"{facts.message}{_way_in(error)}"})
    vendor = ResponseError(words, _NO_STATUS if status is None else status)
    mapped = to_exception(facts)
    if mapped is None:
        raise vendor
    raise mapped from vendor


def _way_in(error: Any) -> str:
    """Where to sign in, which servers tell with their 401."""
    url = error.get("signin_url") if isinstance(error, Mapping) else None
    return f": sign in at {url}" if url else ""
