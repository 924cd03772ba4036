"""Run events: what happened in a run, in the order in which it happened. Every report is made from these alone."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, ClassVar, Final, Literal

from pydantic import ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from harness.contract.expected import ExpectedFailure

Outcome = Literal["passed", "failed", "error", "skipped"]

_STRICT: Final = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class BrokenReportError(ValueError):
    """A report cannot be read; the message says where and why, in one line."""


@dataclass(frozen=True, slots=True)
class ProviderInfo:
    """One adapter of a run.

    ``features`` are what it and its protocol can show, ``capabilities`` its flags by name, ``sdk`` the versions of its
    distributions, ``expected`` its expected failures, and ``cannot_show`` why rules are not applicable, beside those
    that it does not claim.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    name: str
    dialect: str
    profiles: tuple[str, ...] = ()
    capabilities: Mapping[str, JsonValue] = field(default_factory=dict)
    sdk: Mapping[str, str] = field(default_factory=dict)
    expected: tuple[ExpectedFailure, ...] = ()
    features: tuple[str, ...] = ()
    cannot_show: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GateInfo:
    """What a run holds adapters to.

    ``profiles`` are those that were asked for, all where it is empty; ``strict`` says that SHOULD rules bind, too;
    ``requirements`` names the frozen set that is scored, or nothing where all rules are.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    profiles: tuple[str, ...] = ()
    strict: bool = False
    requirements: str = ""


@dataclass(frozen=True, slots=True)
class ViolationInfo:
    """One breach, with all that is needed to understand it and to see it again.

    ``index`` is the event's place in ``timeline``, or its length for the end of the stream; None where the breach is
    not at an event. ``exchange`` tells the shortest exchange that shows it, and ``repro`` is the command that runs it.
    ``file`` is the repro file as the run named it, where there is one.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    rule: str
    met: str
    wanted: str | None = None
    index: Annotated[int, Field(ge=0)] | None = None
    exchange: str = ""
    timeline: tuple[str, ...] = ()
    repro: str = ""
    file: str = ""
    expected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Event:
    """What all run events share."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    def to_json(self) -> str:
        """The event as one line of JSON, without its line end.

        UTF-8 holds no lone surrogates: they are written as the text of their escape.
        """
        text = json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return _SURROGATE.sub(lambda found: rf"\\u{ord(found[0]):04x}", text)


_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class RunStarted(_Event):
    """A run began. ``started`` is ISO 8601 in UTC, ``version`` the harness's, ``command`` the line that began it.

    ``rules`` are the ids of the harness's rules: one that is not among them was not there to be broken.
    """

    run_id: str
    started: str
    version: str
    command: str
    python: str
    platform: str
    providers: tuple[ProviderInfo, ...]
    gate: GateInfo = GateInfo()
    rules: tuple[str, ...] = ()
    event: Literal["run_started"] = "run_started"


@dataclass(frozen=True, slots=True)
class ScenarioFinished(_Event):
    """One test item came to its end.

    ``exercised`` are the rules that were put to the test, by id; ``exchanges`` counts the exchanges that were run, in
    ``seconds``. ``message`` says why an item has no verdict: it crashed, or was skipped.
    """

    provider: str
    scenario: str
    title: str
    outcome: Outcome
    exercised: tuple[str, ...] = ()
    violations: tuple[ViolationInfo, ...] = ()
    exchanges: Annotated[int, Field(ge=0)] = 0
    seconds: float = 0.0
    message: str = ""
    event: Literal["scenario_finished"] = "scenario_finished"


@dataclass(frozen=True, slots=True)
class RunFinished(_Event):
    """A run came to its end.

    ``complete`` says that the whole suite was run: nothing deselected, nothing cut short. ``cut_short`` says why a run
    ended before all that it had begun was done, such as ``interrupted``; it is empty for any other run.
    """

    finished: str
    exchanges: Annotated[int, Field(ge=0)]
    seconds: float
    complete: bool
    cut_short: str = ""
    event: Literal["run_finished"] = "run_finished"


Event = RunStarted | ScenarioFinished | RunFinished

EVENTS: Final[TypeAdapter[Event]] = TypeAdapter(Annotated[Event, Field(discriminator="event")])


def from_json(line: str | bytes) -> Event:
    """The event that a line tells of. Raises BrokenReportError for any line that ``to_json`` would not write."""
    try:
        return EVENTS.validate_json(line)
    except ValidationError as error:
        raise BrokenReportError(_first(error)) from None


def _first(error: ValidationError) -> str:
    """The first of an error's findings, in one line."""
    found = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in found["loc"])
    return f"not a run event: {place + ': ' if place else ''}{found['msg']}"
