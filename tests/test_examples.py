"""The examples run, and print what the README shows."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_a_run_is_refused_goes_on_in_text_and_ends_in_an_answer() -> None:
    command = "docs/examples/refused_tools.py"
    done = subprocess.run([sys.executable, command], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    timeline, _, answer = done.stdout.rstrip().partition("\n\n")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"python {command}" in readme
    assert "\n".join(f"    {line}" for line in timeline.splitlines()) in readme
    assert answer == "It is sunny in Zürich."
