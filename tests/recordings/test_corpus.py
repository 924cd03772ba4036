"""Every file of the corpus reads, and agrees with a manifest that was counted by other code."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from tests.recordings.corpus import CORPUS, CorpusExchange, exchanges, recording, rows
from tests.shared import needs_shared

pytestmark = needs_shared

FORMATS = {
    "body.json": "json-body",
    "ddtestagent.json": "ddtestagent",
    "govcr.v2.yaml": "govcr",
    "httprr": "httprr",
    "nock.json": "nock",
    "openinference.body.json": "response",
    "raw-sse.bin": "sse",
    "raw-sse.sse": "sse",
    "raw-sse.txt": "sse",
    "reqllm.chunks.json": "reqllm-chunks",
    "reqllm.json": "reqllm",
    "rubyvcr.yaml": "rubyvcr",
    "rvcr.yaml": "rvcr",
    "vcrpy+parsed_body.yaml": "vcrpy-parsed-body",
    "vcrpy.custom(requests/responses).yaml.gz": "langchain",
    "vcrpy.v1.yaml": "vcrpy",
    "vercel.chunks.txt": "vercel-chunks",
}

# Media types of each kind, for the exchanges whose content-type the recorder lost.
RESTORED = {
    "json": "application/json",
    "sse": "text/event-stream",
    "sse-payload-lines": "text/event-stream",
    "eventstream": "application/vnd.amazon.eventstream",
    "ndjson": "application/x-ndjson",
}


def everything() -> Iterator[CorpusExchange]:
    return exchanges({row.protocol for row in rows()})


def each_of(*formats: str) -> Iterator[CorpusExchange]:
    return (found for found in everything() if found.exchange.format in formats)


def test_the_corpus_is_there() -> None:
    assert len(rows()) > 900


@pytest.mark.parametrize("protocol", sorted({row.protocol for row in rows()}))
def test_files_read_with_the_manifests_exchanges(protocol: str) -> None:
    for row in (row for row in rows() if row.protocol == protocol):
        found = recording(row.path)
        assert {exchange.format for exchange in found} == {FORMATS[row.format]}, row.path
        read = [(exchange.index, exchange.response.status) for exchange in found]
        assert read == [(entry.index, entry.status or 200) for entry in row.exchanges], row.path


def test_exact_bodies_have_the_manifests_sizes() -> None:
    wrong = [
        (found.name, len(found.exchange.response.body), found.entry.body_bytes)
        for found in everything()
        if found.exchange.response.body_exact and len(found.exchange.response.body) != found.entry.body_bytes
    ]
    assert wrong == []


def test_rewritten_json_bodies_hold_the_same_values() -> None:
    """The manifest counted them in json.dumps's default spacing."""
    found = [item for item in everything() if not item.exchange.response.body_exact]
    found = [item for item in found if item.exchange.format not in {"vercel-chunks", "json-body"}]
    sizes = [
        (item.name, len(json.dumps(json.loads(item.exchange.response.body), ensure_ascii=False).encode()))
        for item in found
    ]
    assert sizes == [(item.name, item.entry.body_bytes) for item in found]
    assert {item.exchange.format for item in found} == {"vcrpy-parsed-body", "reqllm", "nock"}


def test_rewritten_nock_bodies_have_their_content_length() -> None:
    """nock parses a body but keeps its length: the compact form is what the service sent."""
    for found in each_of("nock"):
        if not found.exchange.response.body_exact and found.exchange.response.status == 400:
            headers = json.loads((CORPUS / found.row.path).read_text())[found.index]["rawHeaders"]
            length = headers[[name.lower() for name in headers].index("content-length") + 1]
            assert len(found.exchange.response.body) == int(length)


def data_events(body: bytes) -> int:
    """SSE events that carry data, [DONE] left out."""
    events = body.replace(b"\r\n", b"\n").split(b"\n\n")
    data = [[line for line in event.split(b"\n") if line.startswith(b"data:")] for event in events]
    return sum(1 for lines in data if lines and lines != [b"data: [DONE]"])


def frames(body: bytes) -> int:
    """Messages of an AWS event stream, which fill the body exactly."""
    count = at = 0
    while at < len(body):
        at += int.from_bytes(body[at : at + 4])
        count += 1
    assert at == len(body)
    return count


def objects(body: bytes) -> int:
    """Lines of NDJSON."""
    return sum(1 for line in body.split(b"\n") if line.strip())


COUNTERS: dict[str, Callable[[bytes], int]] = {
    "sse": data_events,
    "sse-payload-lines": data_events,
    "eventstream": frames,
    "ndjson": objects,
}


@pytest.mark.parametrize("kind", COUNTERS)
def test_streams_have_the_manifests_events(kind: str) -> None:
    found = [item for item in everything() if item.entry.kind == kind]
    counted = [(item.name, COUNTERS[kind](item.exchange.response.body)) for item in found]
    assert counted == [(item.name, item.entry.chunks) for item in found]
    assert found


@pytest.mark.parametrize("kind", ["json", "json-array-stream"])
def test_other_bodies_are_one_json_text(kind: str) -> None:
    found = [item for item in everything() if item.entry.kind == kind]
    assert found
    for item in found:
        json.loads(item.exchange.response.body)


def test_reads_are_kept_where_the_format_keeps_them() -> None:
    for found in everything():
        response = found.exchange.response
        assert (None if response.chunks is None else len(response.chunks)) == found.entry.wire_chunks
        if response.chunks is not None:
            assert b"".join(response.chunks) == response.body


def test_content_types_are_the_recorded_or_the_restored_ones() -> None:
    lost = {None, "**REDACTED**", "chunks"}
    for found in everything():
        recorded = found.entry.content_type
        expected = RESTORED[found.entry.kind] if recorded in lost else recorded
        assert found.exchange.response.header("content-type") == expected, found.name


def test_methods_agree_where_a_request_is_kept() -> None:
    body_only = {"sse", "vercel-chunks", "json-body", "response"}
    for found in everything():
        request = found.exchange.request
        kept = (None, None) if found.exchange.format in body_only else (found.entry.method, bytes)
        assert (request.method, None if request.body is None else type(request.body)) == kept, found.name


def test_no_redaction_or_stale_framing_is_left() -> None:
    stale = {"content-encoding", "content-length", "transfer-encoding"}
    for found in everything():
        exchange = found.exchange
        assert exchange.request.url != "**REDACTED**"
        assert "**REDACTED**" not in {value for _, value in (*exchange.request.headers, *exchange.response.headers)}
        assert not stale & {name for name, _ in exchange.response.headers}


def test_lost_framing_is_written_around_unchanged_payloads() -> None:
    for found in each_of("vercel-chunks"):
        body = found.exchange.response.body
        lines = [line for line in (CORPUS / found.row.path).read_bytes().split(b"\n") if line]
        assert [line[6:] for line in body.split(b"\n") if line.startswith(b"data: ")] == lines
        named = [json.loads(line)["type"].encode() for line in lines if "type" in json.loads(line)]
        assert [line[7:] for line in body.split(b"\n") if line.startswith(b"event: ")] == named
        assert not found.exchange.response.body_exact


def test_exchanges_come_in_a_fixed_order_and_only_of_the_protocols_asked_for() -> None:
    wanted = {"anthropic-messages", "bedrock-converse"}
    found = list(exchanges(wanted))
    assert {item.row.protocol for item in found} == wanted
    assert [(item.row.path, item.index) for item in found] == sorted((item.row.path, item.index) for item in found)
    assert [item.exchange for item in exchanges(wanted)] == [item.exchange for item in found]
