"""How the time of a conversion grows with the schema: ``python -m tests.benchmarks.schemas`` prints ratios.

Ten times the schema in about ten times the time is linear.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from harness.contract.strict_schema import ensure_strict_json_schema

_ROUNDS: Final = 5
_LEAF: Final[Mapping[str, Any]] = {"type": "string", "minLength": 1}


def _wide(size: int) -> dict[str, Any]:
    return {"type": "object", "properties": {f"p{number}": dict(_LEAF) for number in range(size)}}


def _defined(size: int) -> dict[str, Any]:
    parts = {f"D{number}": _wide(1) for number in range(size)}
    uses = {f"p{number}": {"$ref": f"#/$defs/D{number}"} for number in range(size)}
    return {"type": "object", "properties": uses, "$defs": parts}


def _chosen(size: int) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": {"anyOf": [_wide(1) for _ in range(size)]}}}


def _merged(size: int) -> dict[str, Any]:
    return {"allOf": [{"type": "object", "properties": {f"p{number}": dict(_LEAF)}} for number in range(size)]}


def _deep(size: int) -> dict[str, Any]:
    schema = dict(_LEAF)
    for _ in range(size):
        schema = {"type": "object", "properties": {"a": schema, "b": dict(_LEAF)}}
    return schema


#: shapes, with a size and one ten times as large
_SHAPES: Final[Mapping[str, tuple[Callable[[int], dict[str, Any]], int]]] = {
    "properties": (_wide, 1000),
    "definitions": (_defined, 400),
    "alternatives": (_chosen, 1000),
    "parts of allOf": (_merged, 200),
    "levels": (_deep, 9),
}


def main() -> None:
    """Print the table."""
    table = Table("shape", "size", "ms", "size x 10", "ms", "ratio")
    for name, (make, size) in _SHAPES.items():
        small, large = _seconds(make(size)), _seconds(make(size * 10))
        ratio = f"{large / small:.1f}"
        table.add_row(name, str(size), f"{small * 1e3:.1f}", str(size * 10), f"{large * 1e3:.1f}", ratio)
    Console().print(table)


def _seconds(schema: dict[str, Any]) -> float:
    """The shortest of several conversions."""
    times = []
    for _ in range(_ROUNDS):
        begun = time.process_time()
        ensure_strict_json_schema(schema)
        times.append(time.process_time() - begun)
    return min(times)


main()
