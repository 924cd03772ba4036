"""Errors of the ``openai`` SDK.

What the contract has no type for leaves as the SDK's own exception. A connection that breaks in mid-stream is one of
those, :class:`openai.APIConnectionError`, or :class:`openai.APITimeoutError` for silence.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError, OpenAIError

from harness.contract.errors import ErrorFacts, to_exception
from harness.contract.exceptions import ModelError, ModelResponseError
from providers._shared.openai_chat.errors import error_facts


def facts_of(error: APIError) -> ErrorFacts:
    """What an SDK exception says: of a refused request, or of an error object inside a stream."""
    response = getattr(error, "response", None)
    return error_facts(
        error.body or error.message,
        status=getattr(error, "status_code", None),
        headers=dict(response.headers.items()) if response is not None else {},
    )


@contextmanager
def mapped_errors() -> Iterator[None]:
    """Raise the contract's exception in place of the SDK's, where there is one, and for answers that are not JSON."""
    try:
        yield
    except APIError as error:
        facts = facts_of(error)
        if mapped := to_exception(facts):
            raise mapped from error
        if isinstance(error, APIStatusError) and facts.message not in error.message:
            raise _in_full(error, facts.message) from error
        raise
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ModelResponseError(f"the answer is not JSON: {_start(error)}") from error


def _in_full(error: APIStatusError, words: str) -> APIStatusError:
    """The SDK's exception once more, with the service's words.

    openai 3 tells ``error.message`` only, which xAI's errors lack and which OpenRouter's hide the cause behind.
    """
    return type(error)(f"{error.message}: {words}", response=error.response, body=error.body)


@contextmanager
def connection_errors(request: Any) -> Iterator[None]:
    """Raise the SDK's connection error for what its HTTP library raises while a body is read.

    openai 3 does so by itself for streams; openai 2 lets the library's errors out.
    """
    try:
        yield
    except (OpenAIError, ModelError, ValueError):
        raise
    except Exception as error:
        kind = APITimeoutError if "Timeout" in type(error).__name__ else APIConnectionError
        raise kind(request=request) from error


def _start(error: json.JSONDecodeError | UnicodeDecodeError) -> str:
    return repr(error.doc[:200] if isinstance(error, json.JSONDecodeError) else error.object[:200])
