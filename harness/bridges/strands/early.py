"""Versions of Strands before 1.0, whose models are called in other ways."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import cache
from importlib import metadata
from inspect import isasyncgenfunction, signature
from typing import Any, Final

from harness.contract.events import StreamEvent
from harness.endpoint.base import Endpoint
from harness.provider import Build

#: the first version whose SDK clients are asynchronous, every one
_ASYNCHRONOUS: Final = (0, 3)


@cache
def blocking() -> bool:
    """Whether the installed version hands its SDKs blocking clients, which only a real server can answer."""
    try:
        version = metadata.version("strands-agents")
    except metadata.PackageNotFoundError:
        return False
    return tuple(int(part) for part in version.split(".")[:2] if part.isdecimal()) < _ASYNCHRONOUS


async def each(stream: Any) -> AsyncIterator[Any]:
    """What an asynchronous stream gives, or a plain iterator as versions before 0.2 have."""
    if hasattr(stream, "__aiter__"):
        async for told in stream:
            yield told
    else:
        for told in stream:
            yield told


async def processed(process: Callable[..., Any], events: Sequence[StreamEvent]) -> AsyncIterator[Any]:
    """What a version's ``process_stream`` tells of events; the first ones return the end of what later ones yield."""
    known = signature(process).parameters
    more = {name: value for name, value in _EARLY_ARGUMENTS.items() if name in known}
    chunks: Any = each(events) if isasyncgenfunction(process) else list(events)
    told = process(chunks, **{name: make() for name, make in more.items()})
    if isinstance(told, tuple):
        yield {"stop": told}
        return
    async for event in each(told):
        yield event


def _ignore(**told: Any) -> None:
    """A callback that does nothing."""


#: what early versions of ``process_stream`` want beside the events
_EARLY_ARGUMENTS: Final[Mapping[str, Callable[[], Any]]] = {"messages": list, "callback_handler": lambda: _ignore}


class Early:
    """A model by the methods that later versions have: ``converse`` was ``stream``'s name."""

    def __init__(self, model: Any) -> None:
        self._model = model

    async def stream(
        self, messages: Any, tool_specs: Any = None, system_prompt: str | None = None, **arguments: Any
    ) -> AsyncIterator[StreamEvent]:
        """The events of a reply."""
        if hasattr(self._model, "converse"):
            told = self._model.converse(messages, tool_specs, system_prompt)
        else:
            told = self._model.stream(messages, tool_specs, system_prompt, **arguments)
        async for event in each(told):
            yield event

    async def structured_output(
        self, output_model: Any, prompt: Any, system_prompt: str | None = None
    ) -> AsyncIterator[Any]:
        """An instance; the system prompt goes as far as the version lets it."""
        ask = self._model.structured_output
        arguments = {"system_prompt": system_prompt} if "kwargs" in signature(ask).parameters else {}
        async for told in each(ask(output_model, prompt, **arguments)):
            yield told

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)


def by_later_methods(make: Build) -> Build:
    """The same way to make a model, which has the later methods whatever its version is."""

    def build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
        model = make(endpoint, settings)
        return Early(model) if _is_early(type(model)) else model

    return build


def _is_early(kind: Any) -> bool:
    ask: Callable[..., Any] | None = getattr(kind, "structured_output", None)
    return hasattr(kind, "converse") or ask is None or "system_prompt" not in signature(ask).parameters
