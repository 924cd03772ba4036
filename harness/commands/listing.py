"""``conformance list``: the adapters there are, what they claim, and which of their SDKs are installed."""

import argparse
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from textwrap import wrap
from typing import Any, Final

from harness.contract.capabilities import Capabilities
from harness.discovery import (
    UnknownProviderError,
    announcer,
    find,
    foreign,
    frameworks,
    missing,
    names,
    remedy,
    versions,
)
from harness.provider import Provider

WIDTH: Final = 80
_NAME: Final = 18
_LABEL: Final = 14


def add(commands: Any) -> None:
    """Add the parser."""
    parser = commands.add_parser("list", help="the adapters there are, what they claim, and their SDKs")
    parser.add_argument("names", metavar="NAME", nargs="*", help="as --provider takes them; all that are found without")
    parser.set_defaults(command=_list)


def _list(options: argparse.Namespace) -> None:
    told = _asked(options.names) if options.names else _everything()
    for line in told:
        print(line)


def _asked(wanted: Iterable[str]) -> Iterator[str]:
    for provider in find(wanted):
        yield from _described(provider)


def _everything() -> Iterator[str]:
    for name in names():
        yield from _found(name)
    yield ""
    yield "other frameworks' adapters, as they are installed:"
    for framework in frameworks():
        yield from _framework(framework, foreign(framework))


def _found(name: str) -> Iterator[str]:
    """An adapter, or why there is none: one broken package must not hide the others."""
    try:
        for provider in find([name]):
            yield from _described(provider)
    except UnknownProviderError as error:
        yield from _labelled(name, "broken:", str(error))


def _described(provider: Provider) -> Iterator[str]:
    yield f"{provider.name:<{_NAME - 1}} {provider.dialect:<20} {_sdks(provider)}"
    if missing(provider):
        yield from _labelled("", "to install:", remedy(provider))
    if package := announcer(provider.name):
        yield from _labelled("", "announced by:", package)
    yield from _labelled("", "profiles:", ", ".join(provider.capabilities.profiles))
    yield from _labelled("", "capabilities:", ", ".join(_capabilities(provider.capabilities)))


def _sdks(provider: Provider) -> str:
    absent = [f"{name} is not installed" for name in missing(provider)]
    return ", ".join([*(f"{name} {version}" for name, version in versions(provider).items()), *absent])


def _capabilities(capabilities: Capabilities) -> Iterator[str]:
    """Every flag that is set, with its value where it is no mere yes."""
    for name, value in asdict(capabilities).items():
        if isinstance(value, frozenset):
            value = "/".join(sorted(value))
        if value:
            yield name if value is True else f"{name} {value}"


def _framework(framework: str, records: Mapping[str, Provider]) -> Iterator[str]:
    wanting = sorted({name for record in records.values() for name in missing(record)})
    yield from _labelled(f"{framework}/…", "adapters:", ", ".join(records))
    if wanting:
        yield from _labelled("", "to install:", f"pip install {' '.join(wanting)}")


def _labelled(name: str, label: str, text: str) -> Iterator[str]:
    indent = _NAME + _LABEL
    lines = wrap(text, WIDTH - indent, break_long_words=False, break_on_hyphens=False)
    for number, line in enumerate(lines):
        yield f"{name:<{_NAME}}{label:<{_LABEL}}{line}" if not number else f"{'':<{indent}}{line}"
