from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from harness.contract.rules import RULES
from harness.reporting.baseline import keep
from harness.reporting.diff import RunDiff, Side, compare, notes, read_side
from harness.reporting.diff_text import WIDTH, markdown, text
from harness.reporting.events import BrokenReportError, Event, GateInfo, ProviderInfo, RunStarted, ScenarioFinished
from harness.reporting.jsonl import RunWriter
from harness.reporting.verdicts import aggregate
from tests.reporting.runs import MAY, MUST, SHOULD, TOOLS, finished, provider, run, scenario, started

ALL = tuple(RULES)


def side(*events: Event) -> dict[str, Side]:
    report = aggregate(events)
    return {each.info.name: Side(report, each) for each in report.providers}


def moved(old: list[Event], new: list[Event]) -> dict[str, tuple[str, str, str]]:
    found = compare(side(*old), side(*new))
    return {move.subject: (move.kind, move.old, move.new) for each in found.providers for move in each.moves}


def test_runs_that_say_the_same_have_no_moves() -> None:
    events = run(scenario(ALL, (MUST, SHOULD), "failed"))
    found = compare(side(*events), side(*events))
    assert not found.worse
    assert "0 worse" in list(text(found))[-1]


@pytest.mark.parametrize(
    ("old", "new", "kind", "words"),
    [
        ((), (MUST,), "worse", ("pass", "fail")),
        ((MUST,), (), "better", ("fail", "pass")),
        ((), (SHOULD,), "worse", ("pass", "warn")),
        ((), (MAY,), "worse", ("pass", "note")),
    ],
)
def test_a_verdict_that_moves_is_told(
    old: tuple[str, ...], new: tuple[str, ...], kind: str, words: tuple[str, str]
) -> None:
    before, now = (run(scenario(ALL, broken, "failed" if broken else "passed")) for broken in (old, new))
    assert moved(before, now) == {(old or new)[0]: (kind, *words)}


def test_a_failure_that_becomes_expected_is_better_and_one_that_begins_as_expected_is_not() -> None:
    broken, whole = scenario((MUST,), (MUST,), "failed"), scenario((MUST,))
    known = provider(expected=(MUST,))
    assert moved(run(broken), run(broken, info=known))[MUST] == ("better", "fail", "expected")
    assert moved(run(whole), run(broken, info=known))[MUST] == ("worse", "pass", "expected")


def test_a_rule_that_another_scenario_breaks_is_worse_and_names_it() -> None:
    before = run(scenario((MUST,), (MUST,), "failed", "s1"), scenario((MUST,), name="s2"))
    now = run(scenario((MUST,), (MUST,), "failed", "s1"), scenario((MUST,), (MUST,), "failed", "s2"))
    found = compare(side(*before), side(*now))
    (move,) = found.providers[0].moves
    assert (move.kind, move.old, move.new, move.scenarios) == ("worse", "fail", "fail", ("s2",))
    assert any("fail, in more scenarios" in line for line in text(found))
    untold = run(scenario((MUST,), (MUST,), "failed", "s1"))
    assert moved(untold, now) == {}, "a scenario that the old run did not try may always have failed"


def test_a_pass_that_is_no_longer_shown_is_a_loss_in_a_whole_run_only() -> None:
    before = run(scenario((MUST, TOOLS)), info=provider(profiles=("core", "tools")))
    fewer = scenario((MUST,))
    tools = provider(profiles=("core", "tools"))
    assert moved(before, run(fewer, info=tools)) == {TOOLS: ("worse", "pass", "not_exercised")}
    assert moved(before, run(fewer, info=tools, complete=False)) == {TOOLS: ("untried", "pass", "not_exercised")}
    assert moved(before, run(fewer))[TOOLS] == ("worse", "pass", "not_applicable")


def gated(events: list[Event], **changes: object) -> list[Event]:
    first, *rest = events
    assert isinstance(first, RunStarted)
    return [replace(first, **changes), *rest]  # type: ignore[arg-type]


def test_a_pass_that_was_not_asked_for_is_no_loss() -> None:
    before = run(scenario((MUST, TOOLS)), info=provider(profiles=("core", "tools")))
    now = gated(run(scenario((MUST,)), info=provider(profiles=("core", "tools"))), gate=GateInfo(("core",)))
    assert moved(before, now) == {TOOLS: ("untried", "pass", "not_applicable")}
    assert moved(now, before) == {TOOLS: ("untried", "not_applicable", "pass")}
    assert any("held to different profiles" in note for note in notes(compare(side(*before), side(*now))))


def test_a_rule_that_the_older_harness_did_not_have_is_new_and_not_worse() -> None:
    before = gated(run(scenario((SHOULD,))), rules=(SHOULD,))
    now = gated(run(scenario((SHOULD, MUST), (MUST,), "failed")), rules=(SHOULD, MUST))
    assert moved(before, now) == {MUST: ("new", "not_exercised", "fail")}
    assert moved(gated(before, rules=(SHOULD, MUST)), now) == {MUST: ("worse", "not_exercised", "fail")}


def test_a_scenario_that_crashes_now_is_worse() -> None:
    crashed = scenario(outcome="error", message="boom")
    assert moved(run(scenario()), run(crashed)) == {"s1": ("worse", "a verdict", "none")}
    assert moved(run(crashed), run(scenario())) == {"s1": ("better", "none", "a verdict")}


def test_a_partial_run_is_not_held_against_a_whole_one() -> None:
    whole = run(scenario((MUST, SHOULD)))
    partial: list[Event] = [started(provider()), scenario((SHOULD,))]
    found = compare(side(*whole), side(*partial))
    assert not found.worse
    assert [*notes(found)] == ["the new run is partial: what is missing is not compared"]
    assert "1 not in both runs" in list(text(found))[-1]


def test_both_versions_of_the_sdk_stand_in_one_table() -> None:
    newer = replace(provider(), sdk={"openai": "3.0", "httpx": "0.28"})
    found = compare(side(*run(scenario((MUST,)))), side(*run(scenario((MUST,), (MUST,), "failed"), info=newer)))
    lines = list(text(found))
    assert lines[0].split() == ["adapter", "SDK", "old", "new", "passes", "worse", "better"]
    assert lines[1].split() == ["a", "openai", "2.0", "3.0", "1", "->", "0", "1", "0"]
    assert lines[2].split() == ["httpx", "none", "0.28"]
    assert "| a | openai | 2.0 | 3.0 | 1 \\-&gt; 0 | 1 | 0 |" in list(markdown(found))


def test_adapters_of_one_run_alone_are_named() -> None:
    _, *rest = events = run(scenario((MUST,)))
    both: list[Event] = [started(provider(), provider("b")), *rest]
    found = compare(side(*events), side(*both))
    assert (found.gone, found.added) == ((), ("b",))
    assert "note: only in the new run: b" in list(text(found))


WILD = st.text(st.characters(), max_size=80)


def hostile(name: str, words: str, rule: str) -> RunDiff:
    info = ProviderInfo(name, words, ("core",), sdk={words: words})
    met = scenario((rule,), (rule,), "failed", words, name)
    new: list[Event] = [
        started(info),
        met,
        scenario(outcome="error", name=f"{words}x", provider=name, message=words),
        finished(),
    ]
    old: list[Event] = [
        started(info),
        scenario((rule,), name=words, provider=name),
        scenario(name=f"{words}x", provider=name),
    ]
    return compare(side(*old, finished()), side(*new))


@settings(deadline=None, max_examples=50)
@given(WILD, WILD, WILD)
def test_lines_fit_the_terminal_whatever_they_tell(name: str, words: str, rule: str) -> None:
    for line in text(hostile(name, words, rule)):
        assert cell_len(line) <= WIDTH
        assert line.isprintable()


@settings(deadline=None, max_examples=50)
@given(st.text(st.sampled_from("|`<>&[]()*_!#\\\n@:~ab$-") | st.characters(), min_size=1, max_size=30))
def test_no_text_changes_the_tables(words: str) -> None:
    def bars(name: str) -> list[int]:
        return [line.count("|") for line in markdown(hostile(name, name, name))]

    assert bars(f"x{words}") == bars("harmless")
    assert not any("<" in line for line in markdown(hostile(words, words, words)) if "`" not in line)


def written(path: Path, events: list[Event]) -> Path:
    with RunWriter(path) as writer:
        for event in events:
            writer.write(event)
    return path


def test_a_baseline_says_the_same_as_its_run_and_does_not_depend_on_its_order(tmp_path: Path) -> None:
    met = [
        scenario((MUST, SHOULD), (MUST,), "failed", "s2"),
        scenario((MUST, SHOULD, MAY), name="s1"),
        scenario((MUST,), outcome="error", name="s3", message="boom"),
    ]
    source = written(tmp_path / "run.jsonl", run(*met))
    (kept,) = keep(source, tmp_path / "kept")
    (again,) = keep(written(tmp_path / "again.jsonl", run(*reversed(met))), tmp_path / "again")
    assert kept.name == "a.jsonl"
    assert kept.read_bytes() == again.read_bytes()
    found = compare(read_side(source), read_side(tmp_path / "kept"))
    assert found.providers[0].moves == ()
    labels = [{rule: v.label for rule, v in read_side(p)["a"].report.verdicts.items()} for p in (source, kept)]
    assert labels[0] == labels[1]


@pytest.mark.parametrize("end", [[], [finished(False)]])
def test_a_part_of_a_run_is_no_baseline(tmp_path: Path, end: list[Event]) -> None:
    source = written(tmp_path / "run.jsonl", [started(provider()), *end])
    with pytest.raises(BrokenReportError, match="not the whole suite"):
        list(keep(source, tmp_path / "kept"))


def test_a_folder_holds_the_newest_run_of_each_adapter(tmp_path: Path) -> None:
    def at(day: int, *scenarios: ScenarioFinished) -> list[Event]:
        return gated(run(*scenarios), started=f"2025-01-0{day}T00:00:00Z")

    written(tmp_path / "a.jsonl", at(2, scenario((MUST,))))
    written(tmp_path / "b.jsonl", at(1, scenario((MUST,), (MUST,), "failed")))
    assert read_side(tmp_path)["a"].report.counts["fail"] == 0
    (tmp_path / "nothing").mkdir()
    with pytest.raises(BrokenReportError, match="holds no run"):
        read_side(tmp_path / "nothing")
