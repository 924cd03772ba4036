"""NDJSON: one value a line, both ways."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.wire.cuts import Cut, apply
from harness.wire.errors import WireError
from harness.wire.ndjson import NdjsonDecoder, encode_line
from tests.wire.strategies import cuts, decode, steady, texts

json_lines = st.lists(st.builds(lambda text: json.dumps({"text": text}, ensure_ascii=False).encode(), texts))


@steady
@given(json_lines, cuts)
def test_decoding_is_the_inverse_of_encoding_under_every_cut(values: list[bytes], cut: Cut) -> None:
    frames = [encode_line(value) for value in values]
    assert decode(NdjsonDecoder(), apply(cut, frames)) == values


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        (b"", []),
        (b"1\n2\n", [b"1", b"2"]),
        (b"1\r\n2\r\n", [b"1", b"2"]),
        (b"1\n2", [b"1", b"2"]),
        (b"1\n2\r", [b"1", b"2"]),
        (b"\n\r\n  \n1\n\n\n", [b"1"]),
        (b'"\xe2\x80\xa8"\n', [b'"\xe2\x80\xa8"']),
    ],
    ids=["empty", "lf", "crlf", "no-last-end", "half-last-end", "blank-lines", "u2028-is-no-line-end"],
)
def test_line_ends(body: bytes, lines: list[bytes]) -> None:
    assert decode(NdjsonDecoder(), [body]) == lines
    assert decode(NdjsonDecoder(), [bytes([byte]) for byte in body]) == lines


@pytest.mark.parametrize("value", [b'{\n"a":1}', b'{"a":1}\r'])
def test_a_value_over_several_lines_is_refused(value: bytes) -> None:
    with pytest.raises(WireError, match="one line"):
        encode_line(value)
