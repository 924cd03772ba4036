"""Cases of vendor errors, one JSON object a line.

A case has ``id``, ``message`` and ``class``, and may have ``provider``, ``protocol``, ``http_status``, ``error_type``
and ``in_stream``.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from harness.commands.react_cases import BrokenCaseError
from harness.contract.errors import ErrorFacts


@dataclass(frozen=True, slots=True)
class ErrorCase:
    """One error of a service, and what it means."""

    id: str
    means: str
    message: str
    status: int | None = None
    kind: str | None = None
    provider: str = ""
    protocol: str = ""
    in_stream: bool = False

    @property
    def facts(self) -> ErrorFacts:
        """What an adapter would know of it."""
        return ErrorFacts(self.message, self.status, (self.kind,) if self.kind else ())


def read_error_cases(path: Path) -> list[ErrorCase]:
    """The cases of a file. Raises BrokenCaseError with the number of the line that is none, and OSError."""
    lines = path.read_text(encoding="utf-8").split("\n")
    cases = [_case(f"{path}, line {number}", line) for number, line in enumerate(lines, 1) if line.strip()]
    if not cases:
        raise BrokenCaseError(f"{path}: there is no case in it")
    return cases


def _case(place: str, line: str) -> ErrorCase:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise BrokenCaseError(f"{place}: no JSON: {error}") from error
    if not isinstance(row, dict):
        raise BrokenCaseError(f"{place}: not an object, but {line[:40]}")
    wrong = [f"{name} {row.get(name)!r}" for name, fits in _FIELDS.items() if not fits(row.get(name))]
    if wrong:
        raise BrokenCaseError(f"{place}: cannot be a case with {', '.join(wrong)}")
    kind = row.get("error_type")
    return ErrorCase(
        id=str(row["id"]),
        means=row["class"],
        message=row["message"],
        status=row.get("http_status"),
        kind=None if kind is None else str(kind),
        provider=row.get("provider") or "",
        protocol=row.get("protocol") or "",
        in_stream=bool(row.get("in_stream")),
    )


def _optional(kind: type) -> Callable[[Any], bool]:
    return lambda value: value is None or (isinstance(value, kind) and (kind is bool or not isinstance(value, bool)))


_FIELDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "id": lambda value: isinstance(value, str | int),
    "message": lambda value: isinstance(value, str),
    "class": lambda value: isinstance(value, str) and bool(value),
    "http_status": _optional(int),
    "error_type": lambda value: value is None or isinstance(value, str | int),
    "provider": _optional(str),
    "protocol": _optional(str),
    "in_stream": _optional(bool),
}
