"""The corpus manifest: what is known of each recording, counted independently of our importer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class ManifestExchange:
    """One exchange of a recording.

    Attributes:
        kind: json, sse, eventstream, ndjson, json-array-stream, or sse-payload-lines (framing lost).
        chunks: number of SSE events that carry data, [DONE] left out; frames or lines of the other kinds.
        wire_chunks: number of reads, where the format keeps them.
        body_bytes: size of the body as the file keeps it, decoded.
        status: None where the format keeps none.
    """

    index: int
    method: str | None
    api: str | None
    status: int | None
    model: str | None
    kind: str
    chunks: int
    wire_chunks: int | None
    body_bytes: int
    content_type: str | None
    finish: tuple[str, ...]
    tool_calls: int
    features: frozenset[str]
    sse_done: bool | None
    body_scrubbed: bool


@dataclass(frozen=True, slots=True)
class ManifestRow:
    """One recording; `path` is relative to the manifest's folder."""

    path: str
    protocol: str
    format: str
    streaming: bool
    features: frozenset[str]
    exchanges: tuple[ManifestExchange, ...]


def read_manifest(path: Path) -> list[ManifestRow]:
    """The rows of a manifest, in its order."""
    with path.open(encoding="utf-8") as lines:
        return [_row(json.loads(line)) for line in lines]


def _row(raw: dict[str, Any]) -> ManifestRow:
    return ManifestRow(
        path=raw["path"],
        protocol=raw["protocol"],
        format=raw["format"],
        streaming=raw["streaming"],
        features=frozenset(raw["features"]),
        exchanges=tuple(map(_exchange, raw["exchanges"])),
    )


def _exchange(raw: dict[str, Any]) -> ManifestExchange:
    plain = ("method", "api", "status", "model", "kind", "chunks", "wire_chunks", "body_bytes", "content_type")
    return ManifestExchange(
        index=raw["i"],
        finish=tuple(raw["finish"]),
        tool_calls=raw["tool_calls"],
        features=frozenset(raw["features"]),
        sse_done=raw["sse_done"],
        body_scrubbed=raw["body_scrubbed"],
        **{name: raw[name] for name in plain},
    )
