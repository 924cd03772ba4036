"""Long runs: a hundred times the usual examples, for ``--hypothesis-profile=nightly``."""

from typing import Final

from hypothesis import settings

_TIMES: Final = 100


def register() -> None:
    """Make the profile, from the usual one."""
    usual = settings.get_profile("default")
    settings.register_profile("nightly", usual, max_examples=_TIMES * usual.max_examples)
