"""Shares of the suite: together the whole, none overlapping, the same everywhere, and of about the same cost."""

import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TypeGuard

import pytest

from harness.discovery import find, shipped
from harness.reporting.events import Event, ScenarioFinished
from harness.reporting.jsonl import read_run
from harness.suite.cases import cases
from harness.suite.shards import Piece, Shard, cost, setup, share, shares

_ROOT = Path(__file__).resolve().parents[2]
_ALL = [Piece(each.name, case.id, case.name) for each in find(shipped()) for case in cases(each)]
_OPENAI = [piece for piece in _ALL if piece.provider == "openai"]


@pytest.mark.parametrize("pieces", [_ALL, _OPENAI, _OPENAI[:3], []], ids=len)
@pytest.mark.parametrize("count", [1, 2, 3, 7, 40])
def test_shares_make_the_whole_and_do_not_overlap(count: int, pieces: Sequence[Piece]) -> None:
    names = [name for number in range(1, count + 1) for name in share(Shard(number, count), pieces)]
    assert sorted(names) == sorted(piece.name for piece in pieces)


def test_shares_do_not_depend_on_the_order_in_which_cases_are_found() -> None:
    mixed = random.Random(7).sample(_ALL, len(_ALL))
    assert shares(5, mixed) == shares(5, _ALL)


@pytest.mark.parametrize("count", [2, 3, 4, 6])
def test_shares_cost_about_the_same(count: int) -> None:
    costs = [_cost(each) for each in shares(count, _ALL)]
    assert max(costs) < 1.1 * sum(costs) / count
    assert sum(costs) < 1.5 * _cost(_ALL)


def _cost(pieces: Sequence[Piece]) -> float:
    return sum(map(cost, pieces)) + sum(map(setup, {piece.provider for piece in pieces}))


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "1/0", "-1/2", "1/2/3", "a/b", "1.5/2", "1/ 2", "¹/2"])
def test_a_misspelt_share_is_told(text: str) -> None:
    with pytest.raises(ValueError, match="takes I/N"):
        Shard.parse(text)


def test_every_share_is_collected_by_pytest(tmp_path: Path) -> None:
    whole = _collected(tmp_path)
    parts = [_collected(tmp_path, f"--shard={number}/2") for number in (1, 2)]
    assert len(whole) > 200
    assert sorted(name for part in parts for name in part) == sorted(whole)
    assert min(map(len, parts)) > 50


def _collected(tmp_path: Path, *options: str) -> list[str]:
    ran = _pytest(tmp_path, "--provider=openai,ollama", "--collect-only", *options)
    return [line for line in ran.stdout.splitlines() if line.startswith(("openai-", "ollama-"))]


def test_a_share_is_run_by_several_workers_and_reported_as_a_part(tmp_path: Path) -> None:
    scenarios = ["text", "tool", "tool-cut", "stops", "cuts"]
    chosen = ("--provider=openai,ollama", f"--scenario={','.join(scenarios)}", "-n2")
    ran = [_pytest(tmp_path, *chosen, f"--shard={number}/2") for number in (1, 2)]
    assert [each.returncode for each in ran] == [0, 0], ran[0].stdout + ran[1].stdout
    assert all("Only a part of the suite was run." in each.stdout for each in ran)
    files = {path.stem.rpartition("-")[2]: path for path in tmp_path.glob("*.jsonl")}
    assert files.keys() == {"1of2", "2of2"}
    done = [(e.provider, e.scenario) for path in files.values() for e in read_run(path).events if _is_case(e)]
    assert sorted(done) == sorted((each, scenario) for each in ("ollama", "openai") for scenario in scenarios)


def _is_case(event: Event) -> TypeGuard[ScenarioFinished]:
    return isinstance(event, ScenarioFinished)


@pytest.mark.parametrize(
    ("options", "told"),
    [(["--provider=openai", "--shard=3/2"], "--shard takes I/N"), (["--shard=1/2"], "--shard needs --provider")],
)
def test_a_wrong_share_is_a_usage_error(tmp_path: Path, options: list[str], told: str) -> None:
    ran = _pytest(tmp_path, *options)
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert told in ran.stderr


def _pytest(reports: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--conformance-report={reports}"]
    return subprocess.run([*command, *options], cwd=_ROOT, capture_output=True, text=True, check=False)
