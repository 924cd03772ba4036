"""Errors of the SDK: its own, and those of its HTTP library, which it lets out.

What the contract has no type for leaves as the SDK's own exception, all of which carry a response.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from traceback import walk_tb
from typing import Any, Final

from harness.contract.errors import to_exception
from harness.contract.exceptions import IncompleteStreamError, ModelError, ModelResponseError
from providers._shared.openai_chat.errors import error_facts, error_in
from providers._shared.transport import broken_off, cuts_reply

_OK: Final = 200


@contextmanager
def mapped_errors() -> Iterator[None]:
    """Raise the contract's exception in place of another one, where it has one."""
    try:
        yield
    except ModelError:
        raise
    except Exception as error:
        mapped = _refusal(error) if hasattr(error, "status_code") else _break(error)
        if mapped is None:
            raise
        raise mapped from error


def _refusal(error: Any) -> ModelError | None:
    """What an answer that the SDK did not take for a reply means."""
    body = _body(error)
    found = (error_in(body) if isinstance(body, Mapping) else None) or body
    refused = error.status_code >= 400
    facts = error_facts(found, error.status_code if refused else None, dict(getattr(error, "headers", None) or {}))
    return to_exception(facts) or (None if refused else ModelResponseError(f"the answer is no reply: {facts.message}"))


def reply_in(error: Any) -> Mapping[str, Any] | None:
    """The reply that an answer is although the SDK's classes do not fit it, e.g. for want of a usage."""
    body = _body(error) if getattr(error, "status_code", None) == _OK else None
    return body if isinstance(body, Mapping) and body.get("choices") else None


def _body(error: Any) -> Any:
    """The body of the answer that an exception of the SDK tells of: JSON, or its text."""
    text = str(error.body)
    try:
        return json.loads(text)
    except ValueError:
        return text


def _break(error: Exception) -> ModelError | None:
    """What an error of the HTTP library means. The SDK fails by one of them where it would quote an empty body."""
    if type(error).__name__ == "ResponseNotRead":
        return _bodiless(error)
    if isinstance(error, UnicodeDecodeError):
        return IncompleteStreamError(f"the stream was cut or garbled: {error}")
    return broken_off(error) if cuts_reply(error) else None


def _bodiless(error: Exception) -> ModelError:
    """What an answer without a body means. Its status is only told where the SDK makes its exception."""
    frames = (frame.f_locals for frame, _ in walk_tb(error.__traceback__))
    response = next((found["raw_response"] for found in frames if "raw_response" in found), None)
    if response is None:
        return ModelResponseError("the answer has no body, and the SDK does not tell its status")
    words = f"HTTP {response.status_code} without a body"
    return to_exception(error_facts(words, response.status_code, dict(response.headers))) or ModelResponseError(words)
