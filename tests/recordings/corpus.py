"""The recorded corpus as exchanges, for every test that wants real provider traffic.

    for found in exchanges(["anthropic-messages"]):
        found.row.path, found.entry.kind, found.exchange.response.body

Tests that use it are marked `needs_shared` (tests/shared.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from harness.recordings import RecordedExchange, read_recording
from tests.recordings.manifest import ManifestExchange, ManifestRow, read_manifest
from tests.shared import SHARED

CORPUS = SHARED / "corpus"


@dataclass(frozen=True, slots=True)
class CorpusExchange:
    """An exchange with what the manifest says of its file (`row`) and of itself (`entry`)."""

    row: ManifestRow
    index: int
    exchange: RecordedExchange

    @property
    def entry(self) -> ManifestExchange:
        """The manifest's facts about this exchange."""
        return self.row.exchanges[self.index]

    @property
    def name(self) -> str:
        """A stable name for test ids and messages."""
        return f"{self.row.path}#{self.index}"


@cache
def rows() -> tuple[ManifestRow, ...]:
    """All rows of the manifest, sorted by path; none when the corpus is absent (for collection time)."""
    path = CORPUS / "MANIFEST.jsonl"
    return tuple(sorted(read_manifest(path), key=lambda row: row.path)) if path.is_file() else ()


@cache
def recording(path: str) -> tuple[RecordedExchange, ...]:
    """The exchanges of one file of the corpus, by its path in the manifest; read once a process."""
    return tuple(read_recording(CORPUS / path))


def exchanges(protocols: Iterable[str]) -> Iterator[CorpusExchange]:
    """Every exchange of these protocols, by path and then in the file's order."""
    wanted = frozenset(protocols)
    for row in rows():
        if row.protocol in wanted:
            for exchange in recording(row.path):
                yield CorpusExchange(row, exchange.index, exchange)
