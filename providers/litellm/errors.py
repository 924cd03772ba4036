"""Exceptions of ``litellm``, which stand on top of those of the ``openai`` SDK and of whatever went wrong beneath.

What the contract has no type for leaves as litellm's own exception. The service's error object and headers are read
from the exception at the bottom: litellm's have lost some of it, and give statuses of their own to what has none.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from openai import APIConnectionError, APIError, APIStatusError

from harness.contract.errors import ErrorRow, classify, to_exception
from harness.contract.exceptions import (
    ContextWindowOverflowException,
    IncompleteStreamError,
    ModelError,
    ModelResponseError,
)
from providers._shared.stainless.errors import facts_of
from providers.litellm.sdk import exceptions

#: litellm's words, under status 500, for a 200 answer whose body is JSON but no object
_NO_REPLY: Final = "Empty or invalid response from LLM endpoint"
_UNREADABLE: Final = (json.JSONDecodeError, UnicodeDecodeError)


@contextmanager
def mapped_errors() -> Iterator[None]:
    """Raise the contract's exception in place of another one, where it has one."""
    others = sys.exception()
    try:
        yield
    except ModelError:
        raise
    except Exception as error:
        mapped = _mapped(error, list(_chain(error, others)))
        if mapped is None:
            raise
        raise mapped from error


def _mapped(error: Any, chain: Sequence[BaseException]) -> Exception | None:
    if any(isinstance(each, _UNREADABLE) for each in chain) or _NO_REPLY in str(error):
        return ModelResponseError(f"the answer is no reply: {error}")
    told = [each for each in chain if isinstance(each, APIError) and not _is_break(each)]
    if not told:
        return IncompleteStreamError(str(error)) if _is_break(error) else None
    if isinstance(told[-1], APIConnectionError):
        return _connection_error(error)
    facts = facts_of(told[-1])
    if mapped := to_exception(facts):
        return mapped
    if isinstance(error, exceptions.ContextWindowExceededError) and not _is_certain(classify(facts)):
        return ContextWindowOverflowException(str(error))
    if isinstance(error, APIStatusError) and facts.message not in str(error):
        error.message = f"{error.message}: {facts.message}"  # OpenRouter's errors hide the cause behind their message
    return None


def _is_certain(row: ErrorRow | None) -> bool:
    """Whether the service's own words or codes decided: litellm takes some words about limits for overflows."""
    return row is not None and bool(row.words or row.codes)


def _is_break(error: BaseException) -> bool:
    """Whether the exception only says that a stream broke off; its status, 503, is litellm's."""
    return isinstance(error, exceptions.MidStreamFallbackError)


def _connection_error(error: Any) -> Exception | None:
    """The name that litellm has for a cut connection, in place of the status 500 that it often says instead."""
    if isinstance(error, APIConnectionError):
        return None
    return exceptions.APIConnectionError(str(error), error.llm_provider, error.model)


def _chain(error: BaseException | None, others: BaseException | None) -> Iterator[BaseException]:
    """The exception and those beneath it, the outermost first, down to the SDK's.

    ``others`` is the exception that the caller was handling before: it has nothing to do with this call.
    """
    met: set[int] = set()
    while error is not None and error is not others and id(error) not in met:
        met.add(id(error))
        yield error
        if type(error).__module__.partition(".")[0] == "openai":
            return
        error = error.__cause__ or error.__context__ or getattr(error, "original_exception", None)
