"""``conformance diff``, ``baseline`` and ``report --schema``, as they are typed."""

import json
from pathlib import Path

import pytest

from harness.cli import main
from harness.reporting.events import Event
from harness.reporting.jsonl import RunWriter
from tests.reporting.runs import MUST, finished, provider, run, scenario, started


def written(path: Path, events: list[Event]) -> str:
    with RunWriter(path) as writer:
        for event in events:
            writer.write(event)
    return str(path)


WHOLE = run(scenario((MUST,)))
BROKEN = run(scenario((MUST,), (MUST,), "failed"))


@pytest.mark.parametrize(("old", "new", "code"), [(WHOLE, BROKEN, 1), (BROKEN, WHOLE, 0), (WHOLE, WHOLE, 0)])
def test_only_what_got_worse_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: list[Event], new: list[Event], code: int
) -> None:
    paths = (written(tmp_path / "old.jsonl", old), written(tmp_path / "new.jsonl", new))
    assert main(["diff", *paths]) == code
    assert (f"  a            {MUST}       pass -> fail" in capsys.readouterr().out) == bool(code)
    assert main(["diff", "--markdown", *paths]) == code
    assert capsys.readouterr().out.startswith("## Conformance: what moved\n")


def test_a_run_is_kept_and_compared_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "baselines"
    assert main(["baseline", written(tmp_path / "old.jsonl", WHOLE), "--folder", str(kept)]) == 0
    assert capsys.readouterr().out.strip() == str(kept / "a.jsonl")
    assert main(["diff", str(kept), written(tmp_path / "new.jsonl", BROKEN)]) == 1


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ([started(provider("b")), finished()], "have no adapter in common"),
        ([], "No such file"),
    ],
)
def test_what_cannot_be_compared_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], events: list[Event], told: str
) -> None:
    other = tmp_path / "other.jsonl"
    if events:
        written(other, events)
    assert main(["diff", written(tmp_path / "old.jsonl", WHOLE), str(other)]) == 4
    captured = capsys.readouterr()
    assert told in captured.err
    assert len(captured.err.splitlines()) == 1
    assert not captured.out


def test_a_part_of_a_run_is_refused_as_a_baseline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["baseline", written(tmp_path / "run.jsonl", [started(provider())])]) == 4
    assert "only a whole run can be a baseline" in capsys.readouterr().err


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out)["$schema"].endswith("/2020-12/schema")
    assert main(["report"]) == 4
