"""Real provider traffic through the real SDKs: what comes out of an adapter is what the dialect reads."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from rich.console import Console

from harness.checks import judge
from harness.dialects import load_dialect
from harness.dialects.base import DecodeError
from harness.dialects.reply import Reply, Text
from harness.endpoint.in_process import InProcessEndpoint
from harness.endpoint.loop import StallSelector, run_loop
from harness.exchange import Exchange
from harness.run import Subject, observe
from tests.recordings.corpus import CorpusExchange, exchanges, rows
from tests.replay.cases import body_of, cases, error_of, is_stream, request_of, skipped
from tests.replay.known import (
    ERROR_CLASSES,
    EXPLAINED,
    MENDED,
    MISWRITTEN,
    OTHER_ENDPOINTS,
    UNASKED_KINDS,
    UNASKED_QUERIES,
    UNREPLAYABLE,
)
from tests.replay.protocols import ADAPTERS, PROTOCOLS, PROVIDER_OF
from tests.replay.replay import replay, tallies
from tests.replay.table import numbers, remarks
from tests.shared import needs_shared

pytestmark = needs_shared

#: what the recordings must put to the test, lest a replay that checks nothing passes
EXERCISED = {
    "STREAM-EVENT-SHAPE",
    "STREAM-STOP-MISSING",
    "STREAM-TOOL-ID-UNIQUE",
    "CONTENT-DELIVERED",
    "CONTENT-TEXT",
    "CONTENT-BLOCKS",
    "CONTENT-INCREMENTAL",
    "TOOL-COUNT",
    "TOOL-ID",
    "TOOL-NAME",
    "TOOL-INPUT",
    "REASON-TEXT",
    "REASON-SIGNATURE",
    "REASON-REDACTED",
    "CITE-KEPT",
    "CITE-FIELDS",
    "STOP-MAPPED",
    "USAGE-INPUT",
    "USAGE-OUTPUT",
    "USAGE-CACHE",
    "ERROR-SWALLOWED",
    "ERROR-ONE-REQUEST",
    "ERROR-TYPED",
    "ERROR-THROTTLE",
    "ERROR-OVERFLOW",
    "ERROR-TOOLS",
    "ERROR-OTHER",
    "ERROR-MESSAGE",
}


def recorded() -> list[CorpusExchange]:
    return list(exchanges(PROVIDER_OF))


@pytest.mark.parametrize(("provider", "protocol"), [(name, each) for name in PROTOCOLS for each in PROTOCOLS[name]])
def test_recordings_arrive_as_they_are_read(provider: str, protocol: str) -> None:
    tally = replay(provider)[protocol]
    assert [str(breach) for breach in tally.unexplained] == []
    assert tally.replayed > 0


def test_every_exchange_is_replayed_or_skipped_for_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    manifest = dict.fromkeys(PROVIDER_OF, 0)
    for row in rows():
        if row.protocol in manifest:
            manifest[row.protocol] += len(row.exchanges)
    met = {protocol: tally.replayed + sum(tally.skipped.values()) for _, protocol, tally in tallies()}
    assert met == manifest
    with capsys.disabled():
        console = Console(width=140)
        console.print()
        console.print(numbers())
        for remark in remarks():
            console.print(remark, highlight=False, markup=False)


def test_the_rules_are_put_to_the_test() -> None:
    exercised = set().union(*(tally.exercised for _, _, tally in tallies()))
    assert EXERCISED - exercised == set()


# --- the tables of known things ---------------------------------------------------------------------------------


def test_every_row_on_a_recording_is_needed() -> None:
    found = recorded()
    assert {each.name for each in found if body_of(each) != each.exchange.response.body} == set(MENDED)
    assert {reason for each in found if (reason := skipped(each))} == {
        *OTHER_ENDPOINTS.values(),
        *UNASKED_QUERIES.values(),
        *UNASKED_KINDS.values(),
        *UNREPLAYABLE.values(),
    }
    met = {(breach.case.found.name, breach.violation.rule) for _, _, tally in tallies() for breach in tally.breaches}
    assert set(EXPLAINED) - met == set()


def test_exchanges_that_cannot_be_replayed_cannot_be_read() -> None:
    for each in recorded():
        if each.name in UNREPLAYABLE:
            dialect = load_dialect(ADAPTERS[PROVIDER_OF[each.row.protocol]].dialect)
            with pytest.raises(DecodeError):
                dialect.decode(each.exchange.response.body, stream=is_stream(each))


def test_classes_are_told_of_recorded_errors_only() -> None:
    errors = {each.name for each in recorded() if not skipped(each) and error_of(each)}
    assert set(ERROR_CLASSES) - errors == set()


# --- the requests -----------------------------------------------------------------------------------------------

PATHS = {
    "bedrock": "/model/m/converse",
    "anthropic": "/v1/messages",
    "gemini": "/v1beta/models/m:generateContent",
    "llamacpp": "/v1/chat/completions",
    "mistral": "/v1/chat/completions",
    "ollama": "/api/chat",
    "openai": "/v1/chat/completions",
    "openai_responses": "/v1/responses",
    "writer": "/v1/chat",
}
#: how many requests there are at least, where they are fewer than sixteen
FEW = {"llamacpp": 9, "writer": 7}


@pytest.mark.parametrize("provider", PROTOCOLS)
def test_every_request_that_was_answered_is_read(provider: str) -> None:
    dialect = load_dialect(ADAPTERS[provider].dialect)
    read = 0
    for each in exchanges(PROTOCOLS[provider]):
        request = request_of(each, PATHS[provider])
        if request is None or skipped(each) or each.exchange.response.status >= 300:
            continue
        if each.name in MISWRITTEN:
            with pytest.raises(DecodeError):
                dialect.read_request(request)
            continue
        view = dialect.read_request(request)
        assert view.turns or view.system or "prompt" in json.loads(request.body), each.name  # one that is stored
        assert view.stream == is_stream(each), each.name
        read += 1
    assert read >= FEW.get(provider, 16)


# --- a replay that goes wrong -----------------------------------------------------------------------------------


each_provider = pytest.mark.parametrize("provider", PROTOCOLS)

#: providers of which no error was recorded
WITHOUT_ERRORS = {"llamacpp", "writer"}


def broken(provider: str, exchange: Exchange) -> set[str]:
    """The rules that one replay breaks."""
    selector, adapter = StallSelector(), ADAPTERS[provider]
    subject = Subject(adapter, load_dialect(adapter.dialect), InProcessEndpoint(), selector)
    with run_loop(selector) as runner:
        return set(judge(runner.run(observe(subject, exchange))).broken)


def every(provider: str) -> Iterator[Exchange]:
    dialect = load_dialect(ADAPTERS[provider].dialect)
    for each in exchanges(PROTOCOLS[provider]):
        if not skipped(each):
            yield from (case.exchange for case in cases(each, dialect))


def a_reply(provider: str) -> Exchange:
    """A stream that says text."""
    return next(one for one in every(provider) if one.stream and any(isinstance(b, Text) for b in said(one).blocks))


def said(exchange: Exchange) -> Reply:
    return exchange.answer.reply


def an_error(provider: str) -> Exchange | None:
    return next((one for one in every(provider) if one.answer.error is not None), None)


@each_provider
def test_another_text_than_was_said_is_noticed(provider: str) -> None:
    exchange = a_reply(provider)
    reply = replace(said(exchange), blocks=(*said(exchange).blocks, Text("more")))
    assert broken(provider, exchange) == set()
    assert "CONTENT-TEXT" in broken(provider, replace(exchange, answer=replace(exchange.answer, reply=reply)))


@each_provider
def test_a_frame_that_was_lost_is_noticed(provider: str) -> None:
    exchange = a_reply(provider)
    wire = exchange.answer.raw
    assert wire is not None
    raw = replace(wire, frames=wire.frames[: len(wire.frames) // 2])
    assert broken(provider, replace(exchange, answer=replace(exchange.answer, raw=raw))) & {
        "CONTENT-DELIVERED",
        "CONTENT-TEXT",
    }


def test_all_recordings_but_these_hold_an_error() -> None:
    assert {provider for provider in PROTOCOLS if an_error(provider) is None} == WITHOUT_ERRORS


@pytest.mark.parametrize("provider", sorted(PROTOCOLS.keys() - WITHOUT_ERRORS))
def test_an_error_in_place_of_a_reply_and_a_reply_in_place_of_an_error_are_noticed(provider: str) -> None:
    reply, error = a_reply(provider), an_error(provider)
    assert error is not None
    as_reply = replace(error, answer=replace(error.answer, error=None))
    as_error = replace(reply, answer=replace(reply.answer, error=error.answer.error))
    assert "CONTENT-DELIVERED" in broken(provider, as_reply)
    assert "ERROR-SWALLOWED" in broken(provider, as_error)
