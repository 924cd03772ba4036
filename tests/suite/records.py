"""An adapter that ends every reply as if no tool had been called, said to be known for it, or not."""

import itertools
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


def _build_impolite(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    model = PROVIDER.build(endpoint, settings)
    stream = model.stream

    async def unnumbered(*args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        async for event in stream(*args, **kwargs):
            (kind, body), *_ = event.items()
            block = kind.startswith("contentBlock")
            yield {kind: {**body, "contentBlockIndex": 7 if kind.endswith("Stop") else 0}} if block else event

    model.stream = unnumbered
    return model


#: breaks a SHOULD rule and no other
IMPOLITE = replace(PROVIDER, name="impolite", build=_build_impolite)


def _build_forgetful(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    model = PROVIDER.build(endpoint, settings)
    stream, calls = model.stream, itertools.count()

    async def worn(*args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        used = next(calls)
        async for event in stream(*args, **kwargs):
            if not used or "metadata" not in event:
                yield event

    model.stream = worn
    return model


#: tells the usage in its first reply only
FORGETFUL = replace(PROVIDER, name="forgetful", build=_build_forgetful)


def _build_deaf(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    model = PROVIDER.build(endpoint, settings)
    stream = model.stream

    def heard(messages: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        if "\U0001d11e" in str(messages):
            raise ValueError("no music")
        told: AsyncIterator[Any] = stream(messages, *args, **kwargs)
        return told

    model.stream = heard
    return model


#: takes no message with a clef in it, which few have
DEAF = replace(PROVIDER, name="deaf", build=_build_deaf)
#: the same adapter, as it is once that is mended
MENDED = replace(PROVIDER, name="deaf")
