"""How a case is run again: by the name under which its adapter is found, and held to the same things."""

from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest

from harness.discovery import find
from harness.provider import Provider

#: options without which a case may end otherwise
_KEPT: Final = ("--requirements", "--hypothesis-profile", "--hypothesis-seed", "--cassettes")


def named(config: pytest.Config, provider: Provider) -> str:
    """The name by which an adapter is found: ``module:ATTRIBUTE`` where it was asked for so, else its own."""
    asked = ",".join(config.getoption("--provider")).split(",")
    written = (name.strip() for name in asked if ":" in name)
    return next((name for name in written if provider.name in _found(name)), provider.name)


@cache
def _found(name: str) -> frozenset[str]:
    return frozenset(provider.name for provider in find([name]))


def kept(config: pytest.Config) -> Iterator[str]:
    """The options to run it with."""
    if config.getoption("strict", False):
        yield "--strict"
    for option in _KEPT:
        if (value := config.getoption(option, None)) is not None:
            yield f"{option}={value}"
