import asyncio
import socket
import urllib.request
from collections.abc import Callable

import pytest

from harness.endpoint.base import Delivery
from harness.endpoint.loopback import LoopbackEndpoint
from harness.endpoint.network import NetworkBlockedError, no_network
from harness.wire.faults import ELSEWHERE
from tests.endpoint.callers import PLAIN, answered, raw_httpx2

OUTSIDE = "192.0.2.1"  # RFC 5737: for documentation, so a guard that failed would reach nobody


def connect(family: int = socket.AF_INET, host: str = OUTSIDE) -> None:
    with socket.socket(family, socket.SOCK_STREAM) as sock:
        sock.setblocking(False)
        sock.connect((host, 443))


def connect_ex() -> None:
    with socket.socket() as sock:
        sock.setblocking(False)
        sock.connect_ex((OUTSIDE, 443))


def send_datagram() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.sendto(b"", (OUTSIDE, 53))


async def open_connection(host: str) -> None:
    await asyncio.open_connection(host, 443)


ATTEMPTS: dict[str, tuple[Callable[[], object], str, object]] = {
    "connect": (connect, OUTSIDE, 443),
    "connect IPv6": (lambda: connect(socket.AF_INET6, "2001:db8::1"), "2001:db8::1", 443),
    "connect IPv6 mapped": (lambda: connect(socket.AF_INET6, f"::ffff:{OUTSIDE}"), f"::ffff:{OUTSIDE}", 443),
    "connect_ex": (connect_ex, OUTSIDE, 443),
    "sendto": (send_datagram, OUTSIDE, 53),
    "create_connection": (lambda: socket.create_connection((OUTSIDE, 443), timeout=0.01), OUTSIDE, 443),
    "getaddrinfo": (lambda: socket.getaddrinfo("host.invalid", 80), "host.invalid", 80),
    "getaddrinfo by name": (lambda: socket.getaddrinfo(host=b"host.invalid", port="http"), "host.invalid", "http"),
    "gethostbyname": (lambda: socket.gethostbyname("host.invalid"), "host.invalid", None),
    "asyncio address": (lambda: asyncio.run(open_connection(OUTSIDE)), OUTSIDE, 443),
    "asyncio name": (lambda: asyncio.run(open_connection("host.invalid")), "host.invalid", 443),
}


@pytest.mark.parametrize(("attempt", "host", "port"), ATTEMPTS.values(), ids=ATTEMPTS)
def test_the_outside_is_blocked(attempt: Callable[[], object], host: str, port: object) -> None:
    with no_network() as attempts:
        with pytest.raises(NetworkBlockedError) as caught:
            attempt()
        assert attempts.take() == [caught.value]
    assert (caught.value.host, caught.value.port) == (host, port)
    assert host in str(caught.value)
    assert caught.value.remedy in str(caught.value)


def test_an_attempt_that_was_swallowed_fails_at_the_end() -> None:
    def swallowing() -> None:
        with no_network():
            try:
                urllib.request.urlopen("http://host.invalid/")
            except Exception:
                return

    with pytest.raises(NetworkBlockedError, match=r"host\.invalid:80"):
        swallowing()


def test_an_error_of_the_run_itself_is_not_replaced() -> None:
    def failing() -> None:
        with no_network():
            try:
                connect()
            finally:
                raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        failing()


def test_this_machine_is_reached() -> None:
    endpoint = LoopbackEndpoint()
    try:
        with no_network() as attempts:
            assert answered(endpoint, Delivery(200, PLAIN, (b"here",)), raw_httpx2).items == [b"here"]
            assert socket.getaddrinfo("localhost", 80)
            assert socket.getaddrinfo(None, 0)
            assert attempts.take() == []
    finally:
        endpoint.close()


def test_unix_sockets_are_left_alone() -> None:
    one, other = socket.socketpair()
    with one, other, no_network(), socket.socket(socket.AF_UNIX) as sock, pytest.raises(FileNotFoundError):
        sock.connect("/nonexistent/socket")


def test_afterwards_all_is_as_before() -> None:
    before = (socket.getaddrinfo, socket.socket.connect, "connect" in vars(socket.socket))
    with no_network():
        assert socket.getaddrinfo is not before[0]
    assert (socket.getaddrinfo, socket.socket.connect, "connect" in vars(socket.socket)) == before


def test_where_redirects_point_to_is_not_found_and_no_fault() -> None:
    with no_network() as attempts:
        with pytest.raises(socket.gaierror):
            socket.getaddrinfo(ELSEWHERE, 443)
        assert attempts.take() == []
