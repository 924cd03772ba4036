import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import httpx2
import pytest

from harness.contract.exceptions import IdleTimeoutError, IncompleteStreamError
from providers._shared import transport
from providers._shared.transport import connection_errors, cuts_reply, drain


@pytest.mark.parametrize("library", [httpx, httpx2])
@pytest.mark.parametrize(
    ("name", "cut"),
    [
        ("ReadError", True),
        ("ReadTimeout", True),
        ("RemoteProtocolError", True),
        ("WriteError", True),
        ("ConnectError", False),
        ("ConnectTimeout", False),
        ("PoolTimeout", False),
    ],
)
def test_which_errors_of_the_connection_cut_a_reply(library: Any, name: str, *, cut: bool) -> None:
    assert cuts_reply(getattr(library, name)("gone")) is cut


def test_errors_of_others_do_not() -> None:
    assert not cuts_reply(ValueError("no"))


def test_the_rest_of_a_reply_is_read_and_its_faults_are_nobodys() -> None:
    met: list[str] = []

    async def rest() -> AsyncGenerator[str, None]:
        for word in ("one", "two"):
            met.append(word)
            yield word
        raise ValueError("garbled")

    asyncio.run(drain(rest()))
    assert met == ["one", "two"]


def test_a_rest_that_does_not_come_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "DRAIN_SECONDS", 0.001)
    given_up: list[bool] = []

    async def rest() -> AsyncGenerator[str, None]:
        try:
            await asyncio.Event().wait()
            yield "never"
        finally:
            given_up.append(True)

    asyncio.run(drain(rest()))
    assert given_up == [True]


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (httpx.ReadError("gone"), IncompleteStreamError),
        (httpx.ReadTimeout("silent"), IdleTimeoutError),
        (httpx2.ReadTimeout("silent"), TimeoutError),
        (httpx.ConnectError("no"), httpx.ConnectError),
    ],
)
def test_a_reply_that_breaks_off_is_the_contracts_error(error: Exception, raised: type[Exception]) -> None:
    with pytest.raises(raised), connection_errors():
        raise error
