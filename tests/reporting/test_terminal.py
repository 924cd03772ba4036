from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from harness.contract.expected import ExpectedFailure
from harness.contract.rules import RULES
from harness.reporting.events import Event, ProviderInfo
from harness.reporting.terminal import MOST_DETAILED, WIDTH, Line, summary
from harness.reporting.verdicts import aggregate
from tests.reporting.runs import MAY, MUST, SHOULD, TOOLS, finished, provider, run, scenario, started

WILD = st.text(st.characters(), max_size=150)


def lines(events: list[Event], path: str | None = None) -> list[Line]:
    return summary(aggregate(events), path)


def texts(events: list[Event], path: str | None = None) -> list[str]:
    return [line.text for line in lines(events, path)]


def test_a_table_counts_rules_by_family() -> None:
    info = provider(expected=("STREAM-START-ONCE",))
    stream = [rule.id for rule in RULES.values() if rule.family == "STREAM" and rule.profile == "core"]
    broken = (MUST, SHOULD, "STREAM-START-ONCE")
    shown = texts(run(scenario(tuple(stream), broken, "failed"), info=info))
    assert shown[0] == "a  openai_chat  openai 2.0"
    assert shown[1].split() == ["family", "pass", "fail", "warn", "note", "expected", "n/a", "not", "exercised"]
    assert shown[2].split() == ["STREAM", str(len(stream) - 3), "1", "1", "-", "1", "3", "-"]


def test_findings_come_one_a_line_and_must_first() -> None:
    info = provider(expected=("USAGE-TOTAL",))
    shown = lines(
        run(
            scenario((MAY, SHOULD, MUST, "USAGE-TOTAL"), (MAY, SHOULD, MUST), "failed"),
            scenario((MUST,), (MUST, MUST), "failed", "s2"),
            scenario(outcome="error", name="s3", message="boom\nat x"),
            scenario(outcome="skipped", name="s4", message="no SDK"),
            info=info,
        )
    )
    start = next(place for place, line in enumerate(shown) if line.text.startswith("  all")) + 1
    found = shown[start : start + 6]
    assert [line.text for line in found if line.markup == {"red": True}] == [
        "  MUST   STREAM-STOP-ONCE        2x messageStop comes exactly once",
        r"  error  s3: boom\nat x",
        "  stale  USAGE-TOTAL passes, but is listed as an expected failure",
    ]
    assert [line.text.split()[:3] for line in found[1:3]] == [["SHOULD", SHOULD, "1x"], ["MAY", MAY, "1x"]]
    assert [dict(line.markup) for line in found[1:3]] == [{"yellow": True}, {"cyan": True}]
    assert found[4] == ("  skip   1 scenarios, such as s4: no SDK", {"yellow": True})


def test_expected_failures_are_not_findings() -> None:
    shown = texts(run(scenario((MUST,), (MUST,), "failed"), info=provider(expected=(MUST,))))
    assert not any(MUST in line for line in shown)
    assert "broken rules: 0 MUST, 0 SHOULD, 0 MAY. 3 exchanges in 1.5 s." in shown


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ([], "PARTIAL RUN (broken off)"),
        ([replace(finished(False), cut_short="interrupted")], "PARTIAL RUN (interrupted)"),
        ([finished(False)], "Only a part"),
        ([finished(True)], None),
    ],
)
def test_what_is_missing_is_told(end: list[Event], told: str | None) -> None:
    shown = texts([started(provider()), *end])
    assert [line for line in shown if line.startswith(("PARTIAL RUN", "Only a part"))] == (
        [line for line in shown if told and line.startswith(told)]
    )
    assert any(told is not None and line.startswith(told) for line in shown) == (told is not None)


def test_a_quiet_summary_has_findings_and_totals_alone() -> None:
    events = run(scenario((MUST, SHOULD), (MUST,), "failed"))
    shown = [line.text for line in summary(aggregate(events), "run.html", quiet=True)]
    assert [line.split()[0] for line in shown] == ["a", "MUST", "broken", "report:"]
    passed = [line.text for line in summary(aggregate(run(scenario((MUST,)))), quiet=True)]
    assert [line.split()[0] for line in passed] == ["broken"]


def test_many_adapters_share_one_table() -> None:
    infos = [provider(f"p{i}") for i in range(MOST_DETAILED + 1)]
    shown = texts([started(*infos), scenario((MUST,), (MUST,), "failed", provider="p1"), finished()])
    assert [line.split()[0] for line in shown[:5]] == ["adapter", "p0", "p1", "p2", "p3"]
    assert [line for line in shown if line.startswith("p")] == ["p1  openai_chat  openai 2.0"]


def test_a_long_path_keeps_its_end() -> None:
    shown = texts(run(), "deep/" * 30 + "run.jsonl")
    assert shown[-1].startswith("report: …")
    assert shown[-1].endswith("/run.jsonl")


@settings(deadline=None)
@given(st.lists(WILD, min_size=1, max_size=6, unique=True), WILD, WILD, WILD, st.none() | WILD)
def test_no_line_is_wider_than_the_terminal(
    names: list[str], message: str, rule: str, sdk: str, path: str | None
) -> None:
    infos = [ProviderInfo(name, name, ("core",), {}, {sdk: sdk}, (ExpectedFailure(TOOLS, message),)) for name in names]
    met = [scenario((rule, TOOLS), (rule,), "failed", name, name) for name in names]
    crashed = [scenario(outcome="error", name=name, provider=name, message=message) for name in names]
    for line in lines([started(*infos), *met, *crashed], path):
        assert cell_len(line.text) <= WIDTH
        assert line.text.isprintable()
