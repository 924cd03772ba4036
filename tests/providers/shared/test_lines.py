import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.contract.exceptions import IncompleteStreamError, ModelResponseError
from providers._shared.lines import JsonReader, LineReader


def read(data: bytes, size: int = 1) -> tuple[list[Any], bool]:
    reader = JsonReader()
    found = [value for at in range(0, len(data), size) for value in reader.feed(data[at : at + size])]
    return [*found, *reader.finish()], reader.done


@given(st.lists(st.sampled_from([b"a", b"\r", b"\n", b"\r\n", "é🙂\u2028".encode()])), st.integers(1, 5))
def test_lines_end_where_they_end_however_they_are_cut(pieces: list[bytes], size: int) -> None:
    data, reader = b"".join(pieces), LineReader()
    lines = [line for at in range(0, len(data), size) for line in reader.feed(data[at : at + size])]
    plain = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    assert [*lines, reader.finish()] == plain.split(b"\n")


def test_a_line_is_told_as_soon_as_it_has_ended() -> None:
    reader = LineReader()
    assert reader.feed(b"one\r") == [b"one"]
    assert reader.feed(b"\ntwo") == []
    assert reader.feed(b"\n") == [b"two"]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize(
    ("data", "values"),
    [
        ('data: {"a": "é🙂\u2028"}\n\ndata:{"b": 1}\n\n'.encode(), [{"a": "é🙂\u2028"}, {"b": 1}]),
        (b'data: {"a": 1}\r\n\r\ndata: {"b": 2}\r\n\r\n', [{"a": 1}, {"b": 2}]),
        (b'data: {"a":\ndata: 1}\n\n', [{"a": 1}]),
        (b'data: {"a": 1}\ndata: {"b": 2}\n', [{"a": 1}, {"b": 2}]),
        (b':\n: ping\n\nevent: x\nid: 7\nretry: 1\ndata\n\ndata: {"a": 1}', [{"a": 1}]),
        (b'\xef\xbb\xbfdata: {"a": 1}\n\n', [{"a": 1}]),
        (b'{"a": 1}\n{"b": 2}\n', [{"a": 1}, {"b": 2}]),
        (b'{\n  "a": [\n    1\n  ]\n}', [{"a": [1]}]),
        (b'error: {"code": 500}\n\n', [{"error": {"code": 500}}]),
        (b'error: {"error": {"code": 500}}\n\n', [{"error": {"code": 500}}]),
    ],
)
def test_values(data: bytes, values: list[Any], size: int) -> None:
    assert read(data, size) == (values, False)


@pytest.mark.parametrize("end", [b"", b"\n", b"\n\n", b'\n\ndata: {"late": 1}\n\ndata: <html>\n\n'])
def test_nothing_is_read_behind_the_end(end: bytes) -> None:
    assert read(b'data: {"a": 1}\n\ndata: [DONE]' + end, 5) == ([{"a": 1}], True)


def test_a_value_is_told_before_its_event_is_over() -> None:
    reader = JsonReader()
    assert list(reader.feed(b'data: {"a": 1}\n')) == [{"a": 1}]


def test_what_came_before_a_garbled_event_is_told() -> None:
    values = JsonReader().feed(b'data: {"a": 1}\n\ndata: {"b\n\n')
    assert next(values) == {"a": 1}
    with pytest.raises(IncompleteStreamError):
        next(values)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b'data: {"a', IncompleteStreamError),
        (b'data: {"a\n\n', IncompleteStreamError),
        (json.dumps({"a": 1}, indent=1).encode()[:-1], IncompleteStreamError),
        (b"<html>\n<body>\n", ModelResponseError),
        (b"data: oops\n\n", ModelResponseError),
        (b"Bad gateway: try again", ModelResponseError),
    ],
)
def test_what_is_no_json(data: bytes, kind: type[Exception]) -> None:
    with pytest.raises(kind, match="no JSON"):
        read(data)
