"""nock's recordings: a list of definitions whose response is parsed JSON, a string, or hexadecimal digits."""

from __future__ import annotations

from collections.abc import Iterator

from harness.recordings.fields import Field, header_pairs
from harness.recordings.model import RecordedRequest, RecordedResponse
from harness.recordings.payload import make_request, make_response, stored_body
from harness.recordings.source import Source


def is_nock(source: Source) -> bool:
    """Whether the document is a list of definitions with `scope` and `path`."""
    document = source.document.value
    return isinstance(document, list) and bool(document) and source.document.items()[0].has("scope", "path")


def read_nock(source: Source) -> Iterator[tuple[RecordedRequest, RecordedResponse]]:
    """The exchanges. Raises Malformed."""
    for entry in source.document.items():
        yield _request(entry), _response(entry)


def _request(entry: Field) -> RecordedRequest:
    body, _ = stored_body(entry.get("body"))
    url = entry.at("scope").text() + entry.at("path").text()
    return make_request(entry.at("method").text(), url, header_pairs(entry.get("reqheaders")), body)


def _response(entry: Field) -> RecordedResponse:
    headers = _raw_headers(entry.get("rawHeaders"))
    body, exact = _body(entry, encoded=any(name.lower() == "content-encoding" for name, _ in headers))
    return make_response(entry.at("status").status(), headers, body, exact=exact)


def _body(entry: Field, *, encoded: bool) -> tuple[bytes, bool]:
    response = entry.at("response")
    if entry.get("responseIsBinary").value is True:
        return response.hex(), True
    if encoded and isinstance(response.value, list):  # compressed bodies are kept as the hex of each read
        return b"".join(part.hex() for part in response.items()), True
    return stored_body(response)


def _raw_headers(field: Field) -> list[tuple[str, str]]:
    """Node's flat list: name, value, name, value."""
    if isinstance(field.value, dict):
        return list(header_pairs(field))
    texts = [item.text() for item in field.items()] if field.value is not None else []
    if len(texts) % 2:
        raise field.misfit("names and values in turn")
    return list(zip(texts[::2], texts[1::2], strict=True))
