"""Arguments of one call that come piece by piece, each with its place as a JSON path (Vertex AI, ``partialArgs``)."""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

_STEP: Final = re.compile(r"""\.([^.\[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]""")
_ESCAPED: Final = re.compile(r"\\(.)")

#: fields that hold a piece's value, and what it is
_VALUES: Final = (("string_value", str), ("number_value", float), ("bool_value", bool))


class PartialArguments:
    """The arguments so far; ``whole`` are those that came with the call itself."""

    def __init__(self, whole: Mapping[str, Any] | None = None) -> None:
        self._root: dict[str, Any] = dict(whole or {})

    def add(self, piece: Any) -> None:
        """Put an SDK ``PartialArg`` in its place; text goes behind the text that is there."""
        steps = [*_steps(piece.json_path or "")]
        if not steps:
            return
        target: Any = self._root
        for step, following in pairwise(steps):
            target = _child(target, step, [] if isinstance(following, int) else {})
        value, before = _value(piece), _child(target, steps[-1], None)
        _put(target, steps[-1], before + value if isinstance(before, str) and isinstance(value, str) else value)

    def text(self, *, complete: bool) -> str:
        """The arguments as JSON. Those of a call that was cut lack the last brace, so that nobody takes them whole."""
        text = json.dumps(self._root, ensure_ascii=False)
        return text if complete else text[:-1]


def _steps(path: str) -> Iterator[str | int]:
    for name, index, *quoted in _STEP.findall(path):
        yield int(index) if index else name or _ESCAPED.sub(r"\1", "".join(quoted))


def _value(piece: Any) -> Any:
    values = ((getattr(piece, field, None), kind) for field, kind in _VALUES)
    value = next((value for value, kind in values if isinstance(value, kind)), None)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _child(target: Any, step: str | int, default: Any) -> Any:
    """What stands at a step, after putting ``default`` there where nothing does."""
    known = (target if isinstance(target, dict) else dict(enumerate(target))).get(step)
    if known is None and default is not None:
        _put(target, step, default)
        return default
    return known


def _put(target: Any, step: str | int, value: Any) -> None:
    if isinstance(target, list):
        target += [None] * (int(step) + 1 - len(target))
    target[step] = value
