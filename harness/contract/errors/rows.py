"""The table of errors: ``rows.toml``, read once."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from harness.contract.errors.facts import Reading, plain_code

Patterns = tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """One reading of an error. All conditions that are given must hold.

    ``means`` is the error's class: throttle, overloaded, overflow, tools_unsupported, quota, auth, invalid_request,
    model_not_found, content_filter, timeout or server. One of ``codes``, of ``statuses``, of the patterns ``words``
    (in the message) and of ``details`` (in the details' strings) must be met, or with ``either`` one of the codes *or*
    of the statuses; none of ``not_codes``, ``not_statuses`` and of the patterns ``unless`` may be. ``greater`` names
    two groups of the words: the number in the first must be greater than the one in the second.
    """

    name: str
    means: str
    source: str
    codes: frozenset[str] = frozenset()
    statuses: frozenset[int] = frozenset()
    words: Patterns = ()
    details: Patterns = ()
    either: bool = False
    not_codes: frozenset[str] = frozenset()
    not_statuses: frozenset[int] = frozenset()
    unless: Patterns = ()
    greater: tuple[str, str] | None = None

    def matches(self, error: Reading) -> bool:
        """Whether the row speaks of this error."""
        return (
            self._named(error)
            and error.status not in self.not_statuses
            and self.not_codes.isdisjoint(error.codes)
            and (not self.details or _first(self.details, error.details) is not None)
            and (not self.words or self.evidence(error) is not None)
            and _first(self.unless, error.text) is None
        )

    def evidence(self, error: Reading) -> re.Match[str] | None:
        """The words of the message that the row recognises."""
        found = (match for pattern in self.words if (match := pattern.search(error.text)))
        return next((match for match in found if self._is_greater(match)), None)

    def _named(self, error: Reading) -> bool:
        by_code, by_status = not self.codes.isdisjoint(error.codes), error.status in self.statuses
        if self.either:
            return by_code or by_status
        return (by_code or not self.codes) and (by_status or not self.statuses)

    def _is_greater(self, match: re.Match[str]) -> bool:
        return self.greater is None or int(match[self.greater[0]]) > int(match[self.greater[1]])


def _first(patterns: Patterns, text: str) -> re.Match[str] | None:
    return next((match for pattern in patterns if (match := pattern.search(text))), None)


_WORD: Final = re.compile(r"(?<!\(\?P)<([a-z]+)>")


def _row(fields: Mapping[str, Any], words: Mapping[str, str]) -> ErrorRow:
    def patterns(key: str) -> Patterns:
        return tuple(re.compile(_WORD.sub(lambda word: words[word[1]], text)) for text in fields.get(key, ()))

    return ErrorRow(
        **{key: fields[key] for key in ("name", "means", "source")},
        codes=frozenset(map(plain_code, fields.get("codes", ()))),
        statuses=frozenset(fields.get("statuses", ())),
        words=patterns("words"),
        details=patterns("details"),
        either=fields.get("either", False),
        not_codes=frozenset(map(plain_code, fields.get("not_codes", ()))),
        not_statuses=frozenset(fields.get("not_statuses", ())),
        unless=patterns("unless"),
        greater=tuple(fields["greater"]) if "greater" in fields else None,
    )


def _load() -> Iterator[ErrorRow]:
    table = tomllib.loads(files("harness.contract.errors").joinpath("rows.toml").read_text(encoding="utf-8"))
    words: dict[str, str] = {}
    for name, text in table["words"].items():
        words[name] = _WORD.sub(lambda word: words[word[1]], text)
    for fields in table["rows"]:
        yield _row(fields, words)


ROWS: Final[tuple[ErrorRow, ...]] = tuple(_load())
