"""The guard that keeps a run off the network."""

import ipaddress
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from harness.wire.faults import ELSEWHERE

REMEDY = (
    "give the SDK a client of the endpoint (httpx2_client, httpx_client, attach_botocore), or its base_url, "
    "and switch off whatever else it fetches"
)


class NetworkBlockedError(RuntimeError):
    """Something tried to reach a host other than this machine.

    Not an ``OSError``: clients take those for failures of the network, retry and translate them.
    """

    def __init__(self, host: str, port: int | str | None, remedy: str = REMEDY) -> None:
        super().__init__(f"a run must not reach {host}{'' if port is None else f':{port}'}: {remedy}")
        self.host = host
        self.port = port
        self.remedy = remedy


class Attempts:
    """The attempts that were blocked, in order."""

    def __init__(self, allowed: frozenset[str] = frozenset()) -> None:
        self._errors: list[NetworkBlockedError] = []
        self._allowed = set(allowed)

    def allows(self, host: str) -> bool:
        """Whether a host may be reached: this machine, one that was allowed by name, or an address of one."""
        return _is_loopback(host) or host in self._allowed

    def learn(self, host: str, found: Any) -> None:
        """Take in the addresses of an allowed name, from what a look-up found."""
        if host in self._allowed and isinstance(found, list):
            self._allowed.update(address[4][0] for address in found)

    def block(self, host: str, port: int | str | None) -> None:
        """Record an attempt and raise it; where redirects of the harness's own point to is just not found."""
        if host == ELSEWHERE:
            raise socket.gaierror(socket.EAI_NONAME, f"{host} is not known")
        error = NetworkBlockedError(host, port)
        self._errors.append(error)
        raise error

    def take(self) -> list[NetworkBlockedError]:
        """Those since the last call; who takes them accounts for them."""
        taken, self._errors = self._errors, []
        return taken


@contextmanager
def no_network(allowed: frozenset[str] = frozenset()) -> Iterator[Attempts]:
    """Block every connection and look-up but those of the loopback interface, of Unix sockets and of ``allowed`` hosts.

    It holds for the whole process: for sockets of any thread, for asyncio's selector loops and for look-ups by name.
    What does not go through Python's ``socket`` module, such as a resolver in C, is out of its reach. At the end,
    the first attempt that nobody has taken from the yielded :class:`Attempts` is raised, for an SDK may have
    swallowed it where it happened.
    """
    attempts = Attempts(allowed)
    with ExitStack() as patches:
        for owner, name, address_of in _GUARDED:
            patches.enter_context(patch.object(owner, name, _guarded(getattr(owner, name), address_of, attempts)))
        yield attempts
    for error in attempts.take():
        raise error


#: host and port that a call is about; None where it is about none
_Address = tuple[Any, Any] | None


def _guarded(
    original: Callable[..., Any], address_of: Callable[..., _Address], attempts: Attempts
) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        address = address_of(*args, **kwargs)
        if address is not None and not attempts.allows(host := _text(address[0])):
            if args and isinstance(args[0], socket.socket):
                args[0].close()  # callers close what they opened for an OSError only
            attempts.block(host, address[1])
        found = original(*args, **kwargs)
        if address is not None:
            attempts.learn(_text(address[0]), found)
        return found

    return call


def _connected(sock: socket.socket, *args: Any) -> _Address:
    """The address of ``connect(address)`` and ``sendto(data, [flags,] address)``: the last argument."""
    address = args[-1]
    return address[:2] if sock.family in (socket.AF_INET, socket.AF_INET6) and isinstance(address, tuple) else None


def _looked_up(host: Any, port: Any = None, *_: Any, **__: Any) -> _Address:
    """The name that is looked up; a numeric address is no look-up."""
    return None if host is None or _numeric(_text(host)) else (host, port)


def _text(host: Any) -> str:
    return host.decode("ascii", "replace") if isinstance(host, bytes | bytearray) else str(host)


def _numeric(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None


def _is_loopback(host: str) -> bool:
    address = _numeric(host)
    if address is None:
        return host in _LOCAL_NAMES
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


_LOCAL_NAMES = frozenset({"", "localhost", "localhost.localdomain", "ip6-localhost"})

_GUARDED: tuple[tuple[Any, str, Callable[..., _Address]], ...] = (
    (socket.socket, "connect", _connected),
    (socket.socket, "connect_ex", _connected),
    (socket.socket, "sendto", _connected),
    (socket, "getaddrinfo", _looked_up),
    (socket, "gethostbyname", _looked_up),
    (socket, "gethostbyname_ex", _looked_up),
)
