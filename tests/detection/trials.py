"""Trials of adapters, each in the environment of its version; kept in the cache as long as the harness is the same."""

import hashlib
import json
import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Final

from tests.detection.bugs import Run
from tests.detection.environments import ROOT, NoEnvironmentError, cache_folder, environment
from tests.detection.trial import records

#: seconds for all scenarios of a trial; for one of them; and between looks at what has been written
_TIME_LIMIT: Final = 900
_SILENCE_LIMIT: Final = 150
_POLL: Final = 0.5
#: more bytes than a record has that ends a trial
_LAST_RECORD: Final = 16384
#: what a result depends on, beside the version
_SOURCES: Final = ("harness/**/*.py", "harness/**/*.toml", "tests/detection/trial.py", "providers/bedrock/*.py")


@dataclass(frozen=True)
class Trial:
    """What one adapter of one version did. ``failure`` says why there is nothing to tell."""

    failure: str
    scenarios: Mapping[str, Mapping[str, Any]]

    @cached_property
    def broken(self) -> Mapping[tuple[str, str, str], Sequence[str]]:
        """The words of each breach, by rule, scenario and exchange."""
        found: dict[tuple[str, str, str], list[str]] = {}
        for scenario, record in self.scenarios.items():
            for rule, key, words in record["breaches"]:
                found.setdefault((rule, scenario, key), []).append(words)
        return found

    @cached_property
    def broken_in(self) -> frozenset[tuple[str, str]]:
        """Each broken rule with the scenario that met it."""
        return frozenset((rule, scenario) for rule, scenario, _ in self.broken)

    @cached_property
    def exercised(self) -> frozenset[tuple[str, str]]:
        """Each rule with the scenarios that put it to the test."""
        return frozenset(
            (rule, scenario) for scenario, record in self.scenarios.items() for rule in record["exercised"]
        )

    @cached_property
    def judged(self) -> frozenset[tuple[str, str]]:
        """Each scenario with its exchanges."""
        return frozenset((scenario, key) for scenario, record in self.scenarios.items() for key in record["judged"])

    def exchange(self, scenario: str, key: str) -> list[str]:
        """An exchange that broke a rule, in words."""
        told: list[str] = self.scenarios[scenario]["told"][key]
        return told


def fingerprint() -> str:
    """Stands for the harness as it is now."""
    digest = hashlib.sha256()
    for path in sorted({path for pattern in _SOURCES for path in ROOT.glob(pattern)}):
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def trial_of(run: Run, wanted: Set[str], harness: str) -> Trial:
    """The trial of a run for some rules, from the cache as far as it was made; ``harness`` is its fingerprint."""
    kept = cache_folder() / "results" / harness / f"{run.version}-{run.provider}.jsonl"
    if not _has(kept, wanted):
        kept.parent.mkdir(parents=True, exist_ok=True)
        try:
            _make(run, wanted, environment(run.version, run.provider), kept)
        except NoEnvironmentError as error:  # not kept: it may be for want of a network
            return Trial(f"no environment: {error}", {})
    return _read(kept)


def _has(kept: Path, wanted: Set[str]) -> bool:
    """Whether everything has been played that is there for the rules, or nothing can be."""
    return any("failure" in record or wanted <= {*record.get("ended", ())} for record in records(kept))


def _read(path: Path) -> Trial:
    made = [*records(path)]
    played = {record["scenario"]: record for record in made if "scenario" in record}
    failure = next((record[key] for key in ("failure", "gave_up") for record in made if key in record), "")
    return Trial("" if played else failure or "no scenario came to an end", played)


def _make(run: Run, wanted: Set[str], python: Path, kept: Path) -> None:
    """Try the adapter until it has ended, each time without the scenario that it hung in."""
    command = [str(python), "-m", "tests.detection.trial", f"strands/{run.provider}", str(kept), *sorted(wanted)]
    log, until = kept.with_suffix(".log"), time.monotonic() + _TIME_LIMIT
    with log.open("w", encoding="utf-8") as told:
        while time.monotonic() < until and not _has(kept, wanted):
            made = _begun(kept)
            _tell(kept, {})  # what stands there of an earlier trial is not the end of this one
            ended = _attempt(command, kept, told)
            if _begun(kept) == made:  # nothing more will come of it
                break
    if not _has(kept, wanted):
        words = "; ".join(_last_lines(log))
        _tell(kept, {"gave_up": f"{ended}: {words}", "ended": sorted(wanted)})


def _begun(kept: Path) -> int:
    """How many scenarios have been begun."""
    return sum("begins" in record for record in records(kept))


def _attempt(command: list[str], kept: Path, told: IO[str]) -> str:
    """One process, which is killed when it has written nothing for long; how it ended, in words."""
    process = subprocess.Popen(command, cwd=ROOT, env=_variables(), stdout=told, stderr=told, start_new_session=True)
    size, since = -1, time.monotonic()
    try:
        while process.poll() is None and not _over(kept):
            met = kept.stat().st_size if kept.is_file() else 0
            size, since = met, time.monotonic() if met != size else since
            if time.monotonic() - since > _SILENCE_LIMIT:
                return f"nothing came of the trial for {_SILENCE_LIMIT} s"
            with suppress(subprocess.TimeoutExpired):
                process.wait(_POLL)
        return f"the trial ended with status {process.returncode}"
    finally:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_POLL)
        process.kill()
        process.wait()


def _over(kept: Path) -> bool:
    """Whether the last record says that no more will come."""
    if not kept.is_file():
        return False
    with kept.open("rb") as lines:
        lines.seek(max(0, kept.stat().st_size - _LAST_RECORD))
        last = lines.read().rstrip().rpartition(b"\n")[2]
    return last.startswith((b'{"ended"', b'{"failure"'))


def _tell(kept: Path, record: Mapping[str, Any]) -> None:
    with kept.open("a", encoding="utf-8") as told:
        told.write(f"\n{json.dumps(record)}\n")


def _last_lines(log: Path) -> Iterator[str]:
    lines = [line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    yield from lines[-2:]


def _variables() -> dict[str, str]:
    """The same for every trial: only the checkout's modules, no key of the user's, and no price list fetched."""
    fixed = {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    return {**os.environ, **fixed}
