"""The endpoint in process shows clients what a real server does."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import anthropic
import botocore.exceptions
import httpx
import httpx2
import openai
import pytest
import urllib3.exceptions

from harness.dialects.base import Headers
from harness.endpoint.base import Delivery, Endpoint
from harness.wire.faults import Terminal
from tests.endpoint import callers
from tests.endpoint.callers import Call, Outcome, answered, both


@dataclass(frozen=True)
class Client:
    """A call, a reply that it understands, and what it raises when the body breaks or stays out."""

    call: Call
    headers: Headers
    chunks: tuple[bytes, ...]
    items: int
    broken: type[Exception]
    timed_out: type[Exception]


CLIENTS = {
    "httpx2": Client(
        callers.raw_httpx2, callers.PLAIN, (b"H\xc3", b"\xa9", b"llo"), 3, httpx2.ReadError, httpx2.ReadTimeout
    ),
    "httpx": Client(
        callers.raw_httpx, callers.PLAIN, (b"H\xc3", b"\xa9", b"llo"), 3, httpx.ReadError, httpx.ReadTimeout
    ),
    "openai": Client(
        callers.openai_chat, callers.SSE, callers.CHAT, 2, openai.APIConnectionError, openai.APITimeoutError
    ),
    "anthropic": Client(
        callers.anthropic_messages, callers.SSE, callers.MESSAGES, 6, httpx2.ReadError, httpx2.ReadTimeout
    ),
    "bedrock stream": Client(
        callers.bedrock_stream,
        callers.EVENT_STREAM,
        callers.CONVERSE_STREAM,
        4,
        urllib3.exceptions.ProtocolError,
        urllib3.exceptions.ReadTimeoutError,
    ),
    "bedrock whole": Client(
        callers.bedrock_whole,
        callers.JSON,
        callers.CONVERSE,
        1,
        botocore.exceptions.ConnectionClosedError,
        botocore.exceptions.ReadTimeoutError,
    ),
}

#: headers that differ by nature: the host, signatures over it, and identities of the invocation
VARYING = {"host", "authorization", "x-amz-date", "amz-sdk-invocation-id", "accept-encoding"}


def seen(endpoint: Endpoint) -> list[dict[str, Any]]:
    return [
        {
            "method": exchange.request.method,
            "path": exchange.request.path,
            "headers": sorted(pair for pair in exchange.request.headers if pair[0] not in VARYING),
            "body": exchange.request.body,
            "delivered": exchange.delivered,
            "finished": exchange.finished,
            "released": exchange.released,
        }
        for exchange in endpoint.log.exchanges
    ]


def same_on_both(delivery: Delivery, call: Call) -> tuple[Outcome, dict[str, Any]]:
    """The outcome and the one exchange, after they were found equal."""
    with both() as (in_process, loopback):
        outcome = answered(in_process, delivery, call)
        assert outcome == answered(loopback, delivery, call)
        assert seen(in_process) == seen(loopback)
        (exchange,) = seen(in_process)
    return outcome, exchange


every_client = pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)


@every_client
def test_a_reply_is_read_to_its_end(client: Client) -> None:
    outcome, exchange = same_on_both(Delivery(200, client.headers, client.chunks), client.call)
    assert (len(outcome.items), outcome.error) == (client.items, None)
    assert (exchange["delivered"], exchange["finished"], exchange["released"]) == (len(client.chunks), True, True)


@every_client
def test_a_length_that_the_body_does_not_have_is_not_announced(client: Client) -> None:
    headers = (*client.headers, ("Content-Length", "7"), ("Transfer-Encoding", "chunked"))
    outcome, _ = same_on_both(Delivery(200, headers, client.chunks), client.call)
    assert outcome.error is None


@every_client
def test_a_reset_breaks_the_body(client: Client) -> None:
    outcome, exchange = same_on_both(Delivery(200, client.headers, client.chunks[:2], Terminal.RESET), client.call)
    assert outcome.error is client.broken
    assert (exchange["delivered"], exchange["finished"], exchange["released"]) == (2, False, True)


@every_client
def test_a_reset_after_the_headers(client: Client) -> None:
    outcome, _ = same_on_both(Delivery(200, client.headers, (), Terminal.RESET), client.call)
    assert (outcome.items, outcome.error) == ([], client.broken)


@every_client
def test_silence_is_a_time_out(client: Client) -> None:
    outcome, exchange = same_on_both(Delivery(200, client.headers, client.chunks[:2], Terminal.SILENCE), client.call)
    assert outcome.error is client.timed_out
    assert (exchange["finished"], exchange["released"]) == (False, True)


@every_client
def test_an_early_end_in_good_order_is_an_end(client: Client) -> None:
    _, exchange = same_on_both(Delivery(200, client.headers, client.chunks[:1]), client.call)
    assert (exchange["delivered"], exchange["finished"]) == (1, True)


STATUS_ERRORS = {
    "openai": "RateLimitError",
    "anthropic": "RateLimitError",
    "bedrock stream": "ThrottlingException",
    "bedrock whole": "ThrottlingException",
}


@pytest.mark.parametrize("name", STATUS_ERRORS)
def test_an_error_status(name: str) -> None:
    headers = (*callers.JSON, ("x-amzn-errortype", "ThrottlingException"))
    outcome, _ = same_on_both(Delivery(429, headers, (b'{"message":', b'"slow"}')), CLIENTS[name].call)
    assert outcome.error is not None
    assert outcome.error.__name__ == STATUS_ERRORS[name]


#: what both a refused connection (in process) and one that is reset before the response (on loopback) are
NO_RESPONSE = {
    "httpx2": httpx2.NetworkError,
    "httpx": httpx.NetworkError,
    "openai": openai.APIConnectionError,
    "anthropic": anthropic.APIConnectionError,
    "bedrock stream": botocore.exceptions.BotoCoreError,
    "bedrock whole": botocore.exceptions.BotoCoreError,
}


@pytest.mark.parametrize("name", NO_RESPONSE)
def test_a_refused_connection_is_a_failure_of_the_network(name: str) -> None:
    client = CLIENTS[name]
    with both() as endpoints:
        for endpoint in endpoints:
            outcome = answered(endpoint, Delivery(200, client.headers, client.chunks, refused=True), client.call)
            assert not outcome.items
            assert outcome.error is not None
            assert issubclass(outcome.error, NO_RESPONSE[name])
            (exchange,) = endpoint.log.exchanges
            assert (exchange.delivered, exchange.released) == (0, True)


def closed_and_read_on(stream: Any, take: Callable[[Any], Any], read: Callable[[Any], Any]) -> Any:
    """What reading gives after closing: a value, or the type of an error."""
    source = take(stream)
    stream.close()
    try:
        return read(source)
    except Exception as error:
        return type(error)


def taken(events: Any) -> Any:
    source = iter(events)
    next(source)
    return source


def test_reading_on_after_closing_is_the_same_for_botocore() -> None:
    found = []
    with both() as endpoints:
        for endpoint in endpoints:
            endpoint.reset(lambda _: Delivery(200, callers.EVENT_STREAM, callers.CONVERSE_STREAM))
            client = callers.bedrock(endpoint)
            found.append(
                (
                    closed_and_read_on(client.converse_stream(**callers.ASK)["stream"], taken, list),
                    closed_and_read_on(client.converse_stream(**callers.ASK)["stream"], iter, list),
                    closed_and_read_on(
                        client.invoke_model(modelId="m", body=b"{}")["body"],
                        lambda body: body.read(3) and body,
                        lambda body: body.read(),
                    ),
                )
            )
    in_process, loopback = found
    assert in_process == loopback
    assert in_process[1:] == ([], b"")
