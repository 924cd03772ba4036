"""Calls whose arguments come in pieces, as ``streamFunctionCallArguments`` asks for them (Vertex AI).

A call opens with its name and ``willContinue``; each scalar of its arguments comes as a ``partialArgs`` item that names
its place by a JSON path, strings in pieces; a call without any field closes it.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

Part = dict[str, Any]

_STEP: Final = re.compile(r"\.(?P<name>[^.\[]+)|\[(?P<index>\d+)\]|\['(?P<quoted>(?:[^'\\]|\\.)*)'\]")
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_]\w*").fullmatch
_VALUES: Final = ("stringValue", "numberValue", "boolValue", "nullValue")


def partial_parts(call: Part) -> list[Part]:
    """A call's part as the parts that tell it piece by piece; one that has no scalar stays whole."""
    told = call["functionCall"]
    items = [item for path, value in _scalars(told.get("args") or {}, "$") for item in _pieces(path, value)]
    if not items or _has_hollow(told["args"]):
        return [call]
    head = {key: value for key, value in told.items() if key != "args"} | {"willContinue": True}
    middle: list[Part] = [{"functionCall": {"partialArgs": [item], "willContinue": True}} for item in items]
    return [{**call, "functionCall": head}, *middle, {"functionCall": {}}]


def _has_hollow(value: Any) -> bool:
    """Whether the value holds an empty object or array, which no path can name."""
    if isinstance(value, Mapping | list):
        inner = value.values() if isinstance(value, Mapping) else value
        return not value or any(map(_has_hollow, inner))
    return False


def _scalars(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _scalars(inner, path + _step(name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _scalars(inner, f"{path}[{index}]")
    else:
        yield path, value


def _step(name: str) -> str:
    if _PLAIN_NAME(name):
        return f".{name}"
    quoted = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"['{quoted}']"


def _pieces(path: str, value: Any) -> Iterator[Part]:
    if isinstance(value, str):
        half = len(value) // 2
        for piece in filter(None, (value[:half], value[half:])):
            yield {"jsonPath": path, "stringValue": piece, "willContinue": True}
        yield {"jsonPath": path, "stringValue": ""}
    elif value is None:
        yield {"jsonPath": path, "nullValue": "NULL_VALUE"}
    else:
        yield {"jsonPath": path, "boolValue" if isinstance(value, bool) else "numberValue": value}


# --- reading --------------------------------------------------------------------------------------------------------


def assemble(items: list[Mapping[str, Any]]) -> dict[str, Any]:
    """The arguments that ``partialArgs`` items tell, in order."""
    root: dict[str, Any] = {}
    for item in items:
        kind = next(kind for kind in _VALUES if kind in item)
        _put(root, _path(item["jsonPath"]), None if kind == "nullValue" else item[kind], kind == "stringValue")
    return root


def _path(text: str) -> list[str | int]:
    return [_key(match) for match in _STEP.finditer(text)]


def _key(match: re.Match[str]) -> str | int:
    if match["index"] is not None:
        return int(match["index"])
    return match["name"] if match["quoted"] is None else re.sub(r"\\(.)", r"\1", match["quoted"], flags=re.DOTALL)


def _put(holder: Any, path: list[str | int], value: Any, text: bool) -> None:
    for key, following in pairwise(path):
        holder = _child(holder, key, [] if isinstance(following, int) else {})
    last = path[-1]
    known = _child(holder, last, "") if text else None
    holder_value = known + value if text else value
    if isinstance(holder, list) and last == len(holder):
        holder.append(holder_value)
    else:
        holder[last] = holder_value


def _child(holder: Any, key: Any, new: Any) -> Any:
    if isinstance(holder, list):
        if key == len(holder):
            holder.append(new)
        return holder[key]
    return holder.setdefault(key, new)
