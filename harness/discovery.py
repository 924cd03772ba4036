"""Find the records of adapters: shipped ones by name, others by entry point or by ``module:ATTRIBUTE``."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module, metadata
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Final

from harness.provider import Provider

GROUP: Final = "harness.providers"
ALL: Final = "all"

_SHIPPED: Final = Path(__file__).resolve().parent.parent / "providers"
_BRIDGES: Final = Path(__file__).resolve().parent / "bridges"


class UnknownProviderError(LookupError):
    """A provider that cannot be found or loaded: its name, why, and the remedy."""


def shipped() -> tuple[str, ...]:
    """Names of the adapters that come with the harness, from their folders; nothing is imported."""
    return tuple(sorted(folder.parent.name for folder in _SHIPPED.glob("[a-z]*/__init__.py")))


def _plugged() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def frameworks() -> tuple[str, ...]:
    """Frameworks whose own adapters the harness runs, as ``framework/adapter``; nothing is imported."""
    return tuple(sorted(folder.parent.name for folder in _BRIDGES.glob("[a-z]*/__init__.py")))


def foreign(framework: str) -> Mapping[str, Provider]:
    """The records of a framework's own adapters, by name."""
    records: Mapping[str, Provider] = import_module(f"harness.bridges.{framework}").PROVIDERS
    return records


def names() -> tuple[str, ...]:
    """All names that ``--provider`` takes, apart from ``all`` and ``module:ATTRIBUTE``."""
    return tuple(sorted({*shipped(), *_plugged()}))


def every_name() -> tuple[str, ...]:
    """``names``, and those of the frameworks' adapters."""
    bridged = (f"{framework}/{name}" for framework in frameworks() for name in foreign(framework))
    return (*names(), *bridged)


def find(wanted: Iterable[str]) -> list[Provider]:
    """The providers asked for.

    Each value may be a name, ``module:ATTRIBUTE``, ``all``, a framework's ``framework/adapter`` or ``framework/all``,
    or several of these joined by commas.

    Raises UnknownProviderError, which lists the names there are.
    """
    asked = [name.strip() for value in wanted for name in value.split(",") if name.strip()]
    if not asked:
        raise UnknownProviderError(f"--provider names no provider. There are: {', '.join(names())}, {ALL}")
    found = [provider for name in dict.fromkeys(_expanded(asked)) for provider in _load(name)]
    return list({provider.name: provider for provider in found}.values())


def _expanded(asked: Iterable[str]) -> Iterator[str]:
    for name in asked:
        yield from names() if name == ALL else (name,)


def _load(name: str) -> Iterator[Provider]:
    if ":" in name:
        yield from _attribute(name)
    elif name in _plugged():
        yield from _records(_entry(_plugged()[name]), name)
    elif name in shipped():
        yield from _records(_shipped_module(name).PROVIDER, name)
    elif name.partition("/")[0] in frameworks():
        yield from _of_framework(name)
    else:
        bridged = "".join(f", {framework}/…" for framework in frameworks())
        raise UnknownProviderError(
            f"unknown provider {name!r}{_near(name, names())}. There are: {', '.join(names())}, {ALL}{bridged}; "
            f"or give module:ATTRIBUTE"
        )


def _near(name: str, there: Iterable[str]) -> str:
    """What may have been meant."""
    near = get_close_matches(name, [*there], 1)
    return f" (did you mean {near[0]}?)" if near else ""


def _entry(entry: EntryPoint) -> object:
    try:
        return entry.load()
    except Exception as error:  # whatever another package raises
        told = f"{type(error).__name__}: {error}"
        raise UnknownProviderError(
            f"provider {entry.name!r}, announced by {_distribution(entry)}: cannot load {entry.value!r}: {told}"
        ) from error


def announcer(name: str) -> str | None:
    """The package that announces an adapter under the group of entry points, with its version."""
    entry = _plugged().get(name)
    return _distribution(entry) if entry is not None else None


def _distribution(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else "a package"


def _of_framework(name: str) -> Iterator[Provider]:
    framework, _, adapter = name.partition("/")
    records = foreign(framework)
    if adapter != ALL and adapter not in records:
        there = ", ".join(f"{framework}/{known}" for known in (*records, ALL))
        raise UnknownProviderError(f"unknown provider {name!r}{_near(adapter, records)}. There are: {there}")
    yield from records.values() if adapter == ALL else (records[adapter],)


def _shipped_module(name: str) -> Any:
    module = import_module(f"providers.{name}") if _is_ours() else None
    if module is None:
        met = getattr(sys.modules["providers"], "__path__", ["?"])
        raise UnknownProviderError(
            f"provider {name!r} is shipped in the package 'providers' in {_SHIPPED.parent}, but another package of "
            f"that name comes first: {next(iter(met), '?')}. Run from another directory, or install the harness first"
        )
    return module


def _is_ours() -> bool:
    package = import_module("providers")
    return _SHIPPED in [Path(place).resolve() for place in package.__path__]


def _attribute(name: str) -> Iterator[Provider]:
    module_name, _, attribute = name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        module = import_module(module_name)
    except Exception as error:  # whatever a module of the user's own raises
        told = f"{type(error).__name__}: {error}"
        raise UnknownProviderError(f"provider {name!r}: cannot import {module_name!r}: {told}") from error
    if not hasattr(module, attribute or "PROVIDER"):
        raise UnknownProviderError(f"provider {name!r}: module {module_name!r} has no attribute {attribute!r}")
    yield from _records(getattr(module, attribute or "PROVIDER"), name)


def _records(value: object, name: str) -> Iterator[Provider]:
    """One record, or several in a list or tuple."""
    for record in value if isinstance(value, list | tuple) else (value,):
        if not isinstance(record, Provider):
            raise UnknownProviderError(f"provider {name!r}: expected a harness.provider.Provider, met {record!r}")
        yield record


def missing(provider: Provider) -> list[str]:
    """Distributions that the adapter needs and that are not installed."""
    return [name for name in provider.requires if not _installed(name)]


def _installed(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def versions(provider: Provider) -> dict[str, str]:
    """Installed versions of the distributions that the adapter needs."""
    return {name: version for name in provider.requires if (version := _installed(name)) is not None}


def remedy(provider: Provider) -> str:
    """The command that installs what is missing."""
    what = f"'provider-conformance[{provider.extra}]'" if provider.extra else " ".join(missing(provider))
    return f"pip install {what}"
