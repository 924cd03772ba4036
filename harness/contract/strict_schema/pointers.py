"""References inside a schema: RFC 6901 pointers in URI fragments."""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from harness.contract.strict_schema.errors import SchemaNotStrict

_NOT_NAME: Final = re.compile(r"[^A-Za-z0-9_.-]+")
_LOCAL: Final = "Give references that begin with # and lead to a part of this schema"


def steps(reference: str) -> tuple[str, ...]:
    """The steps of a pointer, unescaped: ``~1`` is a slash, ``~0`` a tilde, ``%41`` an A."""
    return tuple(unquote(step).replace("~1", "/").replace("~0", "~") for step in reference.split("/")[1:])


def resolve(root: Any, reference: Any, path: str) -> Any:
    """The part of ``root`` that a reference names."""
    if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
        raise SchemaNotStrict(path, f"the reference {reference!r} leads out of the schema", _LOCAL)
    part = root
    for step in steps(reference):
        part = _step(part, step)
        if part is None:
            raise SchemaNotStrict(path, f"the reference {reference!r} leads nowhere", _LOCAL)
    return part


def _step(part: Any, step: str) -> Any:
    if isinstance(part, Mapping):
        return part.get(step)
    if isinstance(part, list) and step.isdecimal() and int(step) < len(part):
        return part[int(step)]
    return None


def name_of(reference: str) -> str:
    """A name for a definition: the last step of its pointer, in letters that every service takes."""
    return _NOT_NAME.sub("_", steps(reference)[-1]) if steps(reference) else "root"
