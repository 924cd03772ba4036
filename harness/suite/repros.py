"""Failures and their files: written where a case fails, and run again from there."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from harness.bench import Bench, CallNeverEnds, Finding
from harness.checks.observation import Observation
from harness.contract.rules import RULES
from harness.dialects import load_dialect
from harness.dialects.base import Dialect
from harness.discovery import UnknownProviderError, every_name, find
from harness.endpoint.base import Delivery, Endpoint, Responder
from harness.exchange import Exchange
from harness.laboratory import Laboratory
from harness.provider import Provider
from harness.reporting.jsonl import replace_file
from harness.repro.making import repro_of
from harness.repro.model import Repro, ReproError, Told
from harness.repro.storage import SUFFIX, dump, load
from harness.suite.case import Case, Origin
from harness.suite.cases import cases


class _AsWritten:
    """An endpoint that answers with the bytes of a file, request by request; then, and in another mode, anew.

    An adapter that chooses its mode by itself may ask for another one than the adapter that failed.
    """

    def __init__(self, endpoint: Endpoint, told: Sequence[Told], dialect: Dialect) -> None:
        self._endpoint = endpoint
        self._told = told
        self._dialect = dialect

    def reset(self, responder: Responder) -> None:
        rest = iter(self._told)

        def respond(request: Any) -> Delivery:
            delivery, told = responder(request), next(rest, None)
            if told is None or self._dialect.is_stream(told.request) != self._dialect.is_stream(request):
                return delivery
            return replace(told.delivery, gate=delivery.gate)

        self._endpoint.reset(respond)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._endpoint, name)


def play(laboratory: Laboratory, bench: Bench, exchange: Exchange, told: Sequence[Told]) -> None:
    """Run an exchange with the bytes of a file, on a new instance of the adapter, and note what is found."""
    endpoint = _AsWritten(bench.subject.endpoint, told, bench.subject.dialect)
    subject = replace(bench.subject, endpoint=cast("Endpoint", endpoint), _models={})
    with contextlib.suppress(Exception):  # it is raised again, and judged, where the call is made
        subject.model(exchange)  # here it may import an SDK, which takes longer than a loop may be blocked
    bench.exchanges += 1
    laboratory.run(replace(bench, subject=subject).run(exchange))


# --- files to cases ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReproFile:
    """A repro, and the file that it was read from."""

    path: Path
    repro: Repro


def read_files(paths: Iterable[Path]) -> list[ReproFile]:
    """The repros of some files. Raises ReproError."""
    return [ReproFile(path, load(path)) for path in paths]


def adapters(files: Sequence[ReproFile], asked: Sequence[str]) -> list[Provider]:
    """The adapters that the files are run against: those that were asked for, or those that failed.

    A file chooses among the adapters that are known by name; what it says is never imported. Raises ReproError, and
    UnknownProviderError for what was asked for.
    """
    if asked:
        return find(asked)
    for file in files:
        if file.repro.provider not in every_name():
            raise ReproError(
                f"{file.path}: there is no adapter {file.repro.provider!r} here: name one by --provider, a name or "
                "module:ATTRIBUTE"
            )
    try:
        return find([file.repro.provider for file in files])
    except UnknownProviderError as error:
        raise ReproError(str(error)) from None


def repro_cases(files: Sequence[ReproFile], provider: Provider, *, asked: bool) -> Iterator[Case]:
    """The cases of an adapter: of all files where it was asked for, else of those of its own failures."""
    for number, file in enumerate(files, 1):
        if asked or file.repro.provider == provider.name:
            name = f"repro-{file.path.stem}" if _is_only(file, files) else f"repro-{number}-{file.path.stem}"
            yield _case(provider, file, name)


def _is_only(file: ReproFile, files: Iterable[ReproFile]) -> bool:
    return sum(other.path.stem == file.path.stem for other in files) == 1


def _case(provider: Provider, file: ReproFile, name: str) -> Case:
    repro = file.repro
    rule = repro.violation.rule
    _check(provider, file)

    def run(laboratory: Laboratory, bench: Bench) -> None:
        bench.exercised.add(rule)
        if repro.exchange is None:
            _scenario(provider, file).run(laboratory, bench)
            return
        try:
            play(laboratory, bench, repro.exchange, repro.told)
        except Exception as error:  # no adapter raises here: the exchange itself cannot be made, or judged
            raise ReproError(f"{file.path}: cannot be run: {type(error).__name__}: {error}") from error

    return Case(provider, name, f"again: {RULES[rule].title}", (rule,), run, Origin(file.path, repro.scenario, rule))


def _check(provider: Provider, file: ReproFile) -> None:
    """Raises ReproError for a file that cannot be run against the adapter."""
    repro = file.repro
    if provider.dialect != repro.dialect:
        raise ReproError(f"{file.path}: holds bytes of {repro.dialect}; {provider.name} speaks {provider.dialect}")
    if repro.exchange is None:
        _scenario(provider, file)
        return
    answers = (repro.exchange.answer, *(repro.exchange.goal.answers if repro.exchange.goal else ()))
    dialect = load_dialect(provider.dialect)
    try:
        for answer in answers:
            answer.delivery(dialect, stream=repro.exchange.stream)
        for told in repro.told:
            dialect.is_stream(told.request)
    except Exception as error:  # whatever a reply that no service says, or a style that there is not, leads to
        raise ReproError(f"{file.path}: no answer of {repro.dialect}: {type(error).__name__}: {error}") from None


def _scenario(provider: Provider, file: ReproFile) -> Case:
    found = next((case for case in cases(provider) if case.id == file.repro.scenario), None)
    if found is None:
        raise ReproError(
            f"{file.path}: {provider.name} has no scenario {file.repro.scenario!r}, which is to be run whole"
        )
    return found


# --- findings to files ------------------------------------------------------------------------------------------------


def write_files(
    folder: Path, case: Case, bench: Bench, findings: Iterable[Finding], laboratory: Laboratory
) -> Mapping[str, Path]:
    """Write a file for each finding; the paths, by rule."""
    return {finding.violation.rule: _write(folder, case, bench, finding, laboratory) for finding in findings}


def _write(folder: Path, case: Case, bench: Bench, finding: Finding, laboratory: Laboratory) -> Path:
    repro = repro_of(finding, case.id, case.title)
    if repro.exchange is not None and not _is_broken(laboratory, bench, repro, finding.seen):
        repro = replace(repro, exchange=None)
    name = f"{case.name}-{finding.violation.rule}".replace("/", "_")
    path = folder / f"{name}{SUFFIX}"
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(path, dump(repro).encode())
    return path


def _is_broken(laboratory: Laboratory, bench: Bench, repro: Repro, seen: Observation) -> bool:
    """Whether the exchange breaks the rule by itself, whatever was run before it. One that never ends is believed."""
    if seen.timed_out or repro.exchange is None:
        return True
    trial = Bench(bench.subject)
    try:
        play(laboratory, trial, repro.exchange, repro.told)
    except CallNeverEnds:
        return False
    return repro.violation.rule in trial.findings


def shown(path: Path) -> Path:
    """A path as people name it: from the current folder, where it lies in it."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
