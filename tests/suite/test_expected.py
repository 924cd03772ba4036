"""Failures that a record expects do not fail the run; others do."""

import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("record", "code", "told"), [("SURPRISING", 1, "broken rules: 2 MUST"), ("EXPECTED", 0, "broken rules: 0 MUST")]
)
def test_expected_failures_are_told_and_let_pass(record: str, code: int, told: str, tmp_path: Path) -> None:
    asked = [f"--provider=tests.suite.records:{record}", "--scenario=tool", f"--conformance-report={tmp_path}"]
    command = [sys.executable, "-m", "pytest", *asked, "-q", "-p", "no:cacheprovider"]
    ran = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == code, ran.stdout
    assert told in ran.stdout
