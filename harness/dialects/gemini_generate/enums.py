"""Enums as numbers, for requests with ``$alt=json;enum-encoding=int``: the numbers of the Developer API's protocol."""

from collections.abc import Mapping
from typing import Any, Final

FINISH_REASONS: Final[Mapping[str, int]] = {
    "STOP": 1,
    "MAX_TOKENS": 2,
    "SAFETY": 3,
    "RECITATION": 4,
    "OTHER": 5,
}
"""Those that both services number alike; they part ways behind."""

FINISH_NAMES: Final = {number: name for name, number in FINISH_REASONS.items()}

_NUMBERS: Final[Mapping[str, Mapping[str, int]]] = {
    "finishReason": FINISH_REASONS,
    "category": {
        "HARM_CATEGORY_HARASSMENT": 7,
        "HARM_CATEGORY_HATE_SPEECH": 8,
        "HARM_CATEGORY_SEXUALLY_EXPLICIT": 9,
        "HARM_CATEGORY_DANGEROUS_CONTENT": 10,
    },
    "probability": {"NEGLIGIBLE": 1, "LOW": 2},
    "modality": {"TEXT": 1},
    "trafficType": {"ON_DEMAND": 1},
}
#: members whose values are the caller's own
_OPAQUE: Final = frozenset({"args"})


def with_numbers(value: Any) -> Any:
    """The value with its enums as numbers, where they have one."""
    if isinstance(value, list):
        return [with_numbers(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {name: inner if name in _OPAQUE else _number(name, inner) for name, inner in value.items()}


def _number(name: str, inner: Any) -> Any:
    if isinstance(inner, str):
        return _NUMBERS.get(name, {}).get(inner, inner)
    return with_numbers(inner)
