"""Errors of the ``openai`` SDK."""

from contextlib import AbstractContextManager

import openai

from providers._shared.stainless import errors


def mapped_errors() -> AbstractContextManager[None]:
    """Raise the contract's exception in place of the SDK's, where there is one, and for answers that are not JSON."""
    return errors.mapped_errors(openai)
