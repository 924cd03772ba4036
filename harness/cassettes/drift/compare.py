"""Two recordings side by side: each change, who else knows of it, and how much it matters."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path as File
from typing import Final

from harness.cassettes.drift.dialect import spoken
from harness.cassettes.drift.inventory import Inventory, Path, shown
from harness.cassettes.drift.sdk import knows
from harness.cassettes.model import Cassette, CassetteError
from harness.cassettes.storage import SUFFIX, load
from harness.discovery import find


class Severity(IntEnum):
    """How much a change matters."""

    LOW = 1  # somebody else knows of it, or it is the caller's own
    MEDIUM = 2  # nobody else knows of it, but readers may pass over it
    HIGH = 3  # something that readers may count on is gone or different, or ends in a way that nobody knows


@dataclass(frozen=True, slots=True)
class Change:
    """One change. ``sdk`` and ``dialect`` say whether they know of it; None where they are not asked."""

    severity: Severity
    what: str
    where: str
    old: str
    new: str
    sdk: bool | None = None
    dialect: bool | None = None

    def __str__(self) -> str:
        return f"{self.severity.name.lower()}: {self.what}: {self.where}, {self.old} before, {self.new} now"


Recordings = Mapping[str, Cassette]


def read(place: File) -> dict[str, Cassette]:
    """The cassettes of a file, or of a folder and the folders in it, by their names. Raises CassetteError."""
    if place.is_file():
        return {"": load(place)}
    found = {str(path.relative_to(place)): load(path) for path in sorted(place.rglob(f"*{SUFFIX}"))}
    if not found:
        raise CassetteError(f"{place} holds no cassettes")
    return found


def compare(old: Recordings, new: Recordings) -> list[Change]:
    """What has changed, the gravest first. Recordings of a provider are taken together, but for their order."""
    changes = [*_files(old, new)]
    common = old.keys() & new.keys()
    for provider in sorted({old[name].provenance.provider for name in common}):
        names = sorted(name for name in common if old[name].provenance.provider == provider)
        before, after = (_inventory({name: side[name] for name in names}) for side in (old, new))
        changes += _of_provider(find([provider])[0].dialect, before, after)
    return sorted(changes, key=lambda change: -change.severity)


def _files(old: Recordings, new: Recordings) -> Iterator[Change]:
    yield from (
        Change(Severity.LOW, "recording vanished", name, "there", "–") for name in sorted(old.keys() - new.keys())
    )
    yield from (Change(Severity.LOW, "recording added", name, "–", "there") for name in sorted(new.keys() - old.keys()))


def _inventory(cassettes: Recordings) -> Inventory:
    made = Inventory()
    for name, cassette in cassettes.items():
        made.add(name or cassette.provenance.scenario, cassette.interactions)
    return made


def _of_provider(dialect: str, old: Inventory, new: Inventory) -> Iterator[Change]:
    said = spoken(dialect)
    yield from _kinds(old, new, said)
    yield from _fields(dialect, old, new, said)
    yield from _words(old, new, said)
    yield from _order(old, new)
    yield from _requests(old, new)


def _kinds(old: Inventory, new: Inventory, said: Inventory) -> Iterator[Change]:
    for kind in sorted(old.kinds - new.kinds):
        yield Change(Severity.HIGH, "event vanished", kind, "there", "–", None, kind in said.kinds)
    for kind in sorted(new.kinds - old.kinds):
        known = kind in said.kinds
        yield Change(Severity.LOW if known else Severity.MEDIUM, "event added", kind, "–", "there", None, known)


def _fields(dialect: str, old: Inventory, new: Inventory, said: Inventory) -> Iterator[Change]:
    for path in _tops(old.fields.keys() - new.fields.keys()):
        known = path in said.fields
        yield Change(Severity.HIGH, "field vanished", shown(path), _types(old, path), "–", knows(dialect, path), known)
    for path in _tops(new.fields.keys() - old.fields.keys()):
        sdk, known = knows(dialect, path), path in said.fields
        severity = Severity.LOW if sdk or known else Severity.MEDIUM
        yield Change(severity, "field added", shown(path), "–", _types(new, path), sdk, known)
    for path in sorted(old.fields.keys() & new.fields.keys()):
        if strange := new.fields[path] - old.fields[path]:
            known = strange <= said.fields.get(path, set())
            severity = Severity.LOW if known or strange == {"null"} else Severity.HIGH
            told = knows(dialect, path)
            yield Change(severity, "type changed", shown(path), _types(old, path), _types(new, path), told, known)


def _tops(paths: Iterable[Path]) -> list[Path]:
    """The paths that are not below another of them."""
    known = set(paths)
    return sorted(path for path in known if not any(path[:size] in known for size in range(1, len(path))))


def _types(inventory: Inventory, path: Path) -> str:
    return " or ".join(sorted(inventory.fields[path]))


def _words(old: Inventory, new: Inventory, said: Inventory) -> Iterator[Change]:
    for path in sorted(old.words.keys() & new.words.keys()):
        for word in sorted(new.words[path] - old.words[path]):
            known = word in said.words.get(path, set())
            yield Change(Severity.LOW if known else Severity.HIGH, "word added", shown(path), "–", word, None, known)
        for word in sorted(old.words[path] - new.words[path]):
            known = word in said.words.get(path, set())
            yield Change(Severity.MEDIUM, "word vanished", shown(path), word, "–", None, known)


def _order(old: Inventory, new: Inventory) -> Iterator[Change]:
    """Scenarios whose first events of each kind come in another order."""
    for name in sorted(old.order.keys() & new.order.keys()):
        before, after = (list(dict.fromkeys(side.order[name])) for side in (old, new))
        both = set(before) & set(after)
        one, other = ([kind for kind in kinds if kind in both] for kinds in (before, after))
        if one != other:
            yield Change(Severity.MEDIUM, "order changed", name, _ARROW.join(one), _ARROW.join(other))


_ARROW: Final = " → "


def _requests(old: Inventory, new: Inventory) -> Iterator[Change]:
    for path in _tops(old.requests.keys() - new.requests.keys()):
        yield Change(Severity.LOW, "request without", shown(path), " or ".join(sorted(old.requests[path])), "–")
    for path in _tops(new.requests.keys() - old.requests.keys()):
        yield Change(Severity.LOW, "request with", shown(path), "–", " or ".join(sorted(new.requests[path])))
