from pathlib import Path

import pytest

from harness.cli import main
from harness.contract.rules import RULES
from harness.discovery import shipped
from harness.reporting.events import RunFinished, RunStarted
from harness.reporting.jsonl import RunWriter


def test_every_shipped_adapter_is_listed_within_eighty_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert set(shipped()) <= {line.partition(" ")[0] for line in lines}
    assert [line for line in lines if len(line) > 80] == []


def test_every_rule_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(RULES)


def test_a_report_is_drawn_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "run.jsonl"
    with RunWriter(path) as writer:
        writer.write(RunStarted("run", "2026-01-01T00:00:00Z", "0", "pytest", "3.11", "Linux", ()))
        writer.write(RunFinished("2026-01-01T00:00:01Z", 0, 1.0, True))
    assert main(["report", str(path)]) == 0
    assert capsys.readouterr().out.splitlines() == [str(path.with_suffix(suffix)) for suffix in (".html", ".md")]
    assert "<html" in path.with_suffix(".html").read_text(encoding="utf-8")


@pytest.mark.parametrize("content", [None, b"", b"not json\n", b'{"event": "run_finished"}\n'])
def test_a_report_that_cannot_be_read_is_one_line(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.jsonl"
    if content is not None:
        path.write_bytes(content)
    assert main(["report", str(path)]) == 4
    err = capsys.readouterr().err.strip()
    assert len(err.splitlines()) == 1
    assert err.startswith("conformance: ")
