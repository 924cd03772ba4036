"""A dialect without some of its ways of telling a reply, for adapters that do not claim the servers that use them."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any, cast

from harness.dialects.base import Axis, Dialect


class _Narrowed:
    """All that a dialect is, with fewer options on its axes."""

    def __init__(self, dialect: Dialect, axes: tuple[Axis, ...]) -> None:
        self._dialect = dialect
        self.axes = axes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._dialect, name)


def without_styles(dialect: Dialect, styles: Collection[str]) -> Dialect:
    """The dialect without ``styles``, each ``axis=option``. Raises LookupError for one that it does not have.

    The usual way of an axis cannot be left out.
    """
    unusual = {f"{axis.name}={name}" for axis in dialect.axes for name in axis.names[1:]}
    if unknown := sorted(set(styles) - unusual):
        raise LookupError(f"{dialect.name} has no unusual style {', '.join(unknown)}")
    return (
        cast("Dialect", _Narrowed(dialect, tuple(_without(axis, styles) for axis in dialect.axes)))
        if styles
        else dialect
    )


def _without(axis: Axis, styles: Collection[str]) -> Axis:
    return replace(axis, options=tuple(each for each in axis.options if f"{axis.name}={each.name}" not in styles))
