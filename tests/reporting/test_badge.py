import json
from pathlib import Path

import pytest

from harness.contract.rules import RULES
from harness.reporting.badge import badge, write_badges
from harness.reporting.events import Event
from harness.reporting.verdicts import RunReport, aggregate
from tests.reporting.runs import MAY, MUST, SHOULD, finished, provider, run, scenario, started

CORE = tuple(rule.id for rule in RULES.values() if rule.applies(("core",), ()))


def of(events: list[Event]) -> dict[str, object]:
    report = aggregate(events)
    return badge(report, report.providers[0])


@pytest.mark.parametrize(
    ("broken", "expected", "passed", "told", "colour"),
    [
        ((), (), 0, "", "brightgreen"),
        ((MAY,), (), 1, "", "brightgreen"),
        ((SHOULD,), (), 1, ", 1 warn", "yellow"),
        ((SHOULD, MUST), (MUST,), 2, ", 1 expected, 1 warn", "orange"),
        ((SHOULD, MUST), (), 2, ", 1 fail, 1 warn", "red"),
    ],
)
def test_a_badge_tells_the_worst_by_its_colour(
    broken: tuple[str, ...], expected: tuple[str, ...], passed: int, told: str, colour: str
) -> None:
    met = scenario(CORE, broken, "failed" if broken else "passed")
    found = of(run(met, info=provider(expected=expected)))
    assert found == {
        "schemaVersion": 1,
        "label": "conformance a",
        "message": f"{len(CORE) - passed}/{len(CORE)} rules{told}",
        "color": colour,
        "isError": colour == "red",
    }


def test_a_crash_is_red() -> None:
    found = of(run(scenario(CORE), scenario(outcome="error", name="s2", message="boom")))
    assert (found["color"], found["isError"]) == ("red", True)
    assert str(found["message"]).endswith("1 crashed")


@pytest.mark.parametrize(("end", "names"), [([finished()], ["b_c.json"]), ([finished(False)], []), ([], [])])
def test_only_a_whole_run_has_badges(tmp_path: Path, end: list[Event], names: list[str]) -> None:
    report: RunReport = aggregate([started(provider("b/c")), scenario(CORE, provider="b/c"), *end])
    assert [path.name for path in write_badges(report, tmp_path)] == names
    assert [path.name for path in tmp_path.iterdir()] == names
    for path in tmp_path.iterdir():
        assert json.loads(path.read_text(encoding="utf-8"))["label"] == "conformance b/c"
