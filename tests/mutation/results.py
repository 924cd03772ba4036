"""Results, kept outside of the checkout as long as the code is the same: a bench that was stopped goes on."""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from tests.mutation.suite import ROOT

#: ``no_effect``: nothing that the adapter does in the whole suite is changed by it
Outcome = Literal["killed", "survived", "no_effect"]

_SOURCES: Final = ("harness/**/*.py", "harness/**/*.toml", "providers/**/*.py", "tests/miniatures/*.py")
#: of the benches themselves, what results depend on
_OWN: Final = tuple(f"tests/mutation/{name}.py" for name in ("suite", "shadows", "mutant", "said", "asked", "failed"))


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one mutant. ``rule`` and ``case`` killed it; an endless process is told by ``met``."""

    provider: str
    mutant: str
    kind: str
    title: str
    outcome: Outcome
    rule: str = ""
    case: str = ""
    level: str = ""
    met: str = ""
    seconds: float = 0.0


def cache_folder() -> Path:
    """Where results are kept."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "provider-conformance" / "mutation"


@cache
def fingerprint() -> str:
    """Stands for the code as it is now."""
    digest = hashlib.sha256()
    for path in sorted({path for pattern in (*_SOURCES, *_OWN) for path in ROOT.glob(pattern)}):
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _place(provider: str, mutant: str) -> Path:
    return cache_folder() / f"{hashlib.sha256(f'{provider} {mutant}'.encode()).hexdigest()[:24]}.json"


def _kept(provider: str, mutant: str) -> Mapping[str, Any]:
    place = _place(provider, mutant)
    return json.loads(place.read_text(encoding="utf-8")) if place.is_file() else {}


def recall(provider: str, mutant: str) -> Any:
    """What was kept about a mutant of the code as it is now; None where nothing was."""
    kept = _kept(provider, mutant)
    return kept["value"] if kept.get("code") == fingerprint() else None


def keep(provider: str, mutant: str, value: Any) -> None:
    """Keep it, whole or not at all."""
    place = _place(provider, mutant)
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_suffix(f".{os.getpid()}")
    part.write_text(json.dumps({"code": fingerprint(), "value": value}), encoding="utf-8")
    part.replace(place)


def recalled(provider: str, mutant: str) -> Result | None:
    """The result of a mutant, where it is kept."""
    value = recall(provider, mutant)
    return None if value is None else Result(**value)


def hint(provider: str, mutant: str) -> str:
    """The case that killed a mutant when it was last tried, whatever the code was then."""
    value: Mapping[str, Any] = _kept(provider, mutant).get("value", {})
    return str(value.get("case", ""))


def kept(result: Result) -> Result:
    """The same result, once it is kept."""
    keep(result.provider, result.mutant, asdict(result))
    return result


def as_json(results: Iterable[Result]) -> list[dict[str, Any]]:
    """All results, in the order of providers and mutants."""
    return [asdict(each) for each in sorted(results, key=lambda each: (each.provider, each.kind, each.mutant))]
