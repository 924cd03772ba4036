"""A failing and a passing exchange for each rule, as the harness itself saw and judged them.

``examples.json`` is made by playing adapters that break one rule, and the same adapters without the break; see
``tests/miniatures/examples.py``. It ships with the package, so that explaining a rule needs no SDK.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Example:
    """One rule, broken and kept.

    ``broken`` says what is wrong with the failing adapter, which is otherwise the shipped ``adapter``. ``exchange`` is
    what was asked and answered, in words. ``met`` and ``wanted`` are the judge's, ``index`` is the place of the breach
    in the timeline ``failing``, None where it is not at an event. ``passing`` is the same exchange, told rightly. A
    timeline has one line an event, and one more for what was raised.
    """

    adapter: str
    scenario: str
    broken: str
    exchange: tuple[str, ...]
    met: str
    wanted: str | None
    index: int | None
    failing: tuple[str, ...]
    passing: tuple[str, ...]


_SEQUENCES = ("exchange", "failing", "passing")


@cache
def examples() -> Mapping[str, Example]:
    """The example of each rule, by its id."""
    table = json.loads(files("harness.reporting").joinpath("examples.json").read_text(encoding="utf-8"))
    return {rule: Example(**{**row, **{key: tuple(row[key]) for key in _SEQUENCES}}) for rule, row in table.items()}
