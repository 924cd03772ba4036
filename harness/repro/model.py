"""What a repro file holds: one failure, and all that is needed to see it again."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.contract.violations import Violation
from harness.dialects.base import WireRequest
from harness.endpoint.base import Delivery
from harness.exchange import Exchange


class ReproError(ValueError):
    """A repro file that cannot be used: which one, and what is wrong, in one line."""


@dataclass(frozen=True, slots=True)
class Told:
    """One request that the adapter sent, and the exact bytes that answered it."""

    request: WireRequest
    delivery: Delivery


@dataclass(frozen=True, slots=True)
class Repro:
    """One failure.

    ``exchange`` is run again with the bytes of ``told``, request by request. It is None where no single exchange shows
    the failure: the whole scenario is run then, and ``told`` is what went over the wire when it failed. ``words`` tell
    the exchange and ``timeline`` the events, for people; ``versions`` are those of what it was met with.
    """

    violation: Violation
    provider: str
    dialect: str
    scenario: str
    title: str
    told: tuple[Told, ...]
    exchange: Exchange | None = None
    words: tuple[str, ...] = ()
    timeline: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
