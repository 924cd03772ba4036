"""Cassettes as files: YAML that any user of vcrpy can replay, with keys beside that vcrpy does not read.

The keys ``conformance`` hold what vcrpy has no place for: of the file, where it comes from; of an exchange, the sizes
of the chunks, when they came, and how the response ended.
"""

import http.client
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from harness.cassettes.model import Cassette, CassetteError, End, Interaction, Origin, Provenance, split
from harness.dialects.base import Headers
from harness.recordings.fields import Field, header_pairs
from harness.recordings.model import Malformed
from harness.recordings.yaml_loader import load_yaml
from harness.recordings.yaml_writer import as_written, dump_yaml

SUFFIX: Final = ".yaml"
OURS: Final = "conformance"
_VERSION: Final = 1
_REMEDY: Final = "record it again"


def save(path: Path, cassette: Cassette) -> None:
    """Write a cassette, wholly or not at all: readers find the old file or the new one."""
    text = dump(cassette)
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in path.parent.glob(f".{path.stem}-*.tmp"):  # by a process that was killed
        left.unlink()
    handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        os.replace(name, path)  # noqa: PTH105 - the one call that is atomic, by name
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Have the new name survive a loss of power, where folders can be opened."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def load(path: Path) -> Cassette:
    """Read a cassette. Raises CassetteError."""
    try:
        return parse(path.read_text(encoding="utf-8"))
    except (Malformed, UnicodeDecodeError, OSError) as error:
        raise CassetteError(f"{path}: {error}; {_REMEDY}") from None


def parse(text: str) -> Cassette:
    """A cassette from its text. Raises Malformed."""
    document = Field(load_yaml(text))
    if document.at("version").value != _VERSION:
        raise document.at("version").misfit("1, the version of the format")
    interactions = tuple(_interaction(entry) for entry in document.at("interactions").items())
    return Cassette(_provenance(document.at(OURS)), interactions)


def _provenance(field: Field) -> Provenance:
    values = {name: member.value for name, member in field.members() if name != "sdk"}
    sdk = {name: member.text() for name, member in field.get("sdk").members()}
    try:
        return Provenance(**{**values, "origin": Origin(str(values.get("origin"))), "sdk": sdk})  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise Malformed(f"{OURS}: {error}") from None


def _interaction(entry: Field) -> Interaction:
    asked, answered, ours = entry.at("request"), entry.at("response"), entry.at(OURS)
    body = _octets(answered.at("body").at("string"))
    sizes = [_number(size) for size in ours.at("chunks").items()]
    if sum(sizes) != len(body):
        raise Malformed(f"{ours.place}.chunks: their sizes make {sum(sizes)} bytes, the body has {len(body)}")
    return Interaction(
        asked.at("method").text(),
        asked.at("uri").text(),
        tuple(header_pairs(asked.at("headers"))),
        _octets(asked.get("body")),
        answered.at("status").at("code").status(),
        tuple(header_pairs(answered.at("headers"))),
        split(body, sizes),
        tuple(_seconds(time) for time in ours.get("times").items()) if ours.has("times") else (),
        _end(ours.at("end")),
    )


def _octets(field: Field) -> bytes:
    return b"" if field.value is None else field.octets()


def _number(field: Field) -> int:
    if not isinstance(field.value, int) or field.value < 0:
        raise field.misfit("a number of bytes")
    return field.value


def _seconds(field: Field) -> float:
    if not isinstance(field.value, int | float):
        raise field.misfit("a number of seconds")
    return float(field.value)


def _end(field: Field) -> End:
    try:
        return End(field.text())
    except ValueError:
        raise field.misfit(" or ".join(End)) from None


def dump(cassette: Cassette) -> str:
    """A cassette's text: keys sorted, texts in lines, so that versions can be compared."""
    document = {
        "version": _VERSION,
        "interactions": [_entry(one) for one in cassette.interactions],
        OURS: _told(cassette.provenance),
    }
    return dump_yaml(document, sort_keys=True)


def _told(provenance: Provenance) -> dict[str, Any]:
    values = {**asdict(provenance), "origin": str(provenance.origin), "sdk": dict(provenance.sdk)}
    return {name: value for name, value in values.items() if value not in (None, {})}


def _entry(one: Interaction) -> dict[str, Any]:
    ours: dict[str, Any] = {"chunks": [len(chunk) for chunk in one.chunks], "end": str(one.end)}
    if one.times:
        ours["times"] = [round(time, 3) for time in one.times]
    return {
        "request": {
            "method": one.method,
            "uri": one.uri,
            "headers": _listed(one.request_headers),
            "body": as_written(one.request_body),
        },
        "response": {
            "status": {"code": one.status, "message": http.client.responses.get(one.status, "")},
            "headers": _listed(one.headers),
            "body": {"string": as_written(one.body)},
        },
        OURS: ours,
    }


def _listed(headers: Headers) -> dict[str, list[str]]:
    listed: dict[str, list[str]] = {}
    for name, value in headers:
        listed.setdefault(name, []).append(value)
    return listed


def cassettes_in(folder: Path) -> Mapping[str, Path]:
    """The cassettes of a folder, by the scenario they are named after, in the order of the names."""
    return {path.stem: path for path in sorted(folder.glob(f"*{SUFFIX}")) if not path.name.startswith(".")}
