"""Which rules a kind of bug breaks: by the category of its row, and closer by the words of the row."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from harness.contract.rules import RULES
from tests.detection.bugs import Bug

#: a rule id, or the beginning of some; a reply that is not delivered at all shows most kinds of bugs
_BY_CATEGORY: Final[Mapping[str, tuple[str, ...]]] = {
    "blocking": ("LIFE-", "CONTENT-INCREMENTAL", "FAULT-SILENCE", "REQUEST-UNSUPPORTED", "REQUEST-MEDIA"),
    "chunk-parse": ("CONTENT-", "STREAM-", "TOOL-", "FAULT-", "ERROR-", "USAGE-", "STOP-", "REASON-", "READ-"),
    "citations": ("CITE-", "CONTENT-", "PARITY-", "REQUEST-UNSUPPORTED", "REQUEST-REPLAY", "ERROR-TYPED", "READ-"),
    "connection": ("LIFE-", "FAULT-"),
    "empty-content": ("CONTENT-", "REQUEST-", "STOP-MAPPED", "READ-"),
    "error-map": ("ERROR-", "STRUCT-ERROR", "FAULT-STATUS", "FAULT-TYPED", "FAULT-DECODE", "RETRY-"),
    "event-order": ("STREAM-", "CONTENT-", "USAGE-", "TOOL-", "REASON-", "READ-"),
    "input-mutation": ("LIFE-INPUTS",),
    "mid-stream-error": ("ERROR-", "FAULT-", "STREAM-STOP-MISSING", "STRUCT-ERROR", "RETRY-", "READ-"),
    "missing-id": ("TOOL-", "STREAM-TOOL-", "READ-"),
    "reasoning": ("REASON-", "CONTENT-", "STREAM-", "REQUEST-", "CAPABILITY-", "PARITY-", "READ-"),
    "redaction": ("REDACT-", "REASON-REDACTED", "REQUEST-", "CONTENT-DELIVERED", "READ-"),
    "request": ("REQUEST-", "CONFIG-", "CONTENT-DELIVERED", "STRUCT-", "SCHEMA-"),
    "stop-reason": ("STOP-", "STREAM-STOP-MISSING", "TOOL-TRUNCATED", "FAULT-", "ERROR-", "CONTENT-DELIVERED", "READ-"),
    "strict-schema": ("SCHEMA-", "REQUEST-SCHEMA"),
    "structured-output": ("STRUCT-", "SCHEMA-", "REQUEST-", "CONFIG-"),
    "tool-assembly": ("TOOL-", "STREAM-", "CONTENT-", "REQUEST-TOOL-", "REQUEST-CALLS", "REQUEST-REPLAY", "READ-"),
    "usage": ("USAGE-", "TOKENS-", "CONTENT-DELIVERED", "STREAM-METADATA-", "STREAM-AFTER-METADATA", "READ-"),
}

#: rules that every exchange puts to the test: scenarios of which rules to play for them
_PLAYED_TOO: Final[Mapping[str, tuple[str, ...]]] = {
    "connection": ("CONTENT-TEXT",),
    "input-mutation": ("CONFIG-", "REQUEST-", "STRUCT-", "TOOL-"),
    "strict-schema": ("STRUCT-",),
}

#: words of a row, and the rules that such a bug breaks; the first that fits counts. Only rules of the category count
_BY_WORDS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (r"tool_?choice", ("REQUEST-CHOICE", "REQUEST-TOOL-CHOICE")),
    (r"system_prompt_content|system prompt|instructions", ("REQUEST-SYSTEM", "STRUCT-PROMPT")),
    (r"unsupported type|in history (raises|crashes)|crash\w* request", ("REQUEST-", "CONTENT-DELIVERED")),
    (r"\bimage|\bdocument\b|source\.location", ("REQUEST-MEDIA", "REQUEST-UNSUPPORTED")),
    (r"mutat|caller'?s", ("LIFE-INPUTS",)),
    (r"blocks? the loop|on the event loop|loop blocked", ("LIFE-",)),
    (r"whole body|first delta only|not incremental", ("CONTENT-INCREMENTAL",)),
    (r"quota|not retryable|any error text|substring", ("ERROR-OTHER", "STRUCT-ERROR")),
    (r"\b429\b|\b503\b|\b529\b|throttl|rate.?limit|overloaded|retryable", ("ERROR-THROTTLE", "ERROR-OTHER")),
    (r"overflow|context length|too long", ("ERROR-OVERFLOW", "ERROR-OTHER")),
    (r"without messagestop|end of stream|premature", ("STREAM-STOP-MISSING", "READ-CUT", "FAULT-EOF", "FAULT-TYPED")),
    (r"connection closed|transport cut", ("FAULT-CUT", "FAULT-TYPED", "FAULT-EOF")),
    (r"error object|error event|event error", ("ERROR-SWALLOWED", "ERROR-THROTTLE", "ERROR-TYPED")),
    (r"refusal (text )?dropped|delta \{refusal", ("CONTENT-REFUSAL",)),
    (r"guardrail|redactcontent|policy", ("REDACT-",)),
    (r"interleav|overlap|inside the \w+ block|double|two contentblockstop", ("STREAM-", "TOOL-", "CONTENT-", "READ-")),
    (r"max_tokens|\blength\b", ("STOP-", "TOOL-TRUNCATED")),
    (r"stop.?reason|finish.?reason|end_turn", ("STOP-", "FAULT-EOF", "STREAM-STOP-MISSING", "CONTENT-DELIVERED")),
    (r"\busage\b|tokens", ("USAGE-", "TOKENS-")),
    (r"\bid\b|\bids\b", ("TOOL-", "STREAM-TOOL-", "READ-EVENTS")),
    (r"arguments|input", ("TOOL-", "REQUEST-CALLS", "STREAM-EVENT-SHAPE", "CONTENT-DELIVERED")),
    (r"thinking|reasoning", ("REASON-", "REQUEST-REASONING", "CAPABILITY-", "REQUEST-UNSUPPORTED")),
)


def rules_of(category: str) -> frozenset[str]:
    """The rules that bugs of a category break; all of them where the category is a new one."""
    return _matching(_BY_CATEGORY.get(category, ("",)))


#: what a trial is asked beside rules: to draw replies and conversations too, which costs the most
DRAWN: Final = "drawn"


def every(bug: Bug) -> frozenset[str]:
    """The rules whose scenarios can show bugs of the same category; everything is drawn for them too."""
    return rules_of(bug.category) | _matching(_PLAYED_TOO.get(bug.category, ())) | {DRAWN}


def closer_rules(bug: Bug) -> frozenset[str]:
    """The rules that this bug must break, as far as its words tell; those of its category where they tell nothing."""
    wide = rules_of(bug.category)
    narrow = (wide & _matching(starts) for words, starts in _BY_WORDS if re.search(words, bug.words, re.IGNORECASE))
    reading = wide & _matching(("READ-",)) if "event_loop" in bug.providers else frozenset()
    return next((rules | reading for rules in narrow if rules), wide)


def _matching(starts: Iterable[str]) -> frozenset[str]:
    wanted = tuple(starts)
    return frozenset(rule for rule in RULES if rule.startswith(wanted))
