"""Errors of an SDK, which is given as its package.

What the contract has no type for leaves as the SDK's own exception. A connection that breaks in mid-stream is one of
those, ``APIConnectionError``, or ``APITimeoutError`` for silence.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from harness.contract.errors import ErrorFacts, to_exception
from harness.contract.exceptions import ModelError, ModelResponseError
from providers._shared.openai_chat.errors import error_facts, error_in


def facts_of(error: Any) -> ErrorFacts:
    """What an ``APIError`` says: of a refused request, or of an error object inside a stream."""
    response, body = getattr(error, "response", None), error.body
    found = error_in(body) if isinstance(body, Mapping) else None
    return error_facts(
        found or body or error.message,
        status=_refused(getattr(error, "status_code", None)),
        headers=dict(response.headers.items()) if response is not None else {},
    )


@contextmanager
def mapped_errors(sdk: Any) -> Iterator[None]:
    """Raise the contract's exception in place of the SDK's, where there is one, and for answers that are not JSON."""
    try:
        yield
    except sdk.APIError as error:
        facts = facts_of(error)
        if mapped := to_exception(facts):
            raise mapped from error
        if isinstance(error, sdk.APIStatusError) and facts.message not in error.message:
            raise _in_full(error, facts.message) from error
        raise
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ModelResponseError(f"the answer is not JSON: {_start(error)}") from error


@contextmanager
def connection_errors(sdk: Any, request: Any) -> Iterator[None]:
    """Raise the SDK's connection error for what its HTTP library raises while a body is read.

    openai 3 does so by itself for streams; the others let the library's errors out.
    """
    try:
        yield
    except (sdk.APIError, ModelError, ValueError):
        raise
    except Exception as error:
        kind = sdk.APITimeoutError if "Timeout" in type(error).__name__ else sdk.APIConnectionError
        raise kind(request=request) from error


def _refused(status: int | None) -> int | None:
    """The status of a refusal: that of a stream is the one it began with, whatever became of it."""
    return status if status is not None and status >= 400 else None


def _in_full(error: Any, words: str) -> Exception:
    """The SDK's exception once more, with the service's words.

    openai 3 tells ``error.message`` only, which xAI's errors lack and which OpenRouter's hide the cause behind.
    """
    told: Exception = type(error)(f"{error.message}: {words}", response=error.response, body=error.body)
    return told


def _start(error: json.JSONDecodeError | UnicodeDecodeError) -> str:
    return repr(error.doc[:200] if isinstance(error, json.JSONDecodeError) else error.object[:200])
