"""Strict schemas: the closed form of a JSON schema that services ask for where they promise to keep to it.

:func:`convert` makes the form that one service takes, and lists what it had to weaken;
:func:`ensure_strict_json_schema` closes a schema for no service in particular. Neither changes what it is given, both
leave a strict schema as it is, and what has no strict form is a :class:`SchemaNotStrict` that names the place.
"""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, Final

from harness.contract.strict_schema.convert import Converter
from harness.contract.strict_schema.errors import SchemaNotStrict, Weakening
from harness.contract.strict_schema.limits import check_limits
from harness.contract.strict_schema.targets import TARGETS, Target

__all__ = [
    "NONE",
    "TARGETS",
    "SchemaNotStrict",
    "Strict",
    "Target",
    "Weakening",
    "convert",
    "ensure_strict_json_schema",
]

#: a service that takes schemas as they are
NONE: Final = "none"


@dataclass(frozen=True, slots=True)
class Strict:
    """A strict schema, and what of the original it does not make sure of."""

    schema: dict[str, Any]
    weakenings: tuple[Weakening, ...] = ()


def convert(schema: Mapping[str, Any], target: Target | str) -> Strict:
    """The strict form of ``schema`` for a service: one of ``TARGETS``, its name, or ``"none"``.

    Raises SchemaNotStrict where there is none, and KeyError for an unknown name.
    """
    if target == NONE:
        return Strict(deepcopy(dict(schema)))
    known = TARGETS[target] if isinstance(target, str) else target
    converter = Converter(schema, known)
    strict = converter.convert()
    check_limits(strict, known)
    return Strict(strict, tuple(dict.fromkeys(converter.weakenings)))


class _Everything(frozenset[str]):
    """All keywords."""

    def __contains__(self, _: object) -> bool:
        return True


#: closes objects, and keeps every demand
_CLOSED: Final = Target(
    name="strict",
    source="the form that strict tools of all services share",
    keywords=_Everything(),
    recursive=True,
    tuples=True,
    one_of=True,
    root="any",
)


def ensure_strict_json_schema(schema: Mapping[str, Any], *, require_all_properties: bool = False) -> dict[str, Any]:
    """The schema with every object closed to properties that it does not describe, as new objects.

    With ``require_all_properties`` optional properties become required ones that may be null. Raises SchemaNotStrict,
    with the path, where a part cannot be closed without changing what it means: maps, values of any kind, conditions.
    """
    strict = convert(schema, replace(_CLOSED, complete=require_all_properties))
    for weakening in strict.weakenings:
        raise SchemaNotStrict(weakening.path, weakening.what, "Convert the schema for one service, which lists this")
    return strict.schema
