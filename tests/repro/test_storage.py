"""Repro files: what was written is read again, and whatever else stands in a file ends in one line."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.contract.violations import Violation
from harness.dialects.base import WireRequest
from harness.endpoint.base import Delivery
from harness.exchange import Exchange
from harness.recordings.model import Malformed
from harness.repro.model import Repro, ReproError, Told
from harness.repro.storage import dump, is_repro, load, parse
from harness.wire.faults import Terminal
from tests.repro.rows import rows

TOLD = Told(
    WireRequest("POST", "/v1/x?alt=sse", (("accept", "*/*"), ("accept", "text/html")), b'{"a":"\xc3\xa9"}'),
    Delivery(200, (("content-type", "text/event-stream"),), (b"data: 1\n\n", b"\x00\xff", b"x"), Terminal.RESET, 0.5),
)
REPRO = Repro(
    Violation("TOOL-ID", "met", 1, "wanted"),
    "openai",
    "openai_chat",
    "tool",
    "one tool call",
    (TOLD,),
    Exchange(),
    ("call: stream",),
    ("messageStart", "messageStop"),
    {"openai": "3.0"},
)
TEXT = dump(REPRO)


@pytest.mark.parametrize("name", ["bedrock", "openai", "gemini"])
def test_every_exchange_of_the_catalogue_is_read_again(name: str) -> None:
    different: dict[str, Exchange] = {}
    for scenario, exchange in rows(name):
        different.setdefault(scenario, exchange)  # one of each, for all are written in the same way
        different[f"{scenario}, the last"] = exchange
    assert len(different) > 80
    for exchange in different.values():
        written = replace(REPRO, exchange=exchange)
        assert parse(dump(written)) == written


_CHUNKS = st.lists(st.one_of(st.binary(min_size=1, max_size=3), st.sampled_from([b"a", b"\n", b"\x85"])), max_size=12)


@given(_CHUNKS, st.sampled_from(Terminal), st.binary(max_size=9))
def test_bytes_and_cuts_are_exact(chunks: list[bytes], terminal: Terminal, asked: bytes) -> None:
    told = Told(WireRequest("POST", "/", (), asked), Delivery(503, (), tuple(chunks), terminal, refused=True))
    written = replace(REPRO, told=(told, TOLD), exchange=None)
    assert parse(dump(written)) == written


def test_a_thousand_chunks_take_one_line() -> None:
    told = replace(TOLD, delivery=replace(TOLD.delivery, chunks=(b"a",) * 1000 + (b"bc",)))
    assert "chunks: [1000 x 1, 2]\n" in dump(replace(REPRO, told=(told,)))


def _changed(old: str, new: str) -> str:
    assert TEXT.count(old) == 1
    return TEXT.replace(old, new)


BROKEN = {
    "nothing": ("", "no repro file"),
    "a list": ("- 1", "no repro file"),
    "another version": (_changed("repro: 1", "repro: 2"), "format 2 of another version; this one reads format 1"),
    "a rule that there is not": (_changed("TOOL-ID", "TOOL-IDLE"), "there is no rule 'TOOL-IDLE'"),
    "an object": (_changed("met: met", "met: !!python/object/apply:os.getcwd []"), "not readable as YAML"),
    "cut off": (TEXT[: TEXT.index("wire:")], "wire is missing"),
    "sizes": (_changed("chunks: [9, 2, 1]", "chunks: [9, 2, 2]"), "their sizes make 13 bytes, the body has 12"),
    "a size below zero": (_changed("chunks: [9, 2, 1]", "chunks: [13, -1]"), "expected a number of bytes"),
    "a run without end": (_changed("chunks: [9, 2, 1]", "chunks: [99999999 x 99999999]"), "expected a number of bytes"),
    "a status": (_changed("status: 200", "status: 99999"), "expected an HTTP status"),
    "an end": (_changed("then: reset", "then: party"), "expected one of complete, reset, silence"),
    "a field": (_changed("exchange: {}", "exchange: {shell: rm}"), "exchange.shell"),
    "a block": (
        _changed("exchange: {}", "exchange: {answer: {reply: {blocks: [{Bomb: {}}]}}}"),
        "blocks[0]: expected one of Text, ToolUse",
    ),
    "a message": (_changed("exchange: {}", "exchange: {call: {messages: 7}}"), "valid list"),
    "a class": (
        _changed("exchange: {}", "exchange: {call: {output_model: 'subprocess:Popen'}}"),
        "exchange.call.output_model: expected a model of the scenarios'",
    ),
    "a class of ours": (
        _changed("exchange: {}", "exchange: {call: {output_model: 'harness.scenarios.catalogue.structured:Scenario'}}"),
        "expected a model of the scenarios'",
    ),
    "a number": (_changed("index: 1", "index: 1e400"), "failure.index: expected a value of type int"),
    "a fault": (
        _changed("exchange: {}", "exchange: {answer: {fault: {kind: reset, at: 7}}}"),
        "a fault lies at a fraction from 0 to 1",
    ),
}


@pytest.mark.parametrize(("text", "told"), BROKEN.values(), ids=BROKEN)
def test_another_file_ends_in_one_line_that_names_it(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ReproError) as met:
        load(path)
    assert str(met.value).startswith(f"{path}: ")
    assert told in str(met.value)
    assert "\n" not in str(met.value)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"a: &a [*a]", b"x: " + b"[" * 5000])
def test_so_does_what_is_no_document(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.yaml"
    path.write_bytes(content)
    with pytest.raises(ReproError, match="broken"):
        load(path)


def test_a_file_without_end_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    with path.open("wb") as file:
        file.truncate(17 * 1024 * 1024)
    with pytest.raises(ReproError, match="larger than 16 MiB"):
        load(path)


@given(st.integers(0, len(TEXT)), st.integers(0, 60), st.sampled_from(["", "x", "7", "{}", "[1]", "null", "\n", ": "]))
def test_no_change_of_a_file_does_more_than_that(at: int, length: int, new: str) -> None:
    assert "\n" not in _refusal(TEXT[:at] + new + TEXT[at + length :])


def _refusal(text: str) -> str:
    try:
        parse(text)
    except Malformed as error:
        return str(error)
    return ""


def test_a_repro_file_is_known_by_its_head(tmp_path: Path) -> None:
    repro, cassette = tmp_path / "a.yaml", tmp_path / "b.yaml"
    repro.write_text(TEXT, encoding="utf-8")
    cassette.write_text("version: 1\ninteractions: []\n", encoding="utf-8")
    assert (is_repro(repro), is_repro(cassette)) == (True, False)
