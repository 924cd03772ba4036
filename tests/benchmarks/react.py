"""How the time to read a ReAct reply grows: ``python -m tests.benchmarks.react``.

A reader in linear time takes ten times as long for ten times the text; more than twelve times is a failure.
"""

import sys
import time
from collections.abc import Mapping
from typing import Final

from rich.console import Console
from rich.table import Table

from harness.agent.react import parse

_SMALL: Final = 100_000
_LARGE: Final = 1_000_000
_RATIO: Final = 12.0
_ROUNDS: Final = 5
_INPUT: Final = "Action: x\nAction Input: "

#: what a text begins with, and what it then repeats
SHAPES: Final[Mapping[str, tuple[str, str]]] = {
    "lines of actions": ("", "Action: x\n"),
    "actions with inputs": ("", f'{_INPUT}{{"a": 1}}\n'),
    "inputs without an end": ("", f"{_INPUT}{{'a\n"),
    "final answers": ("", "Final Answer: x\n"),
    "opening braces": (_INPUT, "{"),
    "opening brackets": (_INPUT, "["),
    "quotes": (_INPUT, '"'),
    "quotes in a string": (f'{_INPUT}{{"a": "', '" '),
    "reasoning tags": ("", "<think>"),
    "closing reasoning tags": ("", "</think>"),
    "fences": ("", "```\n"),
    "fences of inputs": ("", f"{_INPUT}```python\n"),
    "blank lines": ("", "\n"),
}


def seconds(begin: str, unit: str, length: int) -> float:
    """The least time of some rounds for a text of so many characters."""
    text = begin + unit * (length // len(unit))
    return min(_timed(text) for _ in range(_ROUNDS))


def _timed(text: str) -> float:
    begun = time.process_time()
    parse(text)
    return time.process_time() - begun


def main() -> int:
    """Print the table; 1 where a ratio is too large."""
    table = Table("text of", "100 kB", "1 MB", "ratio", title=f"Reading a ReAct reply (ratio at most {_RATIO:g})")
    ratios: list[float] = []
    for name, (begin, unit) in SHAPES.items():
        small, large = seconds(begin, unit, _SMALL), seconds(begin, unit, _LARGE)
        ratios.append(large / small)
        table.add_row(name, f"{small * 1000:.1f} ms", f"{large * 1000:.1f} ms", f"{large / small:.1f}")
    Console().print(table)
    return int(max(ratios) > _RATIO)


if __name__ == "__main__":
    sys.exit(main())
