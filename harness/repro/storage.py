"""Repro files: YAML that people read, with the exchange as it is run again and the bytes as they went over the wire."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, repeat
from pathlib import Path
from typing import Any, Final

from harness.cassettes.model import split
from harness.contract.rules import RULES
from harness.contract.violations import Violation
from harness.dialects.base import Headers, WireRequest
from harness.endpoint.base import Delivery
from harness.exchange import Exchange
from harness.recordings.fields import Field
from harness.recordings.model import Malformed
from harness.recordings.yaml_loader import load_yaml
from harness.recordings.yaml_writer import as_written, dump_yaml
from harness.repro.model import Repro, ReproError, Told
from harness.repro.plain import from_plain, to_plain
from harness.wire.faults import Terminal

SUFFIX: Final = ".yaml"
#: the key by which a repro file is known, and the version of its format
MARK: Final = "repro"
_VERSION: Final = 1
#: no failure needs more, and a reader's memory is finite, in bytes
_LARGEST: Final = 16 * 1024 * 1024
_HEAD: Final = (
    "# A failure of a model-provider adapter. Read it: conformance show FILE. Run it: conformance replay FILE.\n"
)
#: so many chunks of one size, e.g. ``40 x 1``
_RUN: Final = re.compile(r"(\d{1,8}) x (\d{1,8})")
_SHORTEST_RUN: Final = 4


def dump(repro: Repro) -> str:
    """The file's text. Raises NotPlainError for an exchange that plain values cannot stand for."""
    words: Sequence[tuple[str, Any]] = (
        (MARK, _VERSION),
        ("failure", to_plain(repro.violation, Violation)),
        ("provider", repro.provider),
        ("dialect", repro.dialect),
        ("scenario", repro.scenario),
        ("title", repro.title),
        ("versions", dict(repro.versions)),
        ("words", "\n".join(repro.words)),
        ("timeline", "\n".join(repro.timeline)),
        ("exchange", to_plain(repro.exchange, Exchange)),
        ("wire", [_entry(told) for told in repro.told]),
    )
    return _HEAD + dump_yaml(dict(words), sort_keys=False)


def _entry(told: Told) -> dict[str, Any]:
    asked, delivery = told.request, told.delivery
    response = {
        "status": delivery.status,
        "headers": [list(pair) for pair in delivery.headers],
        "body": as_written(b"".join(delivery.chunks)),
        "chunks": list(_runs(delivery.chunks)),
        "then": delivery.terminal.name.lower(),
    }
    unusual = {"gap": delivery.gap, "refused": delivery.refused}
    return {
        "request": {
            "method": asked.method,
            "path": asked.path,
            "headers": [list(pair) for pair in asked.headers],
            "body": as_written(asked.body),
        },
        "response": response | {name: value for name, value in unusual.items() if value},
    }


def _runs(chunks: Sequence[bytes]) -> Iterator[int | str]:
    """The chunks' sizes; many of one size in a row are one entry."""
    for size, group in groupby(map(len, chunks)):
        count = sum(1 for _ in group)
        yield from (f"{count} x {size}",) if count >= _SHORTEST_RUN else repeat(size, count)


def is_repro(path: Path) -> bool:
    """Whether a file calls itself a repro file, in its first lines."""
    with path.open(encoding="utf-8", errors="replace") as file:
        return re.search(rf"^{MARK}:", file.read(4096), re.MULTILINE) is not None


def load(path: Path) -> Repro:
    """Read a file. Raises ReproError, which names the file."""
    try:
        if path.stat().st_size > _LARGEST:
            raise Malformed(f"larger than {_LARGEST // 1024**2} MiB")
        return parse(path.read_text(encoding="utf-8"))
    except Malformed as error:
        raise ReproError(f"{path}: {error}") from None
    except (UnicodeDecodeError, OSError) as error:
        raise ReproError(f"{path}: cannot be read: {error}") from None


def parse(text: str) -> Repro:
    """A repro from its text. Raises Malformed."""
    document = Field(load_yaml(text))
    if not document.has(MARK):
        raise Malformed(f"no repro file: it has no {MARK!r}")
    if document.at(MARK).value != _VERSION:
        raise Malformed(f"format {document.at(MARK).value!r} of another version; this one reads format {_VERSION}")
    head = from_plain(Field({name: document.get(name).value for name in _HEADED if document.has(name)}), _Head)
    if head.failure.rule not in RULES:
        raise Malformed(f"failure.rule: there is no rule {head.failure.rule!r}; its versions: {dict(head.versions)}")
    told = tuple(_told(entry) for entry in document.at("wire").items())
    return Repro(
        head.failure,
        head.provider,
        head.dialect,
        head.scenario,
        head.title,
        told,
        from_plain(document.get("exchange"), Exchange | None),
        tuple(head.words.splitlines()),
        tuple(head.timeline.splitlines()),
        head.versions,
    )


@dataclass(frozen=True, slots=True)
class _Head:
    """What a file says besides the exchange."""

    failure: Violation
    provider: str
    dialect: str
    scenario: str
    title: str
    versions: Mapping[str, str]
    words: str
    timeline: str


_HEADED: Final = tuple(_Head.__annotations__)


def _told(entry: Field) -> Told:
    asked, answered = entry.at("request"), entry.at("response")
    request = WireRequest(
        asked.at("method").text(), asked.at("path").text(), _headers(asked.at("headers")), _octets(asked.at("body"))
    )
    body = _octets(answered.at("body"))
    return Told(
        request,
        Delivery(
            answered.at("status").status(),
            _headers(answered.at("headers")),
            _cut(body, answered.at("chunks")),
            _terminal(answered.at("then")),
            from_plain(answered.get("gap"), float) if answered.has("gap") else 0.0,
            from_plain(answered.get("refused"), bool) if answered.has("refused") else False,
        ),
    )


def _headers(field: Field) -> Headers:
    headers: Headers = from_plain(field, Headers)
    return headers


def _octets(field: Field) -> bytes:
    return field.octets()


def _terminal(field: Field) -> Terminal:
    try:
        return Terminal[field.text().upper()]
    except KeyError:
        raise field.misfit(f"one of {', '.join(each.name.lower() for each in Terminal)}") from None


def _cut(body: bytes, field: Field) -> tuple[bytes, ...]:
    sizes = list(chain.from_iterable(map(_sizes, field.items())))
    if sum(sizes) != len(body):
        raise Malformed(f"{field.place}: their sizes make {sum(sizes)} bytes, the body has {len(body)}")
    return split(body, sizes)


def _sizes(field: Field) -> Iterator[int]:
    run = _RUN.fullmatch(field.value) if isinstance(field.value, str) else None
    count, size = (int(run[1]), int(run[2])) if run else (1, field.value)
    if not isinstance(size, int) or isinstance(size, bool) or size < 1 or count * size > _LARGEST:
        raise field.misfit("a number of bytes, or a run such as 40 x 1")
    return repeat(size, count)
