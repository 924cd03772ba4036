"""Cassettes judged as files: whole, true to the wire, free of secrets, and not too old."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from harness.cassettes.model import Cassette, CassetteError
from harness.cassettes.reading import leaks, untrue
from harness.cassettes.scrub import Scrubber, Secrets
from harness.cassettes.service import secret_values
from harness.cassettes.storage import SUFFIX, load
from harness.dialects import load_dialect
from harness.discovery import UnknownProviderError, find
from harness.provider import Provider


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in one file; ``cassette`` is None where it cannot be read."""

    path: Path
    cassette: Cassette | None
    problems: tuple[str, ...]
    old: bool = False


def check_folder(
    folder: Path,
    max_age: timedelta | None = None,
    now: datetime | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Iterator[Checked]:
    """Every cassette in a folder and the folders in it."""
    for path in sorted(folder.rglob(f"*{SUFFIX}")):
        yield check_file(path, max_age, now or datetime.now(UTC), environment)


def check_file(path: Path, max_age: timedelta | None, now: datetime, environment: Mapping[str, str]) -> Checked:
    """One cassette. Values of the environment's keys are looked for too."""
    try:
        cassette = load(path)
    except CassetteError as error:
        return Checked(path, None, (str(error),))
    provider = _provider(cassette.provenance.provider)
    values = secret_values(provider, environment) if provider is not None else ()
    problems = [*leaks(cassette, Scrubber(Secrets(values)))]
    problems += _in_text(path, values)
    if provider is not None:
        problems += untrue(cassette, load_dialect(provider.dialect))
    return Checked(path, cassette, tuple(problems), max_age is not None and _is_old(cassette, max_age, now))


def _in_text(path: Path, values: tuple[str, ...]) -> Iterator[str]:
    """What the file says anywhere, also outside the exchanges."""
    text = path.read_text(encoding="utf-8")
    yield from ("the file holds the value of a key of this environment" for value in values if value in text)


def _provider(name: str) -> Provider | None:
    try:
        return find([name])[0]
    except UnknownProviderError:
        return None


def _is_old(cassette: Cassette, max_age: timedelta, now: datetime) -> bool:
    recorded = cassette.provenance.recorded
    return recorded is None or now - datetime.fromisoformat(recorded) > max_age
