"""The file itself: read within bounds, unzipped, and parsed at most once."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from harness.recordings.fields import Field
from harness.recordings.model import Malformed
from harness.recordings.yaml_loader import load_yaml

MAX_BYTES = 64 * 1024 * 1024
GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True)
class Source:
    """A recording's name and its bytes, gzip undone."""

    name: str
    data: bytes

    @cached_property
    def document(self) -> Field:
        """The file parsed as JSON when it opens like JSON, as YAML otherwise. Raises Malformed."""
        text = _decoded(self.data)
        return Field(load_json(text) if text.lstrip()[:1] in ("{", "[") else load_yaml(text))

    @cached_property
    def lines(self) -> list[bytes]:
        """The lines that are not blank. Only LF ends a line: JSON text may hold U+2028."""
        return [line for line in self.data.split(b"\n") if line.strip()]


def open_source(path: Path) -> Source:
    """Read a file of at most MAX_BYTES, zipped or not. Raises Malformed."""
    try:
        with path.open("rb") as file:
            data = _within_bound(file.read(MAX_BYTES + 1), "the file")
    except OSError as error:
        raise Malformed(f"cannot be opened ({error.strerror})", "check the path") from None
    data = gunzip(data, "the file") if data.startswith(GZIP_MAGIC) else data
    if not data.strip():
        raise Malformed("the file is empty")
    return Source(path.name, data)


def gunzip(data: bytes, what: str) -> bytes:
    """Decompress to at most MAX_BYTES; `what` names it in an error. Raises Malformed."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            return _within_bound(file.read(MAX_BYTES + 1), f"{what}, decompressed,")
    except (OSError, EOFError, zlib.error) as error:
        raise Malformed(f"{what} is damaged gzip ({error})") from None


def load_json(text: str | bytes) -> object:
    """Parse one JSON text. Raises Malformed with line and column."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise Malformed(f"not readable as JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except (ValueError, RecursionError) as error:
        raise Malformed(f"not readable as JSON: {error}") from None


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Malformed(f"neither text nor any known recording: byte {error.start} is not UTF-8") from None


def _within_bound(data: bytes, what: str) -> bytes:
    if len(data) > MAX_BYTES:
        raise Malformed(f"{what} is larger than {MAX_BYTES} bytes", "split it, one exchange a file")
    return data
