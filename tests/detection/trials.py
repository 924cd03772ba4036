"""Trials of adapters, each in the environment of its version; kept in the cache as long as the harness is the same."""

import hashlib
import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from tests.detection.bugs import Run
from tests.detection.environments import ROOT, NoEnvironmentError, cache_folder, environment

_TIME_LIMIT: Final = 900
#: what a result depends on, beside the version
_SOURCES: Final = ("harness/**/*.py", "harness/**/*.toml", "tests/detection/trial.py", "providers/bedrock/*.py")


@dataclass(frozen=True)
class Trial:
    """What one adapter of one version did. ``failure`` says why there is nothing to tell."""

    failure: str
    scenarios: Mapping[str, Mapping[str, Any]]

    @cached_property
    def broken(self) -> Mapping[tuple[str, str, str], str]:
        """The words of each breach, by rule, scenario and exchange."""
        return {
            (rule, scenario, key): words
            for scenario, record in self.scenarios.items()
            for rule, key, words in record["breaches"]
        }

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


def trial_of(run: Run, harness: str) -> Trial:
    """The trial of a run, from the cache where it was made before; ``harness`` is its fingerprint."""
    name = f"{run.version}-{run.provider}"
    kept = cache_folder() / "results" / harness / f"{name}.json"
    if not kept.is_file():
        kept.parent.mkdir(parents=True, exist_ok=True)
        try:
            _make(run, environment(run.version), kept)
        except NoEnvironmentError as error:  # not kept: it may be for want of a network
            return Trial(f"no environment: {error}", {})
    return _read(kept)


def _read(path: Path) -> Trial:
    made = json.loads(path.read_text(encoding="utf-8"))
    return Trial(made.get("failure", ""), {record["scenario"]: record for record in made.get("scenarios", ())})


def _make(run: Run, python: Path, kept: Path) -> None:
    """Try the adapter, and keep what came of it, be it a failure."""
    part, log = kept.with_suffix(".part"), kept.with_suffix(".log")
    command = [str(python), "-m", "tests.detection.trial", f"strands/{run.provider}", str(part)]
    with log.open("w", encoding="utf-8") as told:
        try:
            done = subprocess.run(
                command, cwd=ROOT, env=_variables(), stdout=told, stderr=told, timeout=_TIME_LIMIT, check=False
            )
            ended = f"the trial ended with status {done.returncode}"
        except subprocess.TimeoutExpired:
            ended = f"the trial took more than {_TIME_LIMIT} s"
    if not part.is_file():
        words = "; ".join(list(_last_lines(log)))
        part.write_text(json.dumps({"failure": f"{ended}: {words}"}), encoding="utf-8")
    part.replace(kept)


def _last_lines(log: Path) -> Iterator[str]:
    lines = [line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    yield from lines[-2:]


def _variables() -> dict[str, str]:
    """The same for every trial: only the checkout's modules, no key of the user's, and no price list fetched."""
    fixed = {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    return {**os.environ, **fixed}
