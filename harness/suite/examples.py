"""Failing examples that are kept, and shared among machines, by hypothesis's own databases.

With such a database every run draws examples of its own, after it has tried again what failed anywhere.
"""

import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from hypothesis import settings
from hypothesis.database import (
    DirectoryBasedExampleDatabase,
    ExampleDatabase,
    GitHubArtifactDatabase,
    MultiplexedDatabase,
    ReadOnlyDatabase,
)
from hypothesis.errors import HypothesisWarning

_REDIS: Final = ("redis", "rediss", "unix")
_GITHUB: Final = re.compile(r"github:([\w.-]+)/([\w.-]+)")
_PREFIX: Final = b"provider-conformance:"
#: how long the database may take to answer, in seconds
_PATIENCE: Final = 10.0
_USER: Final = re.compile(r"(\w://)[^/@\s]*@")


class ExamplesError(ValueError):
    """A database that cannot be used: which one, and why."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Where failing examples are kept. ``hosts`` must be reached for it.

    ``shares`` is the number of machines that draw for the same properties: each draws its part.
    """

    database: ExampleDatabase
    hosts: frozenset[str] = frozenset()
    shares: int = 1

    @property
    def count(self) -> int:
        """How many examples are drawn here."""
        return ceil(settings().max_examples / self.shares)


def examples_of(told: Sequence[str], shares: int) -> Examples | None:
    """The databases that are named, asked one after the other; None where there is none. Raises ExamplesError."""
    if not told:
        return None
    found = [_database(text) for text in told]
    database = found[0] if len(found) == 1 else MultiplexedDatabase(*found)
    return Examples(database, frozenset(_hosts(told)), shares)


def _hosts(told: Iterable[str]) -> Iterable[str]:
    return (host for text in told if (host := urlsplit(text).hostname) and text.startswith(_REDIS))


def _database(text: str) -> ExampleDatabase:
    if urlsplit(text).scheme in _REDIS:
        return _redis(text)
    if github := _GITHUB.fullmatch(text):
        return _github(text, *github.groups())
    if "://" in text or text.startswith("github:"):
        raise ExamplesError(f"{hidden(text)}: takes redis://HOST, github:OWNER/REPO, or a folder")
    return DirectoryBasedExampleDatabase(Path(text))


def _redis(url: str) -> ExampleDatabase:
    try:
        from hypothesis.extra.redis import RedisExampleDatabase
        from redis import Redis, RedisError
    except ImportError:
        raise ExamplesError(f"{hidden(url)}: needs pip install 'provider-conformance[redis]'") from None
    try:
        client: Any = Redis.from_url(url, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE)
        client.ping()
    except (RedisError, ValueError) as error:
        raise ExamplesError(f"{hidden(url)}: {hidden(str(error))}") from None
    return RedisExampleDatabase(client, key_prefix=_PREFIX)


def _github(text: str, owner: str, repository: str) -> ExampleDatabase:
    """An artifact of the repository's last builds, which is only read; it is fetched at once, or taken from before."""
    database = GitHubArtifactDatabase(owner, repository)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        list(database.fetch(b""))
    for warning in told:
        if issubclass(warning.category, HypothesisWarning):
            raise ExamplesError(f"{text}: {warning.message}")
    return ReadOnlyDatabase(database)


def hidden(text: str) -> str:
    """A text in which addresses tell no user and no password."""
    return _USER.sub(r"\1…@", text)
