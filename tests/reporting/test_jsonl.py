import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.contract.expected import ExpectedFailure
from harness.reporting.events import (
    BrokenReportError,
    Event,
    GateInfo,
    ProviderInfo,
    RunFinished,
    RunStarted,
    ScenarioFinished,
    ViolationInfo,
    from_json,
)
from harness.reporting.jsonl import RunWriter, read_run
from tests.reporting.runs import MUST, provider, run, scenario, started

TEXT = st.text(max_size=8)
COUNTS = st.integers(0, 2**40)
SECONDS = st.floats(0, 1e6)
VIOLATIONS = st.builds(
    ViolationInfo,
    TEXT,
    TEXT,
    st.none() | TEXT,
    st.none() | COUNTS,
    TEXT,
    st.lists(TEXT, max_size=3).map(tuple),
    TEXT,
    TEXT,
    st.lists(TEXT, max_size=3).map(tuple),
)
FLAGS = st.none() | st.booleans() | TEXT | st.lists(TEXT, max_size=2)
PROVIDERS = st.builds(
    ProviderInfo,
    TEXT,
    TEXT,
    st.lists(TEXT, max_size=2).map(tuple),
    st.dictionaries(TEXT, FLAGS, max_size=2),
    st.dictionaries(TEXT, TEXT, max_size=2),
    st.lists(st.builds(ExpectedFailure, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT), max_size=2).map(tuple),
)
GATES = st.builds(GateInfo, st.lists(TEXT, max_size=2).map(tuple), st.booleans(), TEXT)
EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(
        RunStarted,
        *(TEXT,) * 6,
        st.lists(PROVIDERS, max_size=2).map(tuple),
        GATES,
        st.lists(TEXT, max_size=2).map(tuple),
    ),
    st.builds(
        ScenarioFinished,
        TEXT,
        TEXT,
        TEXT,
        st.sampled_from(["passed", "failed", "error", "skipped"]),
        st.lists(TEXT, max_size=2).map(tuple),
        st.lists(VIOLATIONS, max_size=2).map(tuple),
        COUNTS,
        SECONDS,
        TEXT,
    ),
    st.builds(RunFinished, TEXT, COUNTS, SECONDS, st.booleans(), TEXT),
)


def written(path: Path, events: list[Event]) -> Path:
    with RunWriter(path) as writer:
        for event in events:
            writer.write(event)
    return path


@given(EVENTS)
def test_an_event_survives_its_line(event: Event) -> None:
    line = event.to_json()
    assert "\n" not in line
    assert from_json(line.encode()) == event


def test_lone_surrogates_become_the_text_of_their_escape() -> None:
    event = from_json(scenario(message="\ud800 \U0001f600").to_json().encode())
    assert isinstance(event, ScenarioFinished)
    assert event.message == "\\ud800 \U0001f600"


def test_a_run_survives_its_file(tmp_path: Path) -> None:
    events = run(scenario((MUST,), (MUST,), "failed", message="first\nsecond\u2028third\r"))
    found = read_run(written(tmp_path / "reports" / "run.jsonl", events))
    assert list(found.events) == events
    assert not found.partial


def test_each_line_can_be_read_as_soon_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    events = run(scenario((MUST,)))
    with RunWriter(path) as writer:
        for count, event in enumerate(events, 1):
            writer.write(event)
            assert list(read_run(path).events) == events[:count]
    assert [file.name for file in tmp_path.iterdir()] == ["run.jsonl"]


def test_an_older_report_stays_until_the_first_event(tmp_path: Path) -> None:
    path = written(tmp_path / "run.jsonl", run(scenario((MUST,))))
    before = path.read_bytes()
    (tmp_path / "reader").hardlink_to(path)
    writer = RunWriter(path)
    assert path.read_bytes() == before
    writer.write(started(provider("new")))
    writer.close()
    assert read_run(path).events == (started(provider("new")),)
    assert (tmp_path / "reader").read_bytes() == before, "who reads the older report still has it whole"


def test_a_file_cut_anywhere_after_its_first_line_reads_as_a_partial_run(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    events = run(scenario((MUST,), message="é€😀"), scenario(name="s2"))
    whole = written(path, events).read_bytes()
    ends = [place for place, byte in enumerate(whole) if byte == ord("\n")]
    for size in range(ends[0], len(whole) - 1):
        path.write_bytes(whole[:size])
        found = read_run(path)
        assert list(found.events) == events[: sum(end <= size for end in ends)]
        assert found.partial == (size < ends[-1])


@pytest.mark.parametrize("content", [b"", b"\n", b'{"event":"run_st', b"[]\n"])
def test_a_file_without_a_run_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(content)
    with pytest.raises(BrokenReportError, match=r"run\.jsonl:1: "):
        read_run(path)


def altered(**changes: object) -> str:
    return json.dumps(json.loads(scenario((MUST,)).to_json()) | changes)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "not a run event"),
        ("{", "not a run event"),
        ("\xff", "not a run event"),
        (altered(event="scenario_begun"), "scenario_begun"),
        (altered(outcome="flaky"), "outcome: "),
        (altered(exchanges="3"), "exchanges: "),
        (altered(exchanges=-1), "exchanges: "),
        (altered(seconds=None), "seconds: "),
        (altered(more=1), "more: "),
        (altered(violations=[{"rule": MUST}]), r"violations\.0\.met: "),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(f"{started(provider()).to_json()}\n".encode() + line.encode("latin-1") + b"\n")
    with pytest.raises(BrokenReportError, match=message) as caught:
        read_run(path)
    assert str(caught.value).startswith(f"{path}:2: not a run event")
    assert "\n" not in str(caught.value)
