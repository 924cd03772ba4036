import datetime
from typing import Any

import pytest

from harness.contract.config import UnsupportedContentWarning
from providers._shared.content import cited_text, converted, guarded_text, input_object, is_blank, json_text
from providers._shared.media import base64_text, bytes_of, document_type, image_type


@pytest.mark.parametrize(
    ("given", "expected"),
    [({"a": 1}, {"a": 1}), ('{"a": 1}', {"a": 1}), ("", {}), ('{"a": ', {}), (None, {}), ([1], {}), ("[1]", {})],
)
def test_a_calls_input_is_always_an_object(given: Any, expected: Any) -> None:
    assert input_object(given) == expected


def test_json_keeps_letters_and_says_everything() -> None:
    assert json_text({"ü": datetime.date(2024, 1, 2)}) == '{"ü": "2024-01-02"}'


@pytest.mark.parametrize(("text", "blank"), [(None, True), ("", True), (" \n\t", True), (" a ", False)])
def test_blank_text(text: str | None, blank: bool) -> None:
    assert is_blank(text) is blank


def test_text_of_blocks_that_say_more() -> None:
    assert cited_text({"content": [{"text": "a"}, {"location": {}}, {"text": "b"}], "citations": [{}]}) == "ab"
    assert cited_text({"content": None}) == ""
    assert guarded_text({"text": {"text": "g"}}) == "g"
    assert guarded_text({"image": {}}) == ""


def test_the_first_row_that_takes_a_block_converts_it() -> None:
    table: Any = {"text": lambda body, mark: f"{body}{mark}"}
    assert converted(table, {"hologram": 1, "text": "a"}, "!") == "a!"


@pytest.mark.parametrize(("block", "named"), [({"hologram": 1}, "hologram content"), ({}, "empty content")])
def test_a_block_that_no_row_takes_warns_where_the_adapter_asked(block: Any, named: str) -> None:
    with pytest.warns(UnsupportedContentWarning, match=named):
        assert converted({}, block) is None


@pytest.mark.parametrize("source", [None, {}, {"bytes": b""}, {"location": {"type": "s3"}}])
def test_media_without_bytes(source: Any) -> None:
    assert bytes_of({"source": source}) is None


@pytest.mark.parametrize(
    ("data", "declared", "media_type"),
    [
        (b"\x89PNG\r\n", "jpeg", "image/png"),
        (b"\xff\xd8\xff\xe0", "png", "image/jpeg"),
        (b"GIF89a", "png", "image/gif"),
        (b"RIFF0000WEBPVP8 ", "png", "image/webp"),
        (b"????", "webp", "image/webp"),
    ],
)
def test_images_are_typed_by_their_bytes(data: bytes, declared: str, media_type: str) -> None:
    assert image_type({"format": declared}, data) == media_type


def test_documents_are_typed_by_their_format() -> None:
    assert document_type({"format": "pdf"}) == "application/pdf"
    assert document_type({}) == "text/plain"
    assert document_type({"format": "odt"}) == "application/octet-stream"
    assert base64_text(b"%PDF") == "JVBERg=="
