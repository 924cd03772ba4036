"""The command of a failure runs that failure, however the run was asked for."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[2]


def run(folder: Path, *options: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", *options, f"--conformance-report={folder}", "-p", "no:cacheprovider"]
    ran = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout


@pytest.mark.parametrize(
    ("asked", "provider", "kept"),
    [
        (["--provider=openai,tests.suite.records:SURPRISING"], "tests.suite.records:SURPRISING", []),
        (["--provider=tests.suite.records:IMPOLITE", "--strict"], "tests.suite.records:IMPOLITE", ["--strict"]),
    ],
)
def test_a_failure_is_run_again_by_its_command(
    tmp_path: Path, asked: list[str], provider: str, kept: list[str]
) -> None:
    code, out = run(tmp_path / "first", *asked, "--scenario=tool")
    assert code == 1, out
    (found,) = set(re.findall(r"run again: pytest (.*)", out))
    assert shlex.split(found) == [f"--provider={provider}", "--scenario=tool", *kept]
    assert run(tmp_path / "again", *shlex.split(found))[0] == 1
