"""How long the service may be silent is a setting of every adapter, which holds from the next call on."""

import asyncio
from typing import Any

import pytest

from harness.checks.failure import is_timeout
from harness.dialects import load_dialect
from harness.discovery import find, shipped
from harness.endpoint.in_process import InProcessEndpoint
from harness.exchange import Answer, hello
from harness.provider import Provider
from harness.scenarios.catalogue.samples import said
from harness.wire.faults import Fault, FaultKind


class Silent:
    """A service that falls silent in mid-reply."""

    def __init__(self, provider: Provider, **settings: Any) -> None:
        dialect = load_dialect(provider.dialect)
        answer = Answer(said(dialect, "One, two, three."), fault=Fault(FaultKind.SILENCE))
        delivery = answer.delivery(dialect, stream=True)
        self.endpoint = InProcessEndpoint()
        self.endpoint.reset(lambda request: delivery)
        self.model = provider.build(self.endpoint, {**(provider.stream_config or {}), **settings})

    def patience(self) -> float:
        """How long the adapter bears it, in seconds."""

        async def take() -> Exception | None:
            try:
                async for _ in self.model.stream(hello()):
                    pass
            except Exception as error:
                return error
            return None

        assert is_timeout(asyncio.run(take()))
        return self.endpoint.log.exchanges[-1].silence


@pytest.mark.parametrize("name", shipped())
def test_silence_has_a_limit_that_can_be_set(name: str) -> None:
    (provider,) = find([name])
    service = Silent(provider, idle_timeout=12.5)
    assert service.patience() == 12.5
    service.model.update_config(idle_timeout=3)
    assert service.patience() == 3


@pytest.mark.parametrize("name", shipped())
def test_without_the_setting_the_sdk_s_own_limit_holds(name: str) -> None:
    (provider,) = find([name])
    assert Silent(provider, idle_timeout=None).patience() >= 5  # that of httpx, where the caller gives a client
