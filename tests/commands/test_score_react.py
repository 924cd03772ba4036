"""``conformance score react``."""

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from harness.commands import score_react
from harness.commands.react_cases import BrokenCaseError, Outcome, ours, peers, read_cases
from tests.shared import SHARED, needs_shared

RIGHT = {"id": "a", "text": "Final Answer: 5", "expect": "final", "tool": None, "input": "5"}
WRONG = {**RIGHT, "id": "b", "input": 5}


def score(*arguments: str) -> None:
    parser = argparse.ArgumentParser()
    score_react.add(parser.add_subparsers())
    options = parser.parse_args(["react", *arguments])
    options.command(options)


def written(path: Path, *rows: Any) -> str:
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return str(path)


def test_a_score_is_told_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.json"
    score(written(tmp_path / "cases.jsonl", RIGHT, WRONG), "--json", str(out))
    assert json.loads(out.read_text(encoding="utf-8")) == {"cases": 2, "ok": 1, "wrong": ["b"]}
    told = capsys.readouterr().out
    assert "b: expected final 5" in told
    assert 'got final "5"' in told
    assert "1 of 2 (50.0%)" in told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "no JSON"),
        ("[]", "not an object"),
        ("{}", "id None, text None, expect None"),
        (json.dumps({**RIGHT, "expect": "perhaps"}), "expect 'perhaps'"),
        (json.dumps({**RIGHT, "text": 5}), "text 5"),
    ],
)
def test_a_line_that_is_no_case_is_told_by_its_number(
    line: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(f"{json.dumps(RIGHT)}\n\n{line}\n", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        score(str(path))
    assert ended.value.code == 4
    error = capsys.readouterr().err
    assert "cases.jsonl, line 3" in error
    assert told in error


def test_a_file_without_cases_is_told(tmp_path: Path) -> None:
    with pytest.raises(BrokenCaseError, match="no case"):
        read_cases(Path(written(tmp_path / "empty.jsonl")))


def test_values_are_compared_as_json() -> None:
    assert not Outcome("action", "a", 1).same(Outcome("action", "a", True))
    assert not Outcome("action", "a", {}).same(Outcome("action", "a", None))
    assert Outcome("action", "a", {"b": 1, "c": 2}).same(Outcome("action", "a", {"c": 2, "b": 1}))


@needs_shared
def test_all_shared_cases_are_right() -> None:
    cases = read_cases(SHARED / "data" / "react_cases.jsonl")
    assert [case.id for case in cases if not ours(case.text).same(case.wanted)] == []


def test_peers_that_are_installed_read_a_plain_reply() -> None:
    plain = 'Thought: so\nAction: lookup\nAction Input: {"k": "v"}'
    assert all(reader(plain) == Outcome("action", "lookup", {"k": "v"}) for _, reader in peers())
