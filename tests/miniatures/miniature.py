"""A miniature: a reference adapter with one thing broken, so that it breaks one rule and no other."""

import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Final, TypeVar

from harness import run
from harness.bench import Bench, CallNeverEnds
from harness.dialects.base import WireRequest
from harness.endpoint.base import Endpoint, ExchangeLog
from harness.endpoint.exchanges import Exchanges
from harness.endpoint.in_process import InProcessEndpoint
from harness.laboratory import Laboratory
from harness.provider import Provider
from harness.scenarios.catalogue import CATALOGUE

Stream = AsyncGenerator[Any, None]
B = TypeVar("B", bound=Bench)

ALL: Final = ("bedrock", "anthropic", "openai")
SCENARIOS: Final = {scenario.id: scenario for scenario in CATALOGUE}


class Adapter:
    """An adapter that passes everything on to another; subclasses break one thing of it."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def stream(self, messages: Any, tool_specs: Any = None, system_prompt: Any = None, **options: Any) -> Stream:
        asked = {"messages": messages, "tool_specs": tool_specs, "system_prompt": system_prompt, **options}
        async with aclosing(self.told(asked)) as events:
            async for event in events:
                yield event

    async def told(self, asked: dict[str, Any]) -> Stream:
        """The events of one call, by the arguments' names."""
        async with aclosing(self.inner.stream(**asked)) as events:
            async for event in events:
                yield event

    async def release(self) -> None:
        """Give back what was left behind on purpose."""


Wrap = Callable[[Any], Any]
Rewrite = Callable[[WireRequest], WireRequest]


def rewritten(edit: Callable[[dict[str, Any]], None]) -> Rewrite:
    """A change of the request's body, which is JSON."""

    def rewrite(request: WireRequest) -> WireRequest:
        body = json.loads(request.body)
        edit(body)
        return replace(request, body=json.dumps(body, ensure_ascii=False).encode())

    return rewrite


class _Rewriting(Exchanges):
    """Sees each request as it is after a change, as if the adapter had sent that."""

    def __init__(self, exchanges: Exchanges, rewrite: Rewrite) -> None:
        super().__init__(exchanges.clock)
        self._rewrite = rewrite

    def open(self, request: WireRequest) -> ExchangeLog:
        return super().open(self._rewrite(request))


class RewritingEndpoint(InProcessEndpoint):
    """Has the log, and who answers, see each request as it is after a change."""

    def __init__(self, rewrite: Rewrite) -> None:
        super().__init__()
        self._exchanges = _Rewriting(self._exchanges, rewrite)


@dataclass(frozen=True)
class Miniature:
    """One broken adapter for each base that it is made from.

    ``scenario`` is the one that shows the break. ``also`` are rules that no adapter can keep which breaks this one, and
    ``because`` says why. ``limits`` are shorter time limits of the runner, by their import path, for what is only known
    by waiting.
    """

    rule: str
    title: str
    scenario: str
    wrap: Wrap = Adapter
    on: tuple[str, ...] = ALL
    rewrite: Rewrite = lambda request: request
    settings: Mapping[str, Any] | None = None
    provider: Callable[[Provider], Provider] = lambda provider: provider
    also: frozenset[str] = frozenset()
    because: str = ""
    limits: Mapping[str, float] | None = None

    def of(self, base: Provider) -> Provider:
        """The base, broken."""

        def build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
            return self.wrap(base.build(endpoint, {**settings, **(self.settings or {})}))

        return replace(self.provider(base), build=build)


def provider(name: str) -> Provider:
    """A reference adapter."""
    record: Provider = import_module(f"providers.{name}").PROVIDER
    return record


def try_unbroken(laboratory: Laboratory, base: str, scenario: str) -> Bench:
    """Play a scenario on a reference adapter."""
    return play_unbroken(laboratory, base, scenario, Bench)


def play_unbroken(laboratory: Laboratory, base: str, scenario: str, kind: type[B]) -> B:
    """The same, on a bench of some kind."""
    bench = kind(laboratory.bench(provider(base)).subject)
    laboratory.run(SCENARIOS[scenario].play(bench))
    return bench


def try_broken(laboratory: Laboratory, base: str, miniature: Miniature) -> Bench:
    """Play a miniature's scenario on it."""
    return play_broken(laboratory, base, miniature, Bench)


def play_broken(laboratory: Laboratory, base: str, miniature: Miniature, kind: type[B]) -> B:
    """The same, on a bench of some kind."""
    subject = laboratory.bench(provider(base)).subject
    endpoint = RewritingEndpoint(miniature.rewrite)
    models: dict[str, Any] = {}
    broken = miniature.of(subject.provider)
    bench = kind(replace(subject, provider=broken, endpoint=endpoint, patience=run.TIME_LIMIT, _models=models))
    with suppress(CallNeverEnds):
        laboratory.run(SCENARIOS[miniature.scenario].play(bench))
    for model in models.values():
        laboratory.run(model.release())
    endpoint.close()
    return bench
