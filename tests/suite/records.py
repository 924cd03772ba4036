"""An adapter that ends every reply as if no tool had been called, said to be known for it, or not."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any

from harness.endpoint.base import Endpoint
from providers.openai import PROVIDER


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    model = PROVIDER.build(endpoint, settings)
    stream = model.stream

    async def ended(*args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        async for event in stream(*args, **kwargs):
            yield {"messageStop": {"stopReason": "end_turn"}} if "messageStop" in event else event

    model.stream = ended
    return model


SURPRISING = replace(PROVIDER, name="surprising", build=_build)
EXPECTED = replace(SURPRISING, name="expected", expected={"STOP-TOOLS": "a report", "STOP-MAPPED": "a report"})
