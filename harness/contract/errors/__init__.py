"""Which vendor errors mean what: rows, not code.

:func:`classify` decides from what the vendor said, in this order: a structured code or type, then the HTTP status,
then the message's words. A row that says *not throttling* (exhausted quota) or *throttling* (tokens a minute) stands
before the rows that would read the same words otherwise.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from harness.contract.exceptions import (
    ContextWindowOverflowException,
    ModelError,
    ModelThrottledException,
    ToolsUnsupportedException,
)


@dataclass(frozen=True, slots=True)
class ErrorFacts:
    """What is known of a vendor's error.

    ``codes`` are its structured codes and types (``rate_limit_exceeded``, ``ThrottlingException``), in any case;
    header names are in lower case.
    """

    message: str = ""
    status: int | None = None
    codes: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    provider: str | None = None


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """One reading of an error. All conditions that are given must hold."""

    means: str
    source: str
    codes: frozenset[str] = frozenset()
    statuses: frozenset[int] = frozenset()
    pattern: re.Pattern[str] | None = None

    def matches(self, facts: ErrorFacts, codes: frozenset[str]) -> bool:
        """Whether the row speaks of this error; ``codes`` are in lower case."""
        return (
            (not self.codes or not self.codes.isdisjoint(codes))
            and (not self.statuses or facts.status in self.statuses)
            and (self.pattern is None or self.pattern.search(facts.message) is not None)
        )


def _words(*wordings: str) -> re.Pattern[str]:
    return re.compile("|".join(wordings), re.IGNORECASE)


ROWS: Final[tuple[ErrorRow, ...]] = (
    ErrorRow(
        "quota",
        "OpenAI error codes: insufficient_quota, billing_not_active",
        frozenset({"insufficient_quota", "billing_error", "billing_not_active"}),
    ),
    ErrorRow(
        "overflow",
        "error codes of OpenAI and llama.cpp",
        frozenset({"context_length_exceeded", "exceed_context_size_error", "too_many_prompt_tokens"}),
    ),
    ErrorRow(
        "throttle",
        "vendors' codes for rate limits",
        frozenset({"throttlingexception", "rate_limit_error", "rate_limit_exceeded", "toomanyrequestsexception"}),
    ),
    ErrorRow(
        "overloaded",
        "vendors' codes for overload",
        frozenset({"overloaded_error", "serviceunavailableexception", "modelnotreadyexception", "capacity_exceeded"}),
    ),
    ErrorRow("throttle", "RFC 6585 section 4", statuses=frozenset({429})),
    ErrorRow("overloaded", "RFC 9110 section 15.6.4; Anthropic's 529", statuses=frozenset({503, 529})),
    ErrorRow("overflow", "RFC 9110 section 15.5.14: the request is too large", statuses=frozenset({413})),
    ErrorRow(
        "overflow",
        "wordings of Anthropic, OpenAI, vLLM, Bedrock, Cohere, Gemini, Ollama, Perplexity, TGI, Together and xAI",
        statuses=frozenset({400, 422, 424}),
        pattern=_words(
            r"(?:prompt|input|length of all messages) is too long",
            r"prompt too long",
            r"maximum (?:context|prompt) length",
            r"exceed\w* (?:the )?(?:maximum |max )?context",
            r"context window exceeds",
            r"longer than the model's context length",
            r"input tokens exceed",
            r"input token count",
            r"exceeds the maximum allowed input length",
            r"size limit exceeded by \d+ tokens",
            r"must have less than \d+ tokens",
            r"`max_new_tokens` must be <=",
            r"tokens when context the overflows",
            r"max_tokens must be at least 1, got -",  # vLLM: what the prompt leaves of the window
            r"expected maxLength: \d+, actual",
            r"too many total text bytes",
        ),
    ),
    ErrorRow("overflow", "llama.cpp's words, under status 500", pattern=_words(r"context size has been exceeded")),
    ErrorRow(
        "tools_unsupported",
        "wordings of Bedrock, OpenAI, DeepSeek, Gemini, Groq, LiteLLM, llama.cpp, Ollama, OpenRouter and vLLM",
        statuses=frozenset({400, 404, 422, 500}),
        pattern=_words(
            r"(?:doesn't|does not) support (?:tool|function calling)",
            r"does not support parameters: \['tools'\]",
            r"support tool use",
            r"(?:tool use|tool calling`|tools) is not supported",
            r"function calling is (?:not enabled|unsupported)",
            r"tools param requires",
            r"requires --enable-auto-tool-choice",
            r"\('body', 'tools'\)",
        ),
    ),
)

_EXCEPTIONS: Final[Mapping[str, type[ModelError]]] = {
    "throttle": ModelThrottledException,
    "overloaded": ModelThrottledException,
    "overflow": ContextWindowOverflowException,
    "tools_unsupported": ToolsUnsupportedException,
}


def classify(facts: ErrorFacts) -> ErrorRow | None:
    """The row that decides, or None when no row speaks of the error."""
    codes = frozenset(code.lower() for code in facts.codes)
    return next((row for row in ROWS if row.matches(facts, codes)), None)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The wait that the service asks for, in seconds, from ``retry-after-ms`` or ``retry-after``."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return float(headers[name]) * scale
        except (KeyError, ValueError):
            continue
    return None


def to_exception(facts: ErrorFacts) -> ModelError | None:
    """The contract's exception for an error, or None when the vendor's own exception should leave as it is.

    The caller raises it ``from`` the original.
    """
    row = classify(facts)
    kind = _EXCEPTIONS.get(row.means) if row else None
    if kind is ModelThrottledException:
        return ModelThrottledException(facts.message, retry_after=retry_after(facts.headers))
    return kind(facts.message) if kind else None
