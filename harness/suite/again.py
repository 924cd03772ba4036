"""Failures run again without a test session."""

import contextlib
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from harness.bench import CallNeverEnds
from harness.discovery import missing, remedy
from harness.endpoint.network import no_network
from harness.laboratory import Laboratory
from harness.provider import Provider
from harness.reporting.events import GateInfo
from harness.reporting.verdicts import Scoring
from harness.repro.model import ReproError
from harness.suite.case import Case
from harness.suite.gate import Gate
from harness.suite.judging import Judgement, command
from harness.suite.replay import with_cassettes
from harness.suite.repros import ReproFile, adapters, repro_cases


def run_again(files: Sequence[ReproFile], asked: Sequence[str], cassettes: Path) -> Iterator[Judgement]:
    """Run the failures of files, against the adapters that were asked for if any, one after the other.

    ``cassettes`` has a folder of recordings for each adapter. Raises ReproError for a file that cannot be run, and
    UnknownProviderError.
    """
    gate = Gate(Scoring(GateInfo(), None))
    providers = [with_cassettes(each, cassettes / each.name) for each in adapters(files, asked)]
    cases = [case for provider in providers for case in repro_cases(files, provider, asked=bool(asked))]
    for provider in providers:
        _installed(provider)
    laboratory = Laboratory()
    try:
        for case in cases:
            yield _judged(laboratory, gate, case, next((name for name in asked if ":" in name), case.provider.name))
    finally:
        laboratory.close()


def _installed(provider: Provider) -> None:
    if missing(provider):
        absent = ", ".join(missing(provider))
        raise ReproError(f"{provider.name}: {absent} is not installed. Remedy: {remedy(provider)}")


def _judged(laboratory: Laboratory, gate: Gate, case: Case, name: str) -> Judgement:
    bench = laboratory.bench(case.provider)
    with warnings.catch_warnings(), no_network(), contextlib.suppress(CallNeverEnds):
        warnings.simplefilter("ignore")
        case.run(laboratory, bench)
    made = Judgement(case, gate, command(name, case), tuple(bench.findings.values()))
    return replace(made, files={case.origin.rule: str(case.origin.file)} if case.origin else {})
