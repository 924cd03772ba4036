from importlib.metadata import PackageNotFoundError

import httpx
import httpx2
import pytest

from harness.endpoint.base import Endpoint
from harness.endpoint.libraries import async_library
from tests.endpoint.callers import both


@pytest.mark.parametrize(
    ("distribution", "client"),
    [("openai", httpx2.AsyncClient), ("anthropic", httpx2.AsyncClient), ("respx", httpx.AsyncClient)],
)
def test_an_sdk_gets_a_client_of_its_own_library(distribution: str, client: type[object]) -> None:
    with both() as endpoints:
        made = [type(endpoint.async_client_for(distribution)) for endpoint in endpoints]
    assert made == [client, client]


def test_requirements_of_extras_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = ["HTTPX (<1,>=0.27)", 'httpx2>=2; extra == "next"', "httpx-sse>=0.4"]
    monkeypatch.setattr("harness.endpoint.libraries.requires", lambda _: listed)
    assert async_library("an-sdk-of-httpx") == "httpx"


def test_an_sdk_of_another_library_is_refused() -> None:
    with pytest.raises(LookupError, match="boto3 requires none of httpx2, httpx"):
        async_library("boto3")


def test_an_sdk_that_is_not_installed_is_not_guessed_at() -> None:
    with pytest.raises(PackageNotFoundError):
        async_library("conformance-absent")


def test_both_endpoints_are_endpoints() -> None:
    with both() as endpoints:
        typed: tuple[Endpoint, ...] = endpoints
        assert [endpoint.in_process for endpoint in typed] == [True, False]
