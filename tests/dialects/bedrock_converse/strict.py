"""What is wrong with JSON by botocore's model of the service: everything, where botocore itself is lenient."""

import re
from base64 import b64decode
from collections.abc import Iterator
from functools import cache
from typing import Any

import botocore.session
from botocore.model import ServiceModel, Shape


@cache
def service() -> ServiceModel:
    """The model of bedrock-runtime."""
    return botocore.session.get_session().get_service_model("bedrock-runtime")


def output(operation: str) -> Shape:
    """An operation's output."""
    return service().operation_model(operation).output_shape


def problems(shape: Shape, value: Any, path: str = "") -> Iterator[str]:
    """Each violation as ``PATH: WHAT``; indices are left out of the path, and the keys of maps are ``*``."""
    yield from _CHECKS[shape.type_name](shape, value, path)


def _structure(shape: Any, value: Any, path: str) -> Iterator[str]:
    if shape.metadata.get("document"):
        return
    if not isinstance(value, dict):
        yield f"{path}: not an object"
        return
    yield from (f"{path}.{name}: missing" for name in shape.required_members if name not in value)
    if shape.is_tagged_union and len(value) != 1:
        yield f"{path}: {len(value)} members of a union"
    for name, inner in value.items():
        if name in shape.members:
            yield from problems(shape.members[name], inner, f"{path}.{name}")
        else:
            yield f"{path}.{name}: unknown"


def _list(shape: Any, value: Any, path: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{path}: not a list"
        return
    for inner in value:
        yield from problems(shape.member, inner, f"{path}[]")


def _map(shape: Any, value: Any, path: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{path}: not an object"
        return
    for inner in value.values():
        yield from problems(shape.value, inner, f"{path}.*")


def _string(shape: Any, value: Any, path: str) -> Iterator[str]:
    if not isinstance(value, str):
        yield f"{path}: not a string"
    elif shape.enum and value not in shape.enum:
        yield f"{path}: {value} is not in the enumeration"
    elif not shape.metadata.get("min", 0) <= len(value) <= shape.metadata.get("max", len(value)):
        yield f"{path}: length {len(value)}"
    elif "pattern" in shape.metadata and not re.fullmatch(shape.metadata["pattern"], value):
        yield f"{path}: {value} does not match"


def _number(kinds: type | tuple[type, ...]) -> Any:
    def check(shape: Any, value: Any, path: str) -> Iterator[str]:
        if isinstance(value, bool) or not isinstance(value, kinds):
            yield f"{path}: not a number of the right kind"
        elif not shape.metadata.get("min", value) <= value <= shape.metadata.get("max", value):
            yield f"{path}: {value} is out of range"

    return check


def _boolean(_shape: Any, value: Any, path: str) -> Iterator[str]:
    if not isinstance(value, bool):
        yield f"{path}: not a boolean"


def _blob(shape: Any, value: Any, path: str) -> Iterator[str]:
    if len(b64decode(value, validate=True)) < shape.metadata.get("min", 0):
        yield f"{path}: too short"


_CHECKS: dict[str, Any] = {
    "structure": _structure,
    "list": _list,
    "map": _map,
    "string": _string,
    "integer": _number(int),
    "long": _number(int),
    "float": _number((int, float)),
    "double": _number((int, float)),
    "boolean": _boolean,
    "blob": _blob,
}
