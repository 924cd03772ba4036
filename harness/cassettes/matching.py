"""Whether a request is one that was recorded, and where it differs when it is not."""

import json
from collections.abc import Iterator
from typing import Any, Final

from harness.dialects.base import WireRequest

_NOTHING: Final = object()
_SHOWN: Final = 80


def canonical(body: bytes) -> Any:
    """A body's value: parsed where it is JSON, so that spaces and the order of members say nothing."""
    try:
        return json.loads(body)
    except ValueError:
        return body


def same(asked: WireRequest, recorded: WireRequest) -> bool:
    """Whether method, path with query, and canonical body are equal."""
    return next(differences(asked, recorded), None) is None


def differences(asked: WireRequest, recorded: WireRequest) -> Iterator[str]:
    """Where two requests differ, each place in words."""
    for part, new, old in (
        ("method", asked.method, recorded.method),
        ("path", asked.path, recorded.path),
        ("body", canonical(asked.body), canonical(recorded.body)),
    ):
        yield from _compared(part, new, old)


def _compared(place: str, new: Any, old: Any) -> Iterator[str]:
    if type(new) is type(old) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            yield from _compared(f"{place}.{key}", new.get(key, _NOTHING), old.get(key, _NOTHING))
    elif type(new) is type(old) and isinstance(new, list):
        for index in range(max(len(new), len(old))):
            yield from _compared(f"{place}[{index}]", _item(new, index), _item(old, index))
    elif type(new) is not type(old) or new != old:
        yield f"{place} is {_told(new)}, recorded {_told(old)}"


def _item(items: list[Any], index: int) -> Any:
    return items[index] if index < len(items) else _NOTHING


def _told(value: Any) -> str:
    text = "nothing" if value is _NOTHING else repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
