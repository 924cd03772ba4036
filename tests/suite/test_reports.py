"""What a run leaves behind: reports of whole runs, of parts, and of runs that were cut short."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from harness.cli import main
from harness.reporting.jsonl import read_run
from harness.reporting.verdicts import RunReport, aggregate

_ROOT = Path(__file__).resolve().parents[2]
_ADAPTER = """
import os, signal, time
from dataclasses import replace
from harness.provider import Provider
from providers.openai import PROVIDER as SHIPPED

def build(endpoint, config):
    {fault}

PROVIDER = replace(SHIPPED, name="my-adapter", build=build)
"""


def command(folder: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--conformance-report={folder}", *options]


def run(folder: Path, *options: str, **environment: str) -> str:
    ran = subprocess.run(
        command(folder, *options),
        cwd=folder.parent,
        env={**os.environ, "PYTHONPATH": str(_ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.stdout + ran.stderr


def report(folder: Path) -> RunReport:
    (path,) = folder.glob("*.jsonl")
    return aggregate(read_run(path).events)


def adapter(tmp_path: Path, fault: str) -> str:
    (tmp_path / "faulty.py").write_text(_ADAPTER.replace("{fault}", fault), encoding="utf-8")
    return "--provider=faulty:PROVIDER"


def pages(folder: Path) -> Mapping[str, str]:
    return {path.suffix: path.read_text(encoding="utf-8") for path in folder.iterdir() if path.is_file()}


def test_a_run_leaves_a_page_a_document_and_the_summary_of_a_build(tmp_path: Path) -> None:
    build = tmp_path / "summary.md"
    build.write_text("before\n", encoding="utf-8")
    run(tmp_path / "r", "--provider=openai", "--scenario=text", GITHUB_STEP_SUMMARY=str(build))
    left = pages(tmp_path / "r")
    assert left.keys() == {".jsonl", ".html", ".md"}
    assert build.read_text(encoding="utf-8") == "before\n" + left[".md"]
    assert "**Part of the suite**" in left[".md"]


def test_a_summary_that_cannot_be_written_is_told_and_fails_nothing(tmp_path: Path) -> None:
    out = run(tmp_path / "r", "--provider=openai", "--scenario=text", GITHUB_STEP_SUMMARY=str(tmp_path))
    assert "GITHUB_STEP_SUMMARY: " in out
    assert "1 passed" in out


@pytest.mark.parametrize(("whom", "workers"), [("getpid", ()), ("getppid", ("-n1",))])
def test_an_interrupt_leaves_a_report_that_says_so(tmp_path: Path, whom: str, workers: tuple[str, ...]) -> None:
    fault = f"os.kill(os.{whom}(), signal.SIGINT); time.sleep(30)"
    out = run(tmp_path / "r", adapter(tmp_path, fault), "--scenario=text,tool", *workers)
    assert report(tmp_path / "r").ending == "interrupted"
    assert "PARTIAL RUN (interrupted)" in out
    left = pages(tmp_path / "r")
    assert "Partial run." in left[".html"]
    assert "**Partial run** (interrupted)" in left[".md"]


def test_a_run_that_stops_at_a_failure_says_so(tmp_path: Path) -> None:
    run(tmp_path / "r", adapter(tmp_path, "raise OSError('boom')"), "--scenario=text,tool", "-x")
    assert report(tmp_path / "r").ending == "stopping after 1 failures"


def test_a_worker_that_dies_is_a_scenario_without_a_verdict(tmp_path: Path) -> None:
    pytest.importorskip("xdist", reason="pytest-xdist is not installed")
    run(tmp_path / "r", adapter(tmp_path, "os._exit(7)"), "--scenario=text", "-n1")
    found = report(tmp_path / "r")
    (crash,) = found.providers[0].crashes
    assert (crash.provider, crash.scenario) == ("my-adapter", "text")
    assert "crashed" in crash.message


def test_a_run_that_is_killed_leaves_what_it_had_found(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("import harness.suite.recorder as it\nit._DRAFT_PAUSE = 0.0\n")
    fault = "open('there', 'w').close(); time.sleep(60)"
    scenarios = ("--provider=openai", adapter(tmp_path, fault), "--scenario=text")
    started = subprocess.Popen(
        command(tmp_path / "r", *scenarios),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(_ROOT)},
        stdout=subprocess.DEVNULL,
    )
    try:
        while not (tmp_path / "there").exists() and started.poll() is None:
            time.sleep(0.05)
    finally:
        started.kill()
        started.wait()
    found = report(tmp_path / "r")
    assert (found.partial, found.ending) == (True, "broken off")
    assert [each.scenario for each in found.providers[0].scenarios] == ["text"]
    assert "Partial run." in pages(tmp_path / "r")[".html"], "a long run draws its page now and then"
    (path,) = (tmp_path / "r").glob("*.jsonl")
    assert main(["report", str(path)]) == 0
    assert "**Partial run**" in pages(tmp_path / "r")[".md"]


def test_other_tests_beside_the_suite_are_none_of_its_scenarios(tmp_path: Path) -> None:
    test = tmp_path / "test_own.py"
    test.write_text("def test_own():\n    assert False\n", encoding="utf-8")
    suite = _ROOT / "harness" / "suite" / "conformance.suite"
    out = run(tmp_path / "r", "--provider=openai", "--scenario=text", str(test), str(suite))
    assert "1 failed, 1 passed" in out
    assert [each.scenario for each in report(tmp_path / "r").providers[0].scenarios] == ["text"]


def test_what_is_only_collected_leaves_no_report(tmp_path: Path) -> None:
    out = run(tmp_path / "r", "--provider=openai", "--scenario=text", "--collect-only")
    assert "openai-text" in out
    assert not (tmp_path / "r").exists()


def test_properties_of_a_case_tell_what_it_met(tmp_path: Path) -> None:
    run(tmp_path / "r", "--provider=tests.suite.records:SURPRISING", "--scenario=tool", "--junitxml=out.xml")
    found = set(re.findall(r'<property name="(\w+)" value="([^"]*)"', (tmp_path / "out.xml").read_text()))
    assert {("provider", "surprising"), ("violated", "STOP-TOOLS"), ("violated", "STOP-MAPPED")} <= found
    assert ("rule", "TOOL-COUNT") in found
    assert any(name == "exchanges" and int(value) > 0 for name, value in found)
