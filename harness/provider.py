"""The record by which an adapter presents itself, and the ways to find such records."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.contract.assembler import Assembled
from harness.contract.capabilities import Capabilities
from harness.contract.events import StreamEvent
from harness.endpoint.base import Endpoint

#: settings, and members of a request's body
Setting = tuple[Mapping[str, Any], Mapping[str, Any]]

#: makes a model whose SDK talks to the endpoint, with the adapter's own settings on top of sensible ones
Build = Callable[[Endpoint, Mapping[str, Any]], Any]

#: makes a message of the events of a whole reply; raises what the framework raises
Assemble = Callable[[Sequence[StreamEvent]], Awaitable[Assembled]]


@dataclass(frozen=True, slots=True)
class Live:
    """Where the real service is, and what it takes to be let in.

    ``url`` may name ``{region}``, the AWS region. ``variables`` of the environment hold another address, of which
    ``path`` may be the end. The first set of ``keys``, variables too, whose members are all set lets in; none are
    needed where there is no set. The key goes into ``header``, behind ``scheme``; where ``signs`` names a service of
    AWS and there are two keys or three, requests are signed instead.
    """

    url: str
    #: what recordings ask for, and the setting that names it
    model: str
    variables: tuple[str, ...] = ()
    path: str = ""
    keys: tuple[tuple[str, ...], ...] = ()
    header: str = "authorization"
    scheme: str = "Bearer "
    signs: str | None = None
    model_setting: str = "model_id"
    #: where among the settings the longest reply stands, in tokens
    limit: tuple[str, ...] = ("params", "max_tokens")


@dataclass(frozen=True, slots=True)
class Provider:
    """One adapter under test.

    The record imports no SDK: ``build`` does, when it is called.
    """

    name: str
    #: name of the protocol that the adapter's SDK speaks, e.g. ``openai_chat``
    dialect: str
    build: Build
    capabilities: Capabilities = field(default_factory=Capabilities)
    #: distributions that must be installed, and the extra that brings them
    requires: tuple[str, ...] = ()
    extra: str | None = None
    #: settings that choose streamed and whole replies; None where the adapter has no such mode
    stream_config: Mapping[str, Any] | None = field(default_factory=dict)
    whole_config: Mapping[str, Any] | None = None
    #: settings that a capability needs on top, by its name, e.g. ``video`` a model that takes videos; ``strict`` are
    #: those that have the service hold calls to their schemas
    config_for: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    #: settings that the adapter documents, each beside what of the body of a request with a tool shows that they
    #: arrived, by dotted paths, in which numbers are places in lists; with an empty body, calls must work as they do
    #: without the settings
    settings: tuple[Setting, ...] = ()
    #: import paths ``module:Name`` of the exception types that stand for the contract's, by the contract's name; None
    #: where they are the contract's own, and empty where the framework has none
    exceptions: Mapping[str, str] | None = None
    #: failures that are known: the reason, by rule id, e.g. a report, or who sees to the matter in the adapter's stead
    expected: Mapping[str, str] = field(default_factory=dict)
    #: rules that are not applicable, because the interface through which the adapter is met cannot show what they are
    #: about: the reason, by rule id
    cannot_show: Mapping[str, str] = field(default_factory=dict)
    #: ways of telling a reply, ``axis=option`` of the dialect, that only servers use which the adapter does not claim
    unclaimed_styles: frozenset[str] = frozenset()
    #: the framework's own way from events to a message: judged too, beside the harness's
    assemble: Assemble | None = None
    #: the endpoint must be a real loopback server, because the SDK takes no transport
    loopback: bool = False
    #: the real service, for those who record it
    live: Live | None = None
    #: folder of recorded exchanges that are replayed
    cassettes: Path | None = None
