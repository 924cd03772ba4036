"""Content codings and content types of recorded responses."""

from __future__ import annotations

import gzip
import zlib

import pytest

from harness.recordings.model import Malformed
from harness.recordings.payload import make_response

TEXT = '{"text":"héllo"}'.encode()


def frame(payload: bytes) -> bytes:
    prelude = (16 + len(payload)).to_bytes(4) + bytes(4)
    message = prelude + zlib.crc32(prelude).to_bytes(4) + payload
    return message + zlib.crc32(message).to_bytes(4)


@pytest.mark.parametrize(
    ("encoding", "stored"),
    [
        ("gzip", gzip.compress(TEXT, mtime=0)),
        ("gzip", gzip.compress(TEXT[:4], mtime=0) + gzip.compress(TEXT[4:], mtime=0)),
        ("gzip", TEXT),
        ("br", TEXT),
        ("zstd", TEXT),
        (None, TEXT),
        (None, gzip.compress(TEXT, mtime=0)),
        ("**REDACTED**", gzip.compress(TEXT, mtime=0)),
        ("br", gzip.compress(TEXT, mtime=0)),
    ],
)
def test_a_body_is_decompressed_only_where_it_is_compressed(encoding: str | None, stored: bytes) -> None:
    headers = [("Content-Encoding", encoding)] if encoding else []
    response = make_response(200, headers, stored, exact=True)
    assert response.body == TEXT
    assert response.headers == (("content-type", "application/json"),)


@pytest.mark.parametrize("encoding", ["br", "zstd", "deflate"])
def test_a_coding_that_cannot_be_undone_is_an_error(encoding: str) -> None:
    with pytest.raises(Malformed, match=f"compressed with '{encoding}'") as raised:
        make_response(200, [("content-encoding", encoding)], b"\x8b\x07\x80\xfe", exact=True)
    assert "accept-encoding: gzip" in raised.value.remedy


def test_binary_frames_are_not_taken_for_a_compressed_body() -> None:
    body = frame(b"\xff\xfe")
    assert make_response(200, [("content-encoding", "br")], body, exact=True).body == body


def test_reads_are_dropped_when_the_body_was_compressed() -> None:
    stored = gzip.compress(TEXT, mtime=0)
    response = make_response(200, [], stored, exact=True, chunks=(stored[:3], stored[3:]))
    assert (response.body, response.chunks) == (TEXT, None)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (frame(b"x"), "application/vnd.amazon.eventstream"),
        (b"data: {}\n\n", "text/event-stream"),
        (b": comment\n\ndata: {}\n\n", "text/event-stream"),
        (b'\r\nevent: ping\r\ndata: {"a":1}\r\n\r\n', "text/event-stream"),
        (b'{"a":1}', "application/json"),
        (b'[\n{"a":1}\n]', "application/json"),
        (b'{"a":1}\n{"a":2}\n', "application/x-ndjson"),
        (b"upstream connect error", None),
        (frame(b"x")[:-5] + b"\x00", None),
        (b"", None),
    ],
)
def test_a_lost_content_type_is_told_from_the_body(body: bytes, content_type: str | None) -> None:
    redacted = [("Content-Type", "**REDACTED**")]
    assert make_response(200, redacted, body, exact=True).header("content-type") == content_type


def test_a_recorded_content_type_stays_even_when_the_body_is_of_another() -> None:
    response = make_response(200, [("Content-Type", "text/event-stream")], b"{}", exact=True)
    assert response.headers == (("content-type", "text/event-stream"),)
