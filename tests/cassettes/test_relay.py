"""The recorder in the middle: it hands on while it keeps, whatever comes."""

import socket
import threading
from dataclasses import replace
from typing import Any

import pytest

from harness.cassettes.budget import Budget, BudgetSpentError, parse_budget
from harness.cassettes.model import End
from harness.cassettes.relay import Relay
from harness.cassettes.service import MissingKeyError, service_of, stand_in
from harness.discovery import find
from harness.endpoint.base import Delivery
from harness.provider import Provider
from harness.wire.faults import Terminal
from tests.cassettes.services import ask, recorded, reply_of

ALL = find(["all"])
(OPENAI,) = find(["openai"])


@pytest.mark.parametrize("provider", ALL, ids=lambda provider: provider.name)
def test_the_first_event_comes_before_the_last_chunk_was_sent(provider: Provider) -> None:
    seen, waited = threading.Event(), []
    reply = reply_of(provider)

    def gate(index: int) -> None:
        if index == len(reply.chunks) - 1:
            waited.append(seen.wait(20))

    with recorded(provider, replace(reply, gate=gate)) as relay:
        raised = ask(provider, relay, lambda event: seen.set())
        assert (raised, waited) == (None, [True])
        (taken,) = relay.taken
    assert (taken.chunks, taken.end) == (reply.chunks, End.COMPLETE)
    assert len(taken.times) == len(taken.chunks)
    assert list(taken.times) == sorted(taken.times)


@pytest.mark.parametrize("provider", ALL, ids=lambda provider: provider.name)
def test_a_cut_stream_is_kept_and_handed_on(provider: Provider) -> None:
    reply = reply_of(provider)
    sent = reply.chunks[:-1]
    with recorded(provider, replace(reply, chunks=sent, terminal=Terminal.RESET)) as relay:
        assert ask(provider, relay) is not None
        (taken,) = relay.taken
    assert (b"".join(taken.chunks), taken.end) == (b"".join(sent), End.CUT)


def test_an_error_is_kept_and_handed_on() -> None:
    body = b'{"error": {"message": "No such model", "type": "invalid_request_error", "code": "model_not_found"}}'
    with recorded(OPENAI, Delivery(404, (("content-type", "application/json"),), (body,))) as relay:
        assert "No such model" in str(ask(OPENAI, relay))
        (taken,) = relay.taken
    assert (taken.status, taken.body, taken.end) == (404, body, End.COMPLETE)


def test_what_an_adapter_leaves_is_kept_to_its_end() -> None:
    reply = reply_of(OPENAI)
    with recorded(OPENAI, reply) as relay:

        def leave(event: Any) -> None:
            raise ConnectionAbortedError("enough")

        assert isinstance(ask(OPENAI, relay, leave), ConnectionAbortedError)
        (taken,) = relay.taken
    assert (taken.chunks, taken.end) == (reply.chunks, End.COMPLETE)


def test_what_is_no_http_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_babble, args=(server,), daemon=True).start()
        relay = Relay(stand_in(OPENAI, f"http://127.0.0.1:{server.getsockname()[1]}"), Budget())
        relay.begin()
        relay.reset(lambda request: Delivery(500, (), ()))
        assert ask(OPENAI, relay) is not None
        assert relay.taken == []
        (failure,) = relay.failures
        assert "RemoteProtocolError" in failure
        relay.close()


def _babble(server: socket.socket) -> None:
    connection, _ = server.accept()
    connection.recv(65536)
    connection.sendall(b"what is it?\r\n\r\n")
    connection.close()


def test_a_service_that_cannot_be_reached_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    relay = Relay(stand_in(OPENAI, f"http://127.0.0.1:{port}"), Budget())
    relay.begin()
    relay.reset(lambda request: Delivery(500, (), ()))
    assert ask(OPENAI, relay) is not None
    assert (relay.taken, len(relay.failures)) == ([], 1)
    relay.close()


def test_no_call_is_made_beyond_the_budget() -> None:
    budget = Budget(calls=1)
    with recorded(OPENAI, reply_of(OPENAI), budget) as relay:
        assert ask(OPENAI, relay) is None
        assert ask(OPENAI, relay) is not None
        assert len(relay.taken) == 1
    with pytest.raises(BudgetSpentError, match="limit of calls"):
        budget.check()


def test_a_budget_is_read_and_tokens_count() -> None:
    assert (parse_budget("5"), parse_budget("5,70")) == (Budget(5), Budget(5, 70))
    budget = parse_budget("5,70")
    budget.take_tokens(70)
    with pytest.raises(BudgetSpentError, match="limit of tokens"):
        budget.check()


@pytest.mark.parametrize("provider", [each for each in ALL if each.live and each.live.keys], ids=lambda each: each.name)
def test_missing_keys_are_told_by_name(provider: Provider) -> None:
    assert provider.live is not None
    with pytest.raises(MissingKeyError, match=provider.live.keys[0][0]):
        service_of(provider, {})


@pytest.mark.parametrize(
    ("address", "root"),
    [
        ("http://127.0.0.1:9/v1", "http://127.0.0.1:9"),
        ("http://127.0.0.1:9/v1/", "http://127.0.0.1:9"),
        ("127.0.0.1:9", "http://127.0.0.1:9"),
        ("https://gateway.example.com/openai/v1", "https://gateway.example.com/openai"),
    ],
)
def test_another_address_is_taken_from_the_environment(address: str, root: str) -> None:
    service = service_of(OPENAI, {"OPENAI_API_KEY": "x", "OPENAI_BASE_URL": address})
    assert service.url.geturl() == root
