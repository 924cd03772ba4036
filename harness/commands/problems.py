"""What a command was given and cannot use."""

from collections.abc import Iterable
from difflib import get_close_matches


class UsageError(ValueError):
    """Something that a user typed: what, where, and the remedy, in one line."""


def unknown(kind: str, name: str, there: Iterable[str]) -> UsageError:
    """The error for a name that is none of those that there are."""
    known = list(there)
    near = get_close_matches(name, known, 1)
    meant = f" (did you mean {near[0]}?)" if near else ""
    return UsageError(f"there is no {kind} {name!r}{meant}. There are: {', '.join(known)}")
