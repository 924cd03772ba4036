"""JSON's own types, as the service's messages name them."""

from typing import Any

from harness.dialects.base import RequestFault, RequestFaultKind

_KINDS: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


def kind(value: Any) -> str:
    """The JSON type of a parsed value; a number without a fraction is an ``integer``."""
    return _KINDS[type(value)]


def form(path: str, what: str, evidence: str) -> RequestFault:
    """A fault of form: a field or value that the service's schema does not have."""
    return RequestFault(RequestFaultKind.FORM, path, what, evidence)


def invalid_type(path: str, wanted: str, value: Any) -> RequestFault:
    """A value of the wrong JSON type."""
    return form(
        path,
        f"{wanted} expected, {kind(value)} met",
        f"OpenAI 400: Invalid type for '{path}': expected {wanted}, but got {kind(value)} instead.",
    )


def missing(path: str) -> RequestFault:
    """A required field that is not there."""
    return form(path, "absent", f"OpenAI 400: Missing required parameter: '{path}'.")


def empty_array(path: str) -> RequestFault:
    """An array without items where the service wants one at least."""
    return form(
        path,
        "an empty array",
        f"OpenAI 400: Invalid '{path}': empty array. Expected an array with minimum length 1, but got an empty array "
        "instead.",
    )


def unknown_keys(path: str, holder: dict[str, Any], known: frozenset[str]) -> list[RequestFault]:
    """Fields that the schema does not have; one that is null says nothing and is let pass."""
    if holder.keys() <= known:
        return []
    return [
        form(f"{path}.{key}", "unknown field", f"OpenAI 400: Unknown parameter: '{path}.{key}'.")
        for key, value in holder.items()
        if key not in known and value is not None
    ]
