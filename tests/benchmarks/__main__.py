"""Measure, and print the table."""

import argparse
import gc
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from harness.discovery import find
from harness.laboratory import Laboratory
from harness.provider import Provider
from harness.reporting.events import RunFinished
from harness.reporting.jsonl import read_run
from tests.benchmarks.bare import BARE, on_loop
from tests.benchmarks.rounds import Round, run_round
from tests.benchmarks.table import Suite, table


def main() -> None:
    """Measure the providers that were asked for."""
    asked = _arguments()
    providers = find(asked.provider or BARE)
    laboratory = Laboratory()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # as the suite does
            rounds = {provider.name: _rounds(laboratory, provider, asked.exchanges) for provider in providers}
    finally:
        laboratory.close()
    Console().print(table(rounds, {provider.name: _suite(provider) for provider in providers}))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--provider", action="append", choices=sorted(BARE), help="repeatable; default: all of them")
    parser.add_argument("--exchanges", type=int, default=2000, metavar="N", help="at least so many of each provider")
    return parser.parse_args()


def _rounds(laboratory: Laboratory, provider: Provider, exchanges: int) -> Sequence[Round]:
    """Rounds over at least so many exchanges; the first, which warms everything up, does not count."""
    subject = laboratory.bench(provider).subject
    calls = BARE[provider.name](subject.endpoint), on_loop(provider.name, subject.endpoint)
    run_round(laboratory, subject, *calls, 0)
    gc.collect()
    gc.freeze()  # as the suite does
    rounds: list[Round] = []
    while sum(done.exchanges for done in rounds) < exchanges:
        rounds.append(run_round(laboratory, subject, *calls, len(rounds) + 1))
    return rounds


def _suite(provider: Provider) -> Suite:
    """The suite in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-q", f"--provider={provider.name}", "-p", "no:cacheprovider"]
        begun, used = time.perf_counter(), _children()
        subprocess.run([*command, f"--conformance-report={folder}"], capture_output=True, check=False)
        seconds, processor = time.perf_counter() - begun, _children() - used
        told = [event for path in Path(folder).glob("*.jsonl") for event in read_run(path).events]
    return Suite(seconds, processor, sum(event.exchanges for event in told if isinstance(event, RunFinished)))


def _children() -> float:
    """Seconds of the processor that processes begun here have used, once they have ended."""
    times = os.times()
    return times.children_user + times.children_system


main()
