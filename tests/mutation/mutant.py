"""A mutant: an adapter of ours with one fault, made by wrapping it or by changing what it sends."""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from harness.dialects.base import WireRequest
from harness.endpoint.base import Endpoint
from harness.provider import Provider
from tests.miniatures.adapters import Asking, Guessing, Quiet, Repeating, Structured, buffered, failing
from tests.miniatures.edits import Edit, edited
from tests.miniatures.living import Overflowing
from tests.miniatures.miniature import Adapter, Miniature, Rewrite, Wrap, rewritten

Kind = Literal["event", "request", "error", "other"]
Asked = dict[str, Any]


def _as_sent(request: WireRequest) -> WireRequest:
    return request


def _as_it_is(provider: Provider) -> Provider:
    return provider


#: changes failures of structured output in the way in which it changes those of streams
_FAILING: Final = type(failing(lambda error: error)(None))


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One fault, whichever adapter it is put into.

    ``hint`` is the scenario that is most likely to show it, which is played first. ``quiet`` says that arguments and
    events need not be changed by it. ``peers`` marks the simple faults of the kinds that other suites have been
    measured with.
    """

    id: str
    kind: Kind
    wrap: Wrap = Adapter
    rewrite: Rewrite = _as_sent
    settings: Mapping[str, Any] | None = None
    provider: Callable[[Provider], Provider] = _as_it_is
    limits: Mapping[str, float] | None = None
    hint: str = ""
    quiet: bool = False
    peers: bool = False

    @property
    def streams(self) -> bool:
        """Whether all that it does is to change what streaming calls ask or tell."""
        return not self.quiet and self.provider is _as_it_is and self.settings is None and not self._elsewhere

    @property
    def _elsewhere(self) -> bool:
        kind = type(self.wrap(None))
        return kind is not _FAILING and any(name in vars(kind) for name in ("structured_output", "count_tokens"))

    def of(self, base: Provider, made: list[Any]) -> Provider:
        """The base with the fault; every model that is built is added to ``made``."""

        def build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
            made.append(self.wrap(base.build(endpoint, {**settings, **(self.settings or {})})))
            return made[-1]

        return replace(self.provider(base), build=build)


def said(name: str, edit: Edit, hint: str = "", *, peers: bool = False) -> Mutant:
    """A change of replies."""
    return Mutant(id=name, kind="event", wrap=edited(edit), hint=hint, peers=peers)


def asks(name: str, change: Callable[[Asked], object], hint: str = "", *, peers: bool = False) -> Mutant:
    """A change of the arguments, which leaves the caller's own as they are."""

    def apart(asked: Asked) -> None:
        asked.update(copy.deepcopy({key: value for key, value in asked.items() if key != "model_state"}))
        change(asked)

    return Mutant(id=name, kind="request", wrap=Asking.by(apart), hint=hint, peers=peers)


def sends(name: str, edit: Callable[[dict[str, Any]], object], hint: str = "") -> Mutant:
    """A change of the body, which is JSON."""

    def safe(body: dict[str, Any]) -> None:
        edit(body)

    return Mutant(id=name, kind="request", rewrite=_if_json(rewritten(safe)), hint=hint)


def _if_json(rewrite: Rewrite) -> Rewrite:
    """Bodies that stay the same in content stay so byte by byte; there may be none at all."""

    same = rewritten(lambda body: None)

    def rewrite_json(request: WireRequest) -> WireRequest:
        if not request.body.startswith(b"{"):
            return request
        changed = rewrite(request)
        return request if changed == same(request) else changed

    return rewrite_json


def fails(name: str, failure: Callable[[Exception], Exception], hint: str = "", *, peers: bool = False) -> Mutant:
    """A change of what is raised."""
    return Mutant(id=name, kind="error", wrap=failing(failure), hint=hint, peers=peers)


def structures(name: str, edit: Edit) -> Mutant:
    """A change of structured output."""
    return Mutant(id=name, kind="event", wrap=Structured.by(edit), hint="structured")


#: kinds of miniatures by the family of their rule; the others are about neither events, requests nor errors
_KINDS: Final[Mapping[str, Kind]] = {
    **dict.fromkeys(("STREAM", "CONTENT", "TOOL", "STOP", "USAGE", "PARITY", "REASON", "CITE", "REDACT"), "event"),
    **dict.fromkeys(("REQUEST", "SCHEMA"), "request"),
    **dict.fromkeys(("ERROR", "FAULT", "RETRY"), "error"),
    "STRUCT": "event",
    "REACT": "event",
}


#: what these change is not in the words: warnings, and when events come
_UNHEARD: Final = (Quiet, Repeating, Guessing, Overflowing, buffered)


def of_miniature(miniature: Miniature, *, peers: bool = False) -> Mutant:
    """The fault of a miniature, for any adapter."""
    family = miniature.rule.partition("-")[0]
    return Mutant(
        id=f"{miniature.rule}: {miniature.title}",
        kind=_KINDS.get(family, "other"),
        wrap=miniature.wrap,
        settings=miniature.settings,
        provider=_as_it_is if miniature.provider is Miniature.provider else miniature.provider,
        limits=miniature.limits,
        hint=miniature.scenario,
        quiet=family in ("LIFE", "CONFIG", "STATE", "CAPABILITY") or miniature.wrap in _UNHEARD,
        peers=peers,
    )
