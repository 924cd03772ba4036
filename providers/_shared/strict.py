"""Strict schemas where a service promises to keep to them; without that promise where a schema has no strict form."""

import warnings
from collections.abc import Mapping
from typing import Any

from harness.contract.config import NotStrictWarning
from harness.contract.strict_schema import SchemaNotStrict, convert


def strict_schema(schema: Mapping[str, Any], target: str) -> dict[str, Any] | None:
    """The strict form for a service; None, with a warning that says why, where there is none.

    What the service cannot make sure of is left to the reader of the values: a tool, or a Pydantic model.
    """
    try:
        return convert(schema, target).schema
    except SchemaNotStrict as error:
        warnings.warn(f"a schema is sent without strictness: {error}", NotStrictWarning, stacklevel=2)
        return None
