"""Which HTTP library an installed SDK is built on."""

import re
from functools import cache
from importlib.metadata import requires

#: newest first: an SDK that names both is given a client of the newest
ASYNC_LIBRARIES = ("httpx2", "httpx")


@cache
def async_library(distribution: str) -> str:
    """The one of :data:`ASYNC_LIBRARIES` that the installed ``distribution`` requires, extras aside.

    ``PackageNotFoundError`` is raised where it is not installed, ``LookupError`` where it requires none of them.
    """
    required = {
        re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower()
        for requirement in requires(distribution) or ()
        if "extra ==" not in requirement
    }
    found = next((library for library in ASYNC_LIBRARIES if library in required), None)
    if found is None:
        raise LookupError(f"{distribution} requires none of {', '.join(ASYNC_LIBRARIES)}, so no client fits it")
    return found
