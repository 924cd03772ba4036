"""Measure, and print the table."""

import argparse
import gc
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence

from rich.console import Console

from harness.discovery import find
from harness.laboratory import Laboratory
from harness.provider import Provider
from tests.benchmarks.bare import BARE, on_loop
from tests.benchmarks.rounds import Round, run_round
from tests.benchmarks.table import table


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


def _suite(provider: Provider) -> float:
    """Seconds that the suite takes in a process of its own, imports included."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-q", f"--provider={provider.name}", "-p", "no:cacheprovider"]
        begun = time.perf_counter()
        subprocess.run([*command, f"--conformance-report={folder}"], capture_output=True, check=False)
        return time.perf_counter() - begun


main()
