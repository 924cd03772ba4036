import asyncio
import socket
import threading
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from harness.dialects.base import WireRequest
from harness.endpoint.base import Delivery
from harness.endpoint.clock import VirtualClock
from harness.endpoint.connection import Connection
from harness.endpoint.exchanges import Exchanges
from harness.endpoint.loopback import LoopbackEndpoint
from harness.wire.faults import Terminal
from tests.endpoint.callers import ASK, CONVERSE_STREAM, EVENT_STREAM, PLAIN, answered, bedrock, pull, raw_httpx2

SOME = (b"one", b"two", b"three")


@pytest.fixture
def endpoint() -> Iterator[LoopbackEndpoint]:
    endpoint = LoopbackEndpoint()
    yield endpoint
    endpoint.close()


@pytest.fixture
def pooling() -> Iterator[LoopbackEndpoint]:
    endpoint = LoopbackEndpoint(keep_alive=True)
    yield endpoint
    endpoint.close()


def serve(endpoint: LoopbackEndpoint, **changes: Any) -> None:
    delivery = Delivery(**{"status": 200, "headers": PLAIN, "chunks": SOME, **changes})
    endpoint.reset(lambda _: delivery)


class Gate:
    """Holds the server back before a chunk until it is opened."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.opened = threading.Event()

    def __call__(self, index: int) -> None:
        if index == self.index:
            assert self.opened.wait(timeout=30)


async def ignore(_: Any, __: bytes) -> None: ...


def test_each_chunk_arrives_before_the_next_is_sent(endpoint: LoopbackEndpoint) -> None:
    gates = [Gate(1), Gate(2)]

    def hold(index: int) -> None:
        for gate in gates:
            gate(index)

    serve(endpoint, gate=hold)
    taken: list[tuple[bytes, int]] = []

    async def note(_: Any, chunk: bytes) -> None:
        taken.append((chunk, endpoint.log.exchanges[0].delivered))
        if len(taken) <= len(gates):
            gates[len(taken) - 1].opened.set()

    asyncio.run(pull(endpoint, note))
    assert taken == list(zip(SOME, (1, 2, 3), strict=True))


def test_a_client_that_leaves_in_mid_stream_is_noticed(endpoint: LoopbackEndpoint) -> None:
    serve(endpoint, terminal=Terminal.SILENCE)

    async def leave() -> tuple[int, int]:
        async with endpoint.httpx2_client() as client:
            response = await client.send(client.build_request("GET", endpoint.base_url), stream=True)
            before = endpoint.log.unreleased
            await response.aclose()
            return before, endpoint.log.unreleased

    assert asyncio.run(leave()) == (1, 0)
    assert not endpoint.log.exchanges[0].finished


def test_a_client_that_leaves_while_the_server_is_held_back_is_noticed(endpoint: LoopbackEndpoint) -> None:
    gate = Gate(1)
    serve(endpoint, gate=gate)

    async def leave(response: Any, _: bytes) -> None:
        await response.aclose()

    with pytest.raises(httpx2.ReadError):  # the reader reads on
        asyncio.run(pull(endpoint, leave))
    (exchange,) = endpoint.log.exchanges
    gate.opened.set()
    assert (exchange.delivered, exchange.finished, exchange.released) == (1, False, True)


def test_a_whole_body_that_nobody_reads_is_unreleased(endpoint: LoopbackEndpoint) -> None:
    serve(endpoint)

    async def leave() -> tuple[int, int, int]:
        client = endpoint.httpx2_client()
        await client.send(client.build_request("GET", endpoint.base_url), stream=True)
        before = endpoint.log.unreleased, endpoint.opened, endpoint.closed
        await client.aclose()
        return before

    assert asyncio.run(leave()) == (1, 1, 0)
    assert (endpoint.log.unreleased, endpoint.opened, endpoint.closed) == (0, 1, 1)


def test_botocores_streams_are_released_by_closing(endpoint: LoopbackEndpoint) -> None:
    serve(endpoint, headers=EVENT_STREAM, chunks=CONVERSE_STREAM, terminal=Terminal.SILENCE)
    stream = bedrock(endpoint).converse_stream(**ASK)["stream"]
    next(iter(stream))
    before = endpoint.log.unreleased
    stream.close()
    assert (before, endpoint.log.unreleased) == (1, 0)


def test_a_connection_serves_one_exchange_unless_kept_alive(
    endpoint: LoopbackEndpoint, pooling: LoopbackEndpoint
) -> None:
    async def calls(endpoint: LoopbackEndpoint) -> tuple[int, int]:
        serve(endpoint)
        async with endpoint.httpx2_client() as client:
            for _ in range(3):
                assert (await client.post(endpoint.base_url, content=b"ask")).content == b"onetwothree"
            return endpoint.opened, endpoint.closed

    assert asyncio.run(calls(endpoint)) == (3, 3)
    assert asyncio.run(calls(pooling)) == (1, 0)
    assert (pooling.opened, pooling.closed) == (1, 1)
    for served in (endpoint, pooling):
        assert [e.released for e in served.log.exchanges] == [True] * 3
        assert [request.body for request in served.log.requests] == [b"ask"] * 3


def test_a_kept_connection_outlives_a_reset_of_the_log(pooling: LoopbackEndpoint) -> None:
    async def calls() -> int:
        async with pooling.httpx2_client() as client:
            for _ in range(3):
                serve(pooling)
                await client.get(pooling.base_url)
            return pooling.opened

    assert asyncio.run(calls()) == 0


def test_a_reset_loses_nothing_of_a_large_body(endpoint: LoopbackEndpoint) -> None:
    large = (bytes(3_000_000), b"end")
    outcome = answered(endpoint, Delivery(200, PLAIN, large, Terminal.RESET), raw_httpx2)
    assert outcome.error is httpx2.ReadError
    assert sum(map(len, outcome.items)) == 3_000_003


@pytest.mark.parametrize("end", ["reset", "close"])
def test_the_end_of_the_endpoint_cuts_a_silent_connection(endpoint: LoopbackEndpoint, end: str) -> None:
    serve(endpoint, terminal=Terminal.SILENCE)
    ends = {"reset": lambda: serve(endpoint), "close": endpoint.close}

    async def end_when_silent(_: Any, chunk: bytes) -> None:
        if chunk == SOME[-1]:
            ends[end]()

    with pytest.raises(httpx2.ReadError):
        asyncio.run(pull(endpoint, end_when_silent, timeout=None))


def test_a_silent_connection_does_not_hold_up_another(endpoint: LoopbackEndpoint) -> None:
    silent, plain = Delivery(200, PLAIN, SOME, Terminal.SILENCE), Delivery(200, PLAIN, SOME)
    endpoint.reset(lambda request: silent if request.path == "/silent" else plain)

    async def calls() -> bytes:
        async with endpoint.httpx2_client() as client:
            request = client.build_request("GET", f"{endpoint.base_url}/silent")
            response = await client.send(request, stream=True)
            body: bytes = (await client.get(endpoint.base_url)).content
            await response.aclose()
            return body

    assert asyncio.run(calls()) == b"onetwothree"


def test_gaps_pass_on_the_endpoints_clock() -> None:
    clock = VirtualClock()
    endpoint = LoopbackEndpoint(clock)
    try:
        serve(endpoint, gap=3600)
        asyncio.run(pull(endpoint, ignore))
    finally:
        endpoint.close()
    assert clock.time() == 3 * 3600


def test_chunked_requests_are_read(endpoint: LoopbackEndpoint) -> None:
    serve(endpoint)

    async def call() -> None:
        async def body() -> Any:
            yield b"as"
            yield b"k"

        async with endpoint.httpx2_client() as client:
            await client.post(endpoint.base_url, content=body())

    asyncio.run(call())
    (request,) = endpoint.log.requests
    assert (request.body, request.header("transfer-encoding")) == (b"ask", "chunked")


def test_a_client_that_speaks_no_http_is_cut_off(endpoint: LoopbackEndpoint) -> None:
    serve(endpoint)
    host, _, port = endpoint.base_url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as sock:
        sock.sendall(b"\0\1\2\r\n\r\n")
        assert sock.recv(1) == b""
    assert endpoint.log.requests == []


@pytest.mark.parametrize("part", ["responder", "gate"])
def test_a_failure_of_the_test_is_not_taken_for_the_networks(endpoint: LoopbackEndpoint, part: str) -> None:
    def fail(_: object) -> Any:
        raise ZeroDivisionError

    def respond(request: WireRequest) -> Delivery:
        if part == "responder":
            fail(request)
        return Delivery(200, PLAIN, SOME, gate=fail)

    endpoint.reset(respond)
    assert raw_httpx2(endpoint).error is not None
    with pytest.raises(RuntimeError, match="the endpoint itself failed") as caught:
        _ = endpoint.log
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_connection_that_is_gone_is_not_cut_again() -> None:
    async def cut_twice() -> None:
        served = asyncio.get_running_loop().create_future()

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connection = Connection(reader, writer, Exchanges(VirtualClock()), keep_alive=False)
            connection.cut()
            await asyncio.sleep(0)  # the socket is closed now
            connection.cut()
            served.set_result(writer.transport.is_closing())

        async with await asyncio.start_server(accept, "127.0.0.1", 0) as server:
            _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            assert await asyncio.wait_for(served, timeout=30)
            writer.close()

    asyncio.run(cut_twice())


def test_closing_ends_the_server_and_its_thread(endpoint: LoopbackEndpoint) -> None:
    serve(endpoint)
    endpoint.close()
    endpoint.close()
    assert "loopback-endpoint" not in {thread.name for thread in threading.enumerate()}
    assert raw_httpx2(endpoint).error is httpx2.ConnectError
