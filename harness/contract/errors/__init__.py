"""Which vendor errors mean what: rows, not code.

An adapter says what it knows as :class:`ErrorFacts`; :func:`to_exception` gives the contract's exception for it. The
rows (``rows.toml``) decide in this order: a structured code or type, then the HTTP status, then the message's words.
A row that says *not throttling* (exhausted quota) or *throttling* (tokens a minute) stands before the rows that would
read the same words otherwise. Codes and statuses that mean little (``invalid_request_error``, 400) come last.
"""

from collections.abc import Mapping
from typing import Final

from harness.contract.errors.facts import ErrorFacts, Reading, read
from harness.contract.errors.rows import ROWS, ErrorRow
from harness.contract.errors.waits import retry_after
from harness.contract.exceptions import (
    ContextWindowOverflowException,
    ModelError,
    ModelThrottledException,
    ToolsUnsupportedException,
)

__all__ = ["ROWS", "ErrorFacts", "ErrorRow", "classify", "explain", "retry_after", "to_exception"]

_EXCEPTIONS: Final[Mapping[str, type[ModelError]]] = {
    "throttle": ModelThrottledException,
    "overloaded": ModelThrottledException,
    "overflow": ContextWindowOverflowException,
    "tools_unsupported": ToolsUnsupportedException,
}


def classify(facts: ErrorFacts) -> ErrorRow | None:
    """The row that decides, or None when no row speaks of the error."""
    return _decide(read(facts))


def to_exception(facts: ErrorFacts) -> ModelError | None:
    """The contract's exception for an error, or None when the vendor's own exception should leave as it is.

    The caller raises it ``from`` the original.
    """
    row = classify(facts)
    kind = _EXCEPTIONS.get(row.means) if row else None
    if kind is ModelThrottledException:
        wait = retry_after(facts.headers, facts.details, facts.message)
        return ModelThrottledException(facts.message, retry_after=wait)
    return kind(facts.message) if kind else None


def explain(facts: ErrorFacts) -> str:
    """Which row decided, by what, and where the row comes from; for people."""
    error = read(facts)
    row = _decide(error)
    if row is None:
        return f"undecided: no row speaks of status {error.status}, codes {sorted(error.codes)} and these words"
    return f"{row.means}: row {row.name} by {', '.join(_reasons(row, error))} ({row.source})"


def _decide(error: Reading) -> ErrorRow | None:
    return next((row for row in ROWS if row.matches(error)), None)


def _reasons(row: ErrorRow, error: Reading) -> list[str]:
    words = row.evidence(error)
    reasons = [f"code {code}" for code in sorted(row.codes & error.codes)]
    reasons += [f"status {error.status}"] if error.status in row.statuses else []
    reasons += ["its details"] if row.details else []
    return reasons + ([f"the words {words[0].strip()!r}"] if words else [])
