"""What a run of the suite takes of the memory, and how that grows with the examples.

``python -m tests.benchmarks.memory --provider=openai --times=1,10`` runs the suite in a process of its own for each
multiple of the usual number of examples, and prints the peak of each.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from harness.discovery import find
from harness.suite.cases import cases
from harness.suite.shards import GENERATED
from tests.benchmarks.examples import TIMES

#: by how much the peak may grow while the examples become ten times as many
_MOST = 1.25
_KIB_A_MIB = 1024


def main() -> None:
    """Run the suite for each multiple, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.memory", description=__doc__)
    parser.add_argument("--provider", default="openai")
    parser.add_argument("--scenario", default=None, help="only this one; default: all that draw examples")
    parser.add_argument("--times", default="1,10", help=f"multiples of the usual examples, of {TIMES}")
    asked = parser.parse_args()
    multiples = [int(text) for text in asked.times.split(",")]
    options = [f"--provider={asked.provider}", f"--scenario={asked.scenario or ','.join(_generated(asked.provider))}"]
    Console().print(table({times: _measured(times, options) for times in multiples}))


def _generated(name: str) -> Sequence[str]:
    (provider,) = find([name])
    return sorted(GENERATED & {case.id for case in cases(provider)})


def _measured(times: int, options: Sequence[str]) -> tuple[float, float]:
    """Peak resident memory in MiB, and CPU seconds."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.benchmarks.examples"]
        command += [f"--hypothesis-profile=times-{times}", f"--conformance-report={folder}", *options]
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(command)} ended with status {child.returncode}")
    return used.ru_maxrss / _KIB_A_MIB, used.ru_utime + used.ru_stime


def table(measured: dict[int, tuple[float, float]]) -> Table:
    """One row a multiple; peaks that grow too much are red."""
    made = Table("examples", title="Memory of a run")
    for name in ("peak MiB", "beside the first", "CPU seconds"):
        made.add_column(name, justify="right")
    first = next(iter(measured.values()))[0]
    for times, (peak, seconds) in measured.items():
        colour = "green" if peak / first <= _MOST else "red"
        made.add_row(f"{times}x", f"{peak:.0f}", f"[{colour}]{peak / first:.2f}[/]", f"{seconds:.0f}")
    return made


if __name__ == "__main__":
    main()
