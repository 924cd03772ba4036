"""Make the table of costs by which the suite is cut into shares, from the reports of whole runs.

``python -m tests.benchmarks.costs RUN.jsonl > harness/suite/costs.toml``, with a run of all shipped adapters.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median

from harness.reporting.events import ScenarioFinished
from harness.reporting.jsonl import read_run

#: scenarios that cost less than this, in seconds, are not worth a line: they cost the default
_LEAST = 0.12


def table(runs: Iterable[Path]) -> Iterator[str]:
    """The lines of the table: medians over the adapters, and what each adapter costs beside them."""
    done = [event for path in runs for event in read_run(path).events if isinstance(event, ScenarioFinished)]
    times: dict[str, dict[str, float]] = defaultdict(dict)
    first: dict[str, float] = {}
    for event in done:
        first.setdefault(event.provider, event.seconds)
        times[event.scenario][event.provider] = event.seconds
    usual = {scenario: median(by.values()) for scenario, by in times.items()}
    small = median(seconds for seconds in usual.values() if seconds < _LEAST)
    yield from ("# made by python -m tests.benchmarks.costs; seconds", f"scenario = {small:.3f}")
    yield from ("provider = {factor = 1.0, setup = 0.5}", "", "[scenarios]")
    yield from (f"{name} = {usual[name]:.2f}" for name in sorted(usual) if usual[name] >= _LEAST)
    yield from ("", "[providers]")
    for provider in sorted(first):
        dear = [(by[provider], usual[name]) for name, by in times.items() if provider in by and usual[name] >= _LEAST]
        factor = sum(met for met, _ in dear) / sum(wanted for _, wanted in dear)
        yield f"{provider} = {{factor = {factor:.1f}, setup = {first[provider]:.1f}}}"


if __name__ == "__main__":
    print("\n".join(table(map(Path, sys.argv[1:]))))
