"""Witness: the tables of the request agree with botocore's model of the service, member by member."""

from collections.abc import Iterator
from typing import Any

import pytest

from harness.dialects.bedrock_converse.constraints import (
    Blob,
    Boolean,
    Document,
    ListOf,
    MapOf,
    Node,
    Number,
    OneOf,
    String,
    Struct,
)
from harness.dialects.bedrock_converse.model import STREAM_REQUEST, WHOLE_REQUEST
from tests.dialects.bedrock_converse.strict import service

#: where the tables ask more than the model of the service, by the ends of paths, and why
STRICTER = {
    ".system[].text: length": "text that is not blank has a character",
    ".content: length": "the service refuses a turn of no blocks by a rule of its own",
    ".text: pattern": "the service refuses blank text by a rule of its own",
    ".document.name: pattern": "the service has an alphabet for names that its model does not tell",
    ".toolUse.input: object": "the service wants an object, its model any document",
    ".json: object": "the service wants an object, its model any document",
    ".additionalModelRequestFields: object": "fields are named, so they are an object",
    ".s3Location.uri: pattern": "the same alphabet in another order",
    ".projectIdentifier: pattern": "the same forms without the list of partitions",
    ".guardrailIdentifier: pattern": "the same forms without the list of partitions",
    ".guardrailVersion: pattern": "the same forms in another order",
    ".requestMetadata.*: pattern": "the same alphabet, with the hyphen at its end",
}


def differences(node: Node, shape: Any, path: str) -> Iterator[str]:
    yield from _COMPARED[type(node)](node, shape, path)


def _struct(node: Struct, shape: Any, path: str) -> Iterator[str]:
    members = {name: member for name, member in shape.members.items() if member.serialization.get("location") != "uri"}
    if node.members.keys() != members.keys():
        yield f"{path}: members {sorted(node.members.keys() ^ members.keys())}"
    if node.required != set(shape.required_members) & members.keys():
        yield f"{path}: required {sorted(node.required ^ set(shape.required_members))}"
    if node.union != shape.is_tagged_union:
        yield f"{path}: union"
    for name in node.members.keys() & members.keys():
        yield from differences(node.members[name], members[name], f"{path}.{name}")


def _list(node: ListOf, shape: Any, path: str) -> Iterator[str]:
    if shape.type_name != "list" or (node.least, node.most) != _bounds(shape):
        yield f"{path}: length"
    yield from differences(node.item, shape.member, f"{path}[]")


def _map(node: MapOf, shape: Any, path: str) -> Iterator[str]:
    if shape.type_name != "map" or (node.least, node.most) != _bounds(shape):
        yield f"{path}: length"
    yield from differences(node.key, shape.key, f"{path}.*")
    yield from differences(node.value, shape.value, f"{path}.*")


def _string(node: String, shape: Any, path: str) -> Iterator[str]:
    if shape.type_name != "string" or shape.enum or (node.least, node.most) != _bounds(shape):
        yield f"{path}: length"
    if (node.pattern.pattern if node.pattern else None) != shape.metadata.get("pattern"):
        yield f"{path}: pattern"


def _one_of(node: OneOf, shape: Any, path: str) -> Iterator[str]:
    if node.values != set(shape.enum):
        yield f"{path}: enumeration {sorted(node.values ^ set(shape.enum))}"


def _number(node: Number, shape: Any, path: str) -> Iterator[str]:
    if (node.least, node.most) != (shape.metadata.get("min"), shape.metadata.get("max")):
        yield f"{path}: range"
    if node.whole != (shape.type_name == "integer"):
        yield f"{path}: {shape.type_name}"


def _blob(node: Blob, shape: Any, path: str) -> Iterator[str]:
    if shape.type_name != "blob" or (node.least, None) != _bounds(shape):
        yield f"{path}: length"


def _boolean(_node: Boolean, shape: Any, path: str) -> Iterator[str]:
    if shape.type_name != "boolean":
        yield f"{path}: {shape.type_name}"


def _document(node: Document, shape: Any, path: str) -> Iterator[str]:
    if not shape.metadata.get("document"):
        yield f"{path}: no document"
    if node.mapping:
        yield f"{path}: object"


def _bounds(shape: Any) -> tuple[int, int | None]:
    return shape.metadata.get("min", 0), shape.metadata.get("max")


_COMPARED: dict[type, Any] = {
    Struct: _struct,
    ListOf: _list,
    MapOf: _map,
    String: _string,
    OneOf: _one_of,
    Number: _number,
    Blob: _blob,
    Boolean: _boolean,
    Document: _document,
}


@pytest.mark.parametrize(
    ("node", "operation"), [(WHOLE_REQUEST, "Converse"), (STREAM_REQUEST, "ConverseStream")], ids=["whole", "stream"]
)
def test_the_tables_agree_with_the_service_model(node: Node, operation: str) -> None:
    found = set(differences(node, service().operation_model(operation).input_shape, ""))
    assert {difference for difference in found if not difference.endswith(tuple(STRICTER))} == set()
    assert {end for end in STRICTER if not any(difference.endswith(end) for difference in found)} == set()
