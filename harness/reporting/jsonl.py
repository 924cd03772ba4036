"""Run events on disk: one JSON line each, readable at any moment of the run."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from harness.reporting.events import BrokenReportError, Event, RunFinished, RunStarted, from_json


class RunWriter:
    """Writes events as they happen.

    An older report at ``path`` stays until the first event is safely written, then is replaced at once. After that
    each line is flushed: a crash loses at most the line being written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None

    def write(self, event: Event) -> None:
        """Append one event. Raises OSError."""
        line = event.to_json().encode() + b"\n"
        if self._file is None:
            self._file = self._start(line)
        else:
            self._file.write(line)
            self._file.flush()

    def _start(self, line: bytes) -> BinaryIO:
        replace_file(self._path, line)
        return self._path.open("ab")

    def close(self) -> None:
        """Close the file; nothing is left to flush."""
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def replace_file(path: Path, content: bytes) -> None:
    """Write a file so that readers see the old one or the new one, whole. Folders are made. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        fresh.write_bytes(content)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """The events of one run; ``partial`` when the run did not come to its end."""

    events: tuple[Event, ...]
    partial: bool


def read_run(path: Path) -> RecordedRun:
    """The run that a file holds. A last line that was cut off is left out, and marks the run partial.

    Raises BrokenReportError, naming file and line, for anything else that is not a run event; OSError.
    """
    *lines, rest = path.read_bytes().split(b"\n")
    events = [_event(path, number, line) for number, line in enumerate(lines, 1)]
    events += _unended(rest)
    if not events or not isinstance(events[0], RunStarted):
        raise BrokenReportError(f"{path}:1: a report begins with run_started")
    return RecordedRun(tuple(events), partial=not isinstance(events[-1], RunFinished))


def _event(path: Path, number: int, line: bytes) -> Event:
    try:
        return from_json(line)
    except BrokenReportError as error:
        raise BrokenReportError(f"{path}:{number}: {error}") from None


def _unended(line: bytes) -> Iterator[Event]:
    """The event of a line without a line end, unless the line was cut off."""
    try:
        yield from_json(line)
    except BrokenReportError:
        return
