"""Error objects of the family, whichever envelope they come in."""

import json
from collections.abc import Mapping
from typing import Any, Final

from harness.contract.errors import ErrorFacts, to_exception
from harness.contract.exceptions import ModelError, ModelResponseError

_ERROR_MARKS: Final = ("object", "type")
_WORDS: Final = ("message", "detail", "error", "msg")
_CODES: Final = ("code", "type", "status", "error_type", "tpe")
_STATUSES: Final = ("status_code", "code", "status")


def error_in(body: Mapping[str, Any]) -> Any:
    """The error that a chunk or a 2xx body holds instead of (or beside) a reply; None when there is none.

    Met: ``{"error": {…}}`` everywhere, ``{"error": "…", "code": "…"}`` in xAI,
    ``{"object": "error", "message": …}`` in vLLM, ``{"message": …}`` and ``{"detail": …}`` from gateways,
    ``{"tpe": …, "errors": [{"description": …, "key": …}]}`` in Writer, and an ``error`` inside a choice in OpenRouter.
    """
    if error := body.get("error"):
        return body if isinstance(error, str) else error
    choices = body.get("choices")
    if any(body.get(mark) == "error" for mark in _ERROR_MARKS) or (choices is None and _has_words(body)):
        return body
    inner = (choice.get("error") for choice in choices if isinstance(choice, Mapping)) if choices else ()
    return next((error for error in inner if error), None)


def error_facts(error: Any, status: int | None = None, headers: Mapping[str, str] | None = None) -> ErrorFacts:
    """What an error object says: ``error`` is a mapping, or the words alone.

    ``status`` is the HTTP status of a refused request. An error inside a 200 answer often carries one as a number.
    """
    error = _listed_first(error)
    fields = error if isinstance(error, Mapping) else {}
    return ErrorFacts(
        message=_words(error),
        status=status if status is not None else _status(fields),
        codes=tuple(str(code) for key in _CODES if isinstance(code := fields.get(key), str | int)),
        headers=headers or {},
        details=fields or None,
    )


def reply_error(error: Any) -> ModelError:
    """The exception for an error object inside a 2xx answer; what the service said is its cause where it is mapped."""
    facts = error_facts(error)
    said, mapped = ModelResponseError(facts.message), to_exception(facts)
    if mapped is None:
        return said
    mapped.__cause__ = said
    return mapped


def _listed_first(error: Any) -> Any:
    """The error in a body that is a list of one, as Google's services send it: ``[{"error": {…}}]``."""
    first = error[0] if isinstance(error, list) and error else None
    return (error_in(first) or first) if isinstance(first, Mapping) else error


def _has_words(body: Mapping[str, Any]) -> bool:
    return any(isinstance(body.get(key), str) for key in _WORDS) or bool(_listed(body))


def _words(error: Any) -> str:
    if not isinstance(error, Mapping):
        return str(error)
    said = next((words for key in _WORDS if isinstance(words := error.get(key), str) and words), _listed(error))
    upstream = _upstream(error)
    return f"{said or json.dumps(error, ensure_ascii=False, default=str)}{upstream}"


def _listed(error: Mapping[str, Any]) -> str:
    """The words of Writer's errors, which come several at once."""
    errors = error.get("errors")
    entries = (entry for entry in errors if isinstance(entry, Mapping)) if isinstance(errors, list) else ()
    return "; ".join(words for entry in entries if isinstance(words := entry.get("description"), str))


def _upstream(error: Mapping[str, Any]) -> str:
    """The words of the service behind OpenRouter, whose own message often is 'Provider returned error' only."""
    metadata = error.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, Mapping) else None
    return f": {raw}" if isinstance(raw, str) and raw else ""


def _status(fields: Mapping[str, Any]) -> int | None:
    numbers = (int(value) for key in _STATUSES if (value := fields.get(key)) is not None and str(value).isdecimal())
    return next((number for number in numbers if 400 <= number <= 599), None)
