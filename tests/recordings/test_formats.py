"""Each format by a small file of our own: what its recorder writes, and what is read from it."""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.recordings import RecordedExchange, read_recording

URL = "https://api.example.test/v1/chat"
HELLO = b'{"model":"m"}'
REPLY = b'{"text":"h\xc3\xa9llo"}'
PACKED = gzip.compress(REPLY, mtime=0)
EVENTS = b"event: a\ndata: 1\n\n"


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def only(tmp_path: Path, name: str, content: str | bytes) -> RecordedExchange:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (exchange,) = read_recording(path)
    assert exchange.index == 0
    assert exchange.path == str(path)
    return exchange


VCRPY = f"""\
interactions:
- request:
    body: '{{"model":"m"}}'
    headers:
      ? !!python/object/apply:multidict._multidict.istr
      - X-Trace
      : [a, b]
      X-Signed: [!!binary "c2lnbmVk"]
    method: POST
    uri: {URL}
  response:
    body: {{string: '{{"text":"héllo"}}'}}
    headers: {{Content-Type: [application/json], Content-Length: ['99'], X-Id: r1}}
    status: {{code: 200, message: OK}}
version: 1
"""

OLD_VCRPY = f"""\
interactions:
- request: {{body: '{{"model":"m"}}', headers: {{}}, method: POST, uri: {URL}}}
  response: {{content: '{{"text":"héllo"}}', headers: {{}}, http_version: HTTP/1.1, status_code: 200}}
version: 1
"""

PARSED_VCRPY = f"""\
interactions:
- request:
    headers: {{}}
    method: POST
    parsed_body: {{model: m}}
    uri: {URL}
  response:
    headers: {{content-type: [application/json]}}
    parsed_body: {{text: héllo}}
    status: {{code: 200, message: OK}}
version: 1
"""

RUBY = f"""\
---
http_interactions:
- request:
    method: post
    uri: {URL}
    body: {{encoding: UTF-8, string: '{{"model":"m"}}'}}
    headers: {{Content-Type: [application/json]}}
  response:
    status: {{code: 200, message: OK}}
    headers: {{Content-Type: [application/json]}}
    body:
      encoding: ASCII-8BIT
      string: !binary |-
        {b64(REPLY)}
  recorded_at: Wed, 19 Aug 2026 14:34:20 GMT
recorded_with: VCR 6.3.1
"""

R_VCR = f"""\
http_interactions:
- request:
    method: POST
    uri: {URL}
    body: {{string: '{{"model":"m"}}'}}
  response:
    status: 200
    headers: {{content-type: application/json, content-encoding: gzip}}
    body: {{BODY}}
  recorded_at: 2026-08-02 17:44:02
recorded_with: VCR-vcr/2.1.0
"""

GO = f"""\
---
version: 2
interactions:
- id: 0
  request: {{content_length: 13, body: '{{"model":"m"}}', headers: {{}}, url: {URL}, method: POST}}
  response:
    content_length: -1
    uncompressed: true
    body: '{{"text":"héllo"}}'
    headers: {{Content-Type: [application/json]}}
    status: 200 OK
    code: 200
    duration: 1.5s
"""

REQLLM = {
    "request": {"method": "POST", "url": URL, "headers": {"accept": "*/*"}, "body": {"b64": b64(HELLO)}},
    "response": {"status": 200, "headers": {"content-type": ["application/json"]}, "body": {"text": "héllo"}},
}

DATADOG = {
    "request": {"method": "POST", "url": URL, "headers": {"Accept": "*/*"}, "body": HELLO.decode()},
    "response": {
        "status": {"code": 200, "message": "OK"},
        "headers": {"Content-Type": "application/json"},
        "body": REPLY.decode(),
    },
}

NOCK = [
    {
        "scope": "https://api.example.test",
        "method": "POST",
        "path": "/v1/chat",
        "body": {"model": "m"},
        "status": 200,
        "response": {"text": "héllo"},
        "rawHeaders": ["Content-Type", "application/json", "Content-Length", "16"],
        "reqheaders": {"accept": "*/*"},
        "responseIsBinary": False,
    }
]

LANGCHAIN = f"""\
requests:
- {{body: !!binary {b64(HELLO)}, headers: {{accept: ['**REDACTED**']}}, method: POST, uri: {URL}}}
responses:
- body: {{string: !!binary {b64(REPLY)}}}
  headers: {{Content-Type: '**REDACTED**'}}
  status: {{code: 200, message: OK}}
"""


def httprr(response: bytes) -> bytes:
    request = b"POST %s HTTP/1.1\r\nHost: x\r\nUser-Agent: t\nAccept: */*\r\n\r\n%s" % (URL.encode(), HELLO)
    return b"httprr trace v1\n%d %d\n%s%s" % (len(request), len(response), request, response)


HTTPRR = httprr(b"HTTP/2.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + REPLY)


@dataclass(frozen=True)
class Case:
    format: str
    name: str
    content: str | bytes
    exact: bool = True


CASES = [
    Case("vcrpy", "a.yaml", VCRPY),
    Case("vcrpy", "a.yaml", OLD_VCRPY),
    Case("vcrpy-parsed-body", "a.yaml", PARSED_VCRPY, exact=False),
    Case("rubyvcr", "a.yml", RUBY),
    Case("rvcr", "a.yml", R_VCR.replace("{BODY}", """{string: '{"text":"héllo"}'}""")),
    Case("rvcr", "a.yml", R_VCR.replace("{BODY}", f"{{base64: {b64(REPLY)}}}")),
    Case("rvcr", "a.yml", R_VCR.replace("{BODY}", "{json: {text: héllo}}"), exact=False),
    Case("govcr", "a.yaml", GO),
    Case("reqllm", "a.json", json.dumps(REQLLM), exact=False),
    Case("ddtestagent", "a.json", json.dumps(DATADOG)),
    Case("nock", "a.json", json.dumps(NOCK), exact=False),
    Case("langchain", "a.yaml.gz", gzip.compress(LANGCHAIN.encode(), mtime=0)),
    Case("httprr", "a.httprr", HTTPRR),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.format)
def test_one_exchange_reads_the_same_from_every_format(case: Case, tmp_path: Path) -> None:
    exchange = only(tmp_path, case.name, case.content)
    assert exchange.format == case.format
    assert (exchange.request.method, exchange.request.url, exchange.request.body) == ("POST", URL, HELLO)
    assert (exchange.response.status, exchange.response.body) == (200, REPLY)
    assert exchange.response.header("content-type") == "application/json"
    assert exchange.response.header("content-length") is None
    assert exchange.response.body_exact is case.exact
    assert exchange.response.chunks is None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.format)
def test_the_format_is_told_without_the_files_name(case: Case, tmp_path: Path) -> None:
    assert only(tmp_path, "recording", case.content).format == case.format


def test_vcrpy_header_names_and_values_are_plain_text(tmp_path: Path) -> None:
    exchange = only(tmp_path, "a.yaml", VCRPY)
    assert exchange.request.headers == (("x-trace", "a"), ("x-trace", "b"), ("x-signed", "signed"))
    assert exchange.response.headers == (("content-type", "application/json"), ("x-id", "r1"))


def test_redactions_are_dropped(tmp_path: Path) -> None:
    exchange = only(tmp_path, "a.yaml", LANGCHAIN.replace(URL, "'**REDACTED**'"))
    assert exchange.request.url is None
    assert exchange.request.headers == ()


def test_httprr_keeps_a_header_after_one_that_ends_in_a_bare_newline(tmp_path: Path) -> None:
    exchange = only(tmp_path, "a.httprr", HTTPRR)
    assert exchange.request.headers == (("host", "x"), ("user-agent", "t"), ("accept", "*/*"))


def test_httprr_chunked_bodies_are_joined(tmp_path: Path) -> None:
    head = b"HTTP/1.1 503 Service Unavailable\r\nTransfer-Encoding: chunked\r\n\r\n"
    response = only(
        tmp_path, "a.httprr", httprr(head + b"a\r\nevent: a\nd\r\n8;x=y\r\nata: 1\n\n\r\n0\r\n\r\n")
    ).response
    assert (response.status, response.body, response.chunks) == (503, EVENTS, None)
    assert response.headers == (("content-type", "text/event-stream"),)


def test_httprr_keeps_several_exchanges(tmp_path: Path) -> None:
    path = tmp_path / "a.httprr"
    path.write_bytes(HTTPRR + HTTPRR.removeprefix(b"httprr trace v1\n"))
    assert [(found.index, found.response.body) for found in read_recording(path)] == [(0, REPLY), (1, REPLY)]


def test_reqllm_keeps_the_reads_of_a_stream(tmp_path: Path) -> None:
    reads = (EVENTS[:5], EVENTS[5:])
    document = {
        "request": REQLLM["request"],
        "response": {"status": 200, "headers": {}, "body": None},
        "chunks": [{"b64": b64(read), "decoded": "ignored"} for read in reads],
    }
    exchange = only(tmp_path, "a.json", json.dumps(document))
    assert exchange.format == "reqllm-chunks"
    assert (exchange.response.body, exchange.response.chunks) == (EVENTS, reads)
    assert exchange.response.body_exact


@pytest.mark.parametrize(
    ("change", "body"),
    [
        ({"response": EVENTS.hex(), "responseIsBinary": True}, EVENTS),
        ({"response": EVENTS.decode()}, EVENTS),
        ({"response": ""}, b""),
        (
            {"response": [part.hex() for part in (PACKED[:7], PACKED[7:])],
             "rawHeaders": ["Content-Encoding", "gzip"]},
            REPLY,
        ),
    ],
    ids=["binary", "text", "empty", "compressed"],
)  # fmt: skip
def test_nock_keeps_exact_bodies_as_strings(change: dict[str, object], body: bytes, tmp_path: Path) -> None:
    response = only(tmp_path, "a.json", json.dumps([NOCK[0] | change])).response
    assert (response.body, response.body_exact) == (body, True)


@pytest.mark.parametrize(
    ("lines", "body"),
    [
        (['{"type":"ping"}', '{"type":"message_stop"}'],
         'event: ping\ndata: {"type":"ping"}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n'),
        (['{"choices":[]}', '{"choices":["\u2028"]}'], 'data: {"choices":[]}\n\ndata: {"choices":["\u2028"]}\n\n'),
        (['{"type":"a\\nb"}', '{"type":3}'], 'data: {"type":"a\\nb"}\n\ndata: {"type":3}\n\n'),
        (['{"choices":[]}'], 'data: {"choices":[]}\n\n'),
    ],
    ids=["named", "unnamed", "unsafe-name", "one-line"],
)  # fmt: skip
def test_vercel_chunks_are_framed_again(lines: list[str], body: str, tmp_path: Path) -> None:
    exchange = only(tmp_path, "a.chunks.txt", "\n".join(lines))
    assert exchange.format == "vercel-chunks"
    assert exchange.response.body.decode() == body
    assert not exchange.response.body_exact
    assert exchange.response.header("content-type") == "text/event-stream"
    assert (exchange.request.method, exchange.request.body) == (None, None)


@pytest.mark.parametrize("body", [EVENTS, b": ping\n\n" + EVENTS, b"\xef\xbb\xbf" + EVENTS, EVENTS + b"data: \xff\n\n"])
def test_raw_sse_is_kept_byte_for_byte(body: bytes, tmp_path: Path) -> None:
    exchange = only(tmp_path, "a.bin", body)
    assert (exchange.format, exchange.response.body, exchange.response.body_exact) == ("sse", body, True)
    assert exchange.response.headers == (("content-type", "text/event-stream"),)


def test_a_response_by_itself(tmp_path: Path) -> None:
    document = {"status": 429, "headers": {"Retry-After": "3"}, "body": REPLY.decode()}
    response = only(tmp_path, "a.json", json.dumps(document)).response
    assert (response.status, response.body, response.body_exact) == (429, REPLY, True)
    assert response.headers == (("retry-after", "3"), ("content-type", "application/json"))


@pytest.mark.parametrize("body", [b'{\n  "text": "h"\n}\n', b'[{"candidates":[]}]'])
def test_a_json_body_by_itself(body: bytes, tmp_path: Path) -> None:
    exchange = only(tmp_path, "a.json", body)
    assert (exchange.format, exchange.response.status, exchange.response.body) == ("json-body", 200, body)
    assert not exchange.response.body_exact
