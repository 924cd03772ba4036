import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import httpx2
import pytest
import respx
import urllib3.exceptions

from harness.dialects.base import WireRequest
from harness.endpoint.base import Delivery
from harness.endpoint.clock import RealClock, VirtualClock
from harness.endpoint.in_process import InProcessEndpoint
from harness.wire.faults import Terminal
from tests.endpoint.callers import ASK, CONVERSE_STREAM, EVENT_STREAM, PLAIN, answered, bedrock, pull, raw_httpx2

SOME = (b"one", b"two", b"three")


@pytest.fixture
def endpoint() -> Iterator[InProcessEndpoint]:
    endpoint = InProcessEndpoint()
    yield endpoint
    endpoint.close()


def serve(endpoint: InProcessEndpoint, **changes: Any) -> None:
    delivery = Delivery(**{"status": 200, "headers": PLAIN, "chunks": SOME, **changes})
    endpoint.reset(lambda _: delivery)


@pytest.mark.parametrize("size", [1, 2, 7, 100])
def test_chunks_come_as_they_were_cut(endpoint: InProcessEndpoint, size: int) -> None:
    body = bytes(range(100))
    chunks = tuple(body[at : at + size] for at in range(0, 100, size))
    assert answered(endpoint, Delivery(200, PLAIN, chunks), raw_httpx2).items == list(chunks)


def test_botocore_gets_the_chunks_as_they_were_cut(endpoint: InProcessEndpoint) -> None:
    serve(endpoint, headers=EVENT_STREAM, chunks=tuple(bytes([byte]) for byte in b"".join(CONVERSE_STREAM)))
    events = bedrock(endpoint).converse_stream(**ASK)["stream"]
    taken = [(next(iter(event)), endpoint.log.exchanges[0].delivered) for event in events]
    ends = [sum(map(len, CONVERSE_STREAM[:number])) for number in (1, 2, 3, 4)]
    assert taken == list(
        zip(["messageStart", "contentBlockDelta", "contentBlockStop", "messageStop"], ends, strict=True)
    )


def test_nothing_is_taken_before_it_is_read(endpoint: InProcessEndpoint) -> None:
    serve(endpoint)
    counts = []

    async def count(_: Any, __: bytes) -> None:
        counts.append(endpoint.log.exchanges[0].delivered)

    asyncio.run(pull(endpoint, count))
    assert counts == [1, 2, 3]


def test_a_response_is_unreleased_until_closed(endpoint: InProcessEndpoint) -> None:
    serve(endpoint)
    states = []

    async def leave() -> None:
        async with endpoint.httpx2_client() as client:
            response = await client.send(client.build_request("GET", "http://x/"), stream=True)
            chunks = response.aiter_raw()
            await anext(chunks)
            states.append(endpoint.log.unreleased)
            await response.aclose()
            states.append(endpoint.log.unreleased)
            await chunks.aclose()

    asyncio.run(leave())
    assert states == [1, 0]
    assert (endpoint.log.exchanges[0].delivered, endpoint.log.exchanges[0].finished) == (1, False)


def test_reading_the_transports_own_stream_to_its_end_releases(endpoint: InProcessEndpoint) -> None:
    serve(endpoint)

    async def read() -> list[bytes]:
        response = await endpoint.transport("httpx2").handle_async_request(httpx2.Request("GET", "http://x/"))
        return [chunk async for chunk in response.stream]

    assert asyncio.run(read()) == list(SOME)
    assert endpoint.log.unreleased == 0


def test_a_stream_that_is_asked_for_again_goes_on(endpoint: InProcessEndpoint) -> None:
    serve(endpoint)

    async def read() -> list[bytes]:
        async with endpoint.httpx2_client() as client, client.stream("GET", endpoint.base_url) as response:
            first = await anext(aiter(response.stream))
            return [first, *[chunk async for chunk in response.stream]]

    assert asyncio.run(read()) == list(SOME)
    assert endpoint.log.exchanges[0].finished


def test_reading_on_after_closing_fails(endpoint: InProcessEndpoint) -> None:
    serve(endpoint)

    async def leave(response: Any, _: bytes) -> None:
        await response.aclose()

    with pytest.raises(httpx2.ReadError):
        asyncio.run(pull(endpoint, leave))
    (exchange,) = endpoint.log.exchanges
    assert (exchange.delivered, exchange.finished, exchange.released) == (1, False, True)


def test_closing_the_client_releases_what_it_holds(endpoint: InProcessEndpoint) -> None:
    serve(endpoint)

    async def leave() -> int:
        async with endpoint.httpx2_client() as client:
            await client.send(client.build_request("GET", "http://x/"), stream=True)
            return endpoint.log.unreleased

    assert asyncio.run(leave()) == 1
    assert endpoint.log.unreleased == 0


def test_cancelling_the_reader_releases(endpoint: InProcessEndpoint) -> None:
    serve(endpoint, terminal=Terminal.SILENCE)

    async def cancel() -> None:
        read: list[bytes] = []
        started = asyncio.Event()

        async def note(_: Any, chunk: bytes) -> None:
            read.append(chunk)
            if len(read) == len(SOME):
                started.set()

        client = endpoint.httpx2_client(timeout=None)
        reader = asyncio.create_task(_read(client, note))
        await started.wait()
        reader.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reader
        assert endpoint.log.unreleased == 0
        await client.aclose()

    asyncio.run(cancel())


async def _read(client: Any, note: Any) -> None:
    async with client.stream("GET", "http://x/") as response:
        async for chunk in response.aiter_raw():
            await note(response, chunk)


def test_closing_elsewhere_ends_an_endless_silence(endpoint: InProcessEndpoint) -> None:
    serve(endpoint, terminal=Terminal.SILENCE)

    async def close_when_silent(response: Any, chunk: bytes) -> None:
        if chunk == SOME[-1]:
            asyncio.get_running_loop().call_later(0, lambda: closers.append(asyncio.ensure_future(response.aclose())))

    closers: list[asyncio.Future[None]] = []
    with pytest.raises(httpx2.ReadError):
        asyncio.run(pull(endpoint, close_when_silent, timeout=None))
    assert endpoint.log.unreleased == 0


@pytest.mark.parametrize("end", ["reset", "close"])
def test_the_end_of_the_endpoint_frees_a_hanging_task(endpoint: InProcessEndpoint, end: str) -> None:
    serve(endpoint, terminal=Terminal.SILENCE)
    ends = {"reset": lambda: serve(endpoint), "close": endpoint.close}

    async def end_when_silent(_: Any, chunk: bytes) -> None:
        if chunk == SOME[-1]:
            # from another thread, once the reader waits
            loop = asyncio.get_running_loop()
            loop.call_soon(lambda: loop.call_soon(lambda: loop.run_in_executor(None, ends[end])))

    with pytest.raises(httpx2.ReadError):
        asyncio.run(pull(endpoint, end_when_silent, timeout=None))


def test_the_end_of_the_endpoint_frees_a_hanging_thread() -> None:
    endpoint = InProcessEndpoint(RealClock())
    serve(endpoint, headers=EVENT_STREAM, chunks=CONVERSE_STREAM[:1], terminal=Terminal.SILENCE)
    events = iter(bedrock(endpoint, read_timeout=600).converse_stream(**ASK)["stream"])
    next(events)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(next, events)
        while not waiting.done():  # the thread may not wait yet when the endpoint is closed first
            endpoint.close()
        assert isinstance(waiting.exception(), urllib3.exceptions.ProtocolError)
    assert endpoint.log.unreleased == 0


def test_closing_a_stream_of_botocore_releases_it(endpoint: InProcessEndpoint) -> None:
    serve(endpoint, headers=EVENT_STREAM, chunks=CONVERSE_STREAM)
    stream = bedrock(endpoint).converse_stream(**ASK)["stream"]
    next(iter(stream))
    assert endpoint.log.unreleased == 1
    stream.close()
    (exchange,) = endpoint.log.exchanges
    assert (exchange.delivered, exchange.finished, exchange.released) == (1, False, True)


def test_attaching_twice_answers_once(endpoint: InProcessEndpoint) -> None:
    serve(endpoint, headers=EVENT_STREAM, chunks=CONVERSE_STREAM)
    client = bedrock(endpoint)
    endpoint.attach_botocore(client)
    assert len(list(client.converse_stream(**ASK)["stream"])) == 4
    assert len(endpoint.log.requests) == 1


def test_a_streaming_body_is_read_in_pieces_of_any_size(endpoint: InProcessEndpoint) -> None:
    serve(endpoint)
    body = bedrock(endpoint).invoke_model(modelId="m", body=b"{}")["body"]
    assert [body.read(4), endpoint.log.exchanges[0].delivered, body.read(1), body.read(), body.read(1)] == [
        b"onet", 2, b"w", b"othree", b""
    ]  # fmt: skip
    assert endpoint.log.exchanges[0].finished


def test_virtual_gaps_pass_at_once() -> None:
    clock, began = VirtualClock(), time.monotonic()
    endpoint = InProcessEndpoint(clock)
    outcome = answered(endpoint, Delivery(200, PLAIN, SOME, gap=0.25), raw_httpx2)
    assert (outcome.items, outcome.error, clock.time()) == (list(SOME), None, 0.75)
    hours = Delivery(200, PLAIN, SOME, gap=3600)

    async def ignore(_: Any, __: bytes) -> None: ...

    endpoint.reset(lambda _: hours)
    asyncio.run(pull(endpoint, ignore, timeout=None))
    assert clock.time() == 0.75 + 3 * 3600
    assert time.monotonic() - began < 60


def test_a_gap_longer_than_the_read_time_out_times_out() -> None:
    clock = VirtualClock()
    outcome = answered(InProcessEndpoint(clock), Delivery(200, PLAIN, SOME, gap=9), raw_httpx2)
    assert (outcome.items, outcome.error, clock.time()) == ([], httpx2.ReadTimeout, 0.4)


def test_a_read_time_out_of_botocore_runs_on_the_clock() -> None:
    clock = VirtualClock()
    endpoint = InProcessEndpoint(clock)
    serve(endpoint, headers=EVENT_STREAM, chunks=CONVERSE_STREAM[:1], terminal=Terminal.SILENCE)
    stream = bedrock(endpoint, read_timeout=3600).converse_stream(**ASK)["stream"]
    with pytest.raises(urllib3.exceptions.ReadTimeoutError):
        list(stream)
    assert clock.time() == 3600


def test_streams_with_gaps_come_side_by_side(endpoint: InProcessEndpoint) -> None:
    serve(endpoint, gap=1)
    order: list[str] = []

    async def run() -> None:
        async def note(name: str) -> None:
            async def on_chunk(_: Any, chunk: bytes) -> None:
                order.append(f"{name} {chunk.decode()}")

            await pull(endpoint, on_chunk)

        await asyncio.gather(note("a"), note("b"))

    asyncio.run(run())
    assert order == ["a one", "b one", "a two", "b two", "a three", "b three"]


def test_gates_open_before_the_headers_and_each_chunk(endpoint: InProcessEndpoint) -> None:
    passed: list[int] = []
    serve(endpoint, gate=passed.append)

    async def note(_: Any, __: bytes) -> None:
        passed.append(100)

    asyncio.run(pull(endpoint, note))
    assert passed == [-1, 0, 100, 1, 100, 2, 100]
    passed.clear()
    serve(endpoint, headers=EVENT_STREAM, chunks=CONVERSE_STREAM[:2], gate=passed.append)
    passed.extend(100 for _ in bedrock(endpoint).converse_stream(**ASK)["stream"])
    assert passed == [-1, 0, 100, 1, 100]


def test_requests_of_many_threads_are_all_logged_in_the_responders_order(endpoint: InProcessEndpoint) -> None:
    answered_requests: list[WireRequest] = []

    def responder(request: WireRequest) -> Delivery:
        answered_requests.append(request)
        return Delivery(200, EVENT_STREAM, CONVERSE_STREAM)

    endpoint.reset(responder)
    client, start = bedrock(endpoint), threading.Barrier(8)

    def work() -> None:
        start.wait()
        for _ in range(5):
            list(client.converse_stream(**ASK)["stream"])

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(work) for _ in range(8)]:
            done.result()
    log = endpoint.log
    assert [id(request) for request in log.requests] == [id(request) for request in answered_requests]
    assert [(e.delivered, e.finished, e.released) for e in log.exchanges] == [(4, True, True)] * 40


def test_the_failure_of_a_responder_is_not_taken_for_the_networks(endpoint: InProcessEndpoint) -> None:
    answered(endpoint, Delivery(200, PLAIN, ()), raw_httpx2)
    endpoint.reset(lambda _: 1 / 0)  # type: ignore[arg-type, return-value]
    assert raw_httpx2(endpoint).error is ZeroDivisionError
    with pytest.raises(RuntimeError, match="the endpoint itself failed") as caught:
        _ = endpoint.log
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    serve(endpoint)
    assert endpoint.log.requests == []


def test_an_endpoint_without_a_responder_says_so() -> None:
    assert raw_httpx2(InProcessEndpoint()).error is RuntimeError


def test_a_foreign_client_is_served_through_respx(endpoint: InProcessEndpoint) -> None:
    serve(endpoint)

    async def foreign() -> list[tuple[bytes, int]]:
        async with httpx.AsyncClient() as client, client.stream("GET", "https://vendor.example/v1?q=1") as response:
            return [(chunk, endpoint.log.exchanges[0].delivered) async for chunk in response.aiter_raw()]

    with respx.mock(base_url="https://vendor.example") as router:
        router.route().mock(side_effect=endpoint.transport("httpx").handle_async_request)
        taken = asyncio.run(foreign())
    assert taken == list(zip(SOME, (1, 2, 3), strict=True))
    assert [request.path for request in endpoint.log.requests] == ["/v1?q=1"]
    assert endpoint.log.unreleased == 0


@pytest.mark.parametrize("library", ["httpx", "httpx2"])
def test_the_endpoint_costs_little(endpoint: InProcessEndpoint, library: str) -> None:
    """The endpoint's own share of a call; the bound is many times what it takes, since the machine may be busy."""
    serve(endpoint)
    module: Any = {"httpx": httpx, "httpx2": httpx2}[library]
    transport, request = endpoint.transport(library), module.Request("POST", "http://x/", content=b"ask")

    async def call() -> None:
        response = await transport.handle_async_request(request)
        async for _ in response.stream:
            pass

    async def least() -> float:
        times = []
        for _ in range(50):
            began = time.perf_counter()
            await call()
            times.append(time.perf_counter() - began)
        return min(times)

    assert asyncio.run(least()) < 0.001
