"""How long a service asks its caller to wait: headers, Google's RetryInfo, and the words of the message."""

import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

from harness.contract.errors.facts import mappings, plain_text

#: headers with a number, and the seconds that its unit has
_NUMBERS: Final = (("retry-after-ms", 0.001), ("x-ms-retry-after-ms", 0.001), ("retry-after", 1.0))
_DURATION: Final = re.compile(r"(?:(\d{1,6})h)?(?:(\d{1,6})m(?!s))?(?:(\d{1,9}(?:\.\d{1,9})?)(ms|s))?")
_SENTENCE: Final = re.compile(
    r"\b(?:(?:try again|retry|retrying|available again) (?:in|after)|(?:please )?wait(?: for)?)(?: about| at least)? "
    r"(?:(?P<number>\d{1,9}(?:\.\d{1,9})?) (?P<unit>milliseconds?|seconds?|minutes?)\b|(?P<short>[\dhms.]{2,30}))"
)
_UNITS: Final[Mapping[str, float]] = {"milliseconds": 0.001, "seconds": 1.0, "minutes": 60.0}


def retry_after(headers: Mapping[str, str], details: Any = None, message: str = "") -> float | None:
    """The wait that the service asks for, in seconds; None when it names none.

    In this order: ``retry-after-ms`` (OpenAI, Azure), ``retry-after`` in seconds or as a date (RFC 9110 section
    10.2.3; counted from the answer's own ``date`` when it has one), ``retryDelay`` of google.rpc.RetryInfo anywhere in
    ``details``, and a sentence such as "Please try again in 7m12.5s" in ``message``.
    """
    by_name = {name.lower(): value for name, value in headers.items()}
    delays = (_duration(found.get("retryDelay")) for found in mappings(details))
    found = (*_header_waits(by_name), *delays, _sentence_wait(message))
    return next((wait for wait in found if wait is not None), None)


def _header_waits(headers: Mapping[str, str]) -> Iterator[float | None]:
    for name, scale in _NUMBERS:
        yield _number(headers.get(name), scale)
    yield _date_wait(headers.get("retry-after"), headers.get("date"))


def _number(value: str | None, scale: float) -> float | None:
    try:
        number = float(value or "") * scale
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _date_wait(value: str | None, sent: str | None) -> float | None:
    due = _date(value)
    return None if due is None else max(0.0, (due - (_date(sent) or datetime.now(UTC))).total_seconds())


def _date(value: str | None) -> datetime | None:
    try:
        date = parsedate_to_datetime(value or "")
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _duration(value: Any) -> float | None:
    """Seconds of ``13s``, ``0.5s``, ``120ms``, ``7m12.5s`` or ``1h2m``."""
    match = _DURATION.fullmatch(value.rstrip(".")) if isinstance(value, str) and value else None
    if match is None or not any(match.groups()):
        return None
    hours, minutes, rest, unit = match.groups()
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(rest or 0) * (0.001 if unit == "ms" else 1)


def _sentence_wait(message: str) -> float | None:
    match = _SENTENCE.search(plain_text(message))
    if match is None:
        return None
    if match["short"]:
        return _duration(match["short"])
    return float(match["number"]) * _UNITS[match["unit"].rstrip("s") + "s"]
