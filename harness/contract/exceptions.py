"""The errors of the contract. Everything else leaves an adapter as the vendor's own exception.

ModelError
 ├─ ModelThrottledException          the service asks to come back later (rate limit, overload)
 ├─ ContextWindowOverflowException   the prompt does not fit the model
 ├─ ToolsUnsupportedException        the endpoint refuses tools (trigger of the text fallback)
 ├─ IncompleteStreamError            the reply ended before its terminal event
 │   └─ IdleTimeoutError             the service fell silent; a TimeoutError too
 ├─ ModelResponseError               the service answered 2xx with something that is not a reply
 └─ StructuredOutputException        no instance of the wanted model could be made from the reply
"""


class ModelError(Exception):
    """Base of the contract's own errors; ``message`` keeps the vendor's words."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.message = message


class ModelThrottledException(ModelError):
    """The service limits the rate or is overloaded: the same call may work later.

    ``retry_after`` is the wait that the service asked for, in seconds, where it named one.
    """

    def __init__(self, message: str = "", *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ContextWindowOverflowException(ModelError):
    """The prompt is longer than the model's context window: the same call can never work."""


class ToolsUnsupportedException(ModelError):
    """The endpoint refuses tool calling for this model."""


class IncompleteStreamError(ModelError):
    """The stream ended, or was cut, before the event that finishes a reply."""


class IdleTimeoutError(IncompleteStreamError, TimeoutError):
    """Nothing came from the service for longer than the settings allow."""


class ModelResponseError(ModelError):
    """A 2xx answer without a reply in it: an error object, no choices, no JSON."""


class StructuredOutputException(ModelError):
    """The reply held no instance of the wanted output model."""
