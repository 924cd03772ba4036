"""A run as large as they come: 12 adapters and 20 of other frameworks, all rules, every tenth cell broken at length."""

from dataclasses import replace
from typing import Final

from harness.contract.rules import RULES
from harness.reporting.events import Event, ScenarioFinished, ViolationInfo
from tests.reporting.runs import finished, provider, started

ADAPTERS: Final = 32
#: how large a page may be, in bytes
MOST_BYTES: Final = 2_000_000


def large_run() -> list[Event]:
    """The events."""
    infos = [provider(f"vendor/adapter{number}", profiles=("core", "tools")) for number in range(ADAPTERS)]
    met = [
        ScenarioFinished(info.name, "s", "t", "failed", tuple(RULES), _violations(place))
        for place, info in enumerate(infos)
    ]
    return [started(*infos), *met, finished()]


def _violations(place: int) -> tuple[ViolationInfo, ...]:
    told = tuple(f"contentBlock{kind} {{}}" for kind in ("Start", "Delta", "Stop"))
    violation = ViolationInfo(
        "", "m" * 200, "w" * 200, 40, "e" * 300, (*told, "event " * 100) * 25, "r" * 100, "f" * 60, told * 5
    )
    broken = (rule for number, rule in enumerate(RULES) if (number + place) % 10 == 0)
    return tuple(replace(violation, rule=rule) for rule in broken)
