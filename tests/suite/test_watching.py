"""Progress, at a terminal and elsewhere."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[2]


def command(folder: Path, *options: str) -> list[str]:
    asked = ("--provider=openai", "--scenario=text,tool", f"--conformance-report={folder}", "-p", "no:cacheprovider")
    return [sys.executable, "-m", "pytest", *asked, *options]


def at_a_terminal(folder: Path, *options: str) -> str:
    """What a terminal is sent."""
    outer, inner = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "PYTEST_ADDOPTS")}
    running = subprocess.Popen(
        command(folder, *options), cwd=_ROOT, env={**environment, "TERM": "xterm-256color"}, stdin=inner, stdout=inner
    )
    os.close(inner)
    sent = b""
    try:
        while piece := os.read(outer, 65536):
            sent += piece
    except OSError:  # the other end is closed, which Linux tells so
        pass
    os.close(outer)
    assert running.wait() == 0, sent
    return sent.decode()


def plain(sent: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", sent)


@pytest.mark.parametrize("workers", [(), ("-n1",)])
def test_a_bar_takes_the_place_of_dots(tmp_path: Path, workers: tuple[str, ...]) -> None:
    sent = at_a_terminal(tmp_path, *workers)
    text = plain(sent)
    assert "1/2" in text
    assert "[100%]" not in text
    assert "2 passed" in text
    assert sent.count("\x1b[?25l") == sent.count("\x1b[?25h") == 1, "the cursor is shown again"


def test_each_item_has_its_line_where_they_were_asked_for(tmp_path: Path) -> None:
    text = plain(at_a_terminal(tmp_path, "-v"))
    assert re.search(r"^openai-text PASSED +\[ 50%\]", text, re.MULTILINE)
    assert "1/2" not in text


def test_a_pipe_gets_dots_and_no_colours(tmp_path: Path) -> None:
    ran = subprocess.run(command(tmp_path), cwd=_ROOT, capture_output=True, text=True, check=True)
    assert "\x1b" not in ran.stdout
    assert "[100%]" in ran.stdout
