from types import SimpleNamespace
from typing import Any

import httpx
import httpx2
import pytest
from google.genai.errors import ClientError

from providers.gemini.errors import cuts_reply, facts


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


def test_facts() -> None:
    body = {"error": {"code": 429, "message": "Slow down.", "status": "RESOURCE_EXHAUSTED", "details": [{"a": "b"}]}}
    answer: Any = SimpleNamespace(headers={"Retry-After": "3"})
    found = facts(ClientError(429, body, answer))
    assert (found.message, found.status, found.codes) == ("Slow down.", 429, ("RESOURCE_EXHAUSTED",))
    assert found.headers == {"retry-after": "3"}
    assert found.details == body


def test_facts_of_an_error_without_a_body() -> None:
    found = facts(ClientError(400, {}))
    assert (found.status, found.codes, found.headers) == (400, (), {})
    assert found.message
