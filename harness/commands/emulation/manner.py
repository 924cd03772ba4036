"""How the emulated service tells its replies: styles, cuts, faults and errors, as users write them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from harness.commands.problems import UsageError, unknown
from harness.dialects.base import Dialect, Style, VendorError
from harness.exchange import FRAMES
from harness.scenarios.styles import single_styles
from harness.wire.cuts import Cut, CutKind
from harness.wire.faults import Fault, FaultKind

#: the style that stands for each single one in turn
EACH: Final = "each"


@dataclass(frozen=True, slots=True)
class Manner:
    """How replies are told.

    ``spoiled`` is how many requests meet the ``fault`` or the ``error``, None for all of them. ``error_after`` frames
    of the reply come before the error, None where the error is the whole answer.
    """

    style: Style
    each: bool = False
    cut: Cut = FRAMES
    fault: Fault | None = None
    error: VendorError | None = None
    error_after: int | None = None
    spoiled: int | None = None
    gap: float = 0.0

    def style_for(self, dialect: Dialect, number: int, *, stream: bool) -> Style:
        """The style of the answer with a number, from 0 on: what of it exists in the mode."""
        if self.each:
            styles = single_styles(dialect, stream=stream)
            return styles[number % len(styles)]
        present = {axis.name for axis in dialect.axes if (axis.streamed if stream else axis.whole)}
        return {axis: option for axis, option in self.style.items() if axis in present}

    def spoils(self, number: int) -> bool:
        """Whether the request with a number, from 0 on, meets the fault or the error."""
        return self.spoiled is None or number < self.spoiled


def style_of(dialect: Dialect, given: Iterable[str]) -> dict[str, str]:
    """The style that ``axis=option`` pairs describe."""
    axes = {axis.name: axis for axis in dialect.axes}
    style = {}
    for pair in given:
        name, _, option = pair.partition("=")
        if name not in axes:
            raise unknown(f"style axis of {dialect.name}", name, axes)
        if option not in axes[name].names:
            raise unknown(f"option of the style axis {name}", option, axes[name].names)
        style[name] = option
    return style


def cut_of(text: str) -> Cut:
    """The cut that ``kind`` or ``kind:number`` describes."""
    kind, _, number = text.partition(":")
    if kind not in [*CutKind]:
        raise unknown("cut", kind, [*CutKind])
    try:
        return Cut(CutKind(kind), int(number or (7 if kind == CutKind.FIXED else 0)))
    except ValueError as error:
        raise UsageError(f"--cut {text}: {error}") from None


def fault_of(text: str) -> Fault:
    """The fault that ``kind`` or ``kind@fraction`` describes."""
    kind, _, at = text.partition("@")
    if kind not in [*FaultKind]:
        raise unknown("fault", kind, [*FaultKind])
    try:
        return Fault(FaultKind(kind), float(at or 0.5))
    except ValueError as error:
        raise UsageError(f"--fault {text}: {error}") from None


def error_of(dialect: Dialect, name: str, after: int | None) -> VendorError:
    """The vendor's error with a name."""
    errors = {error.id: error for error in dialect.errors}
    if name not in errors:
        raise unknown(f"error of {dialect.name}", name, errors)
    if after is not None and errors[name].in_stream is None:
        inside = ", ".join(error.id for error in dialect.errors if error.in_stream is not None) or "none"
        raise UsageError(f"the error {name} has no form inside a stream; of {dialect.name} these have: {inside}")
    return errors[name]


def choices(dialect: Dialect) -> Iterator[str]:
    """Everything that can be chosen for a dialect."""
    yield "styles (--style axis=option, the usual option first; --style each takes each in turn):"
    yield from (f"  {axis.name}={'|'.join(axis.names)}" for axis in dialect.axes)
    yield "errors (--error ID):"
    for error in dialect.errors:
        inside = "" if error.in_stream is None else ", also in the stream (--error-after FRAMES)"
        yield f"  {error.id}: {error.error_class}, HTTP {error.status}{inside}"
    yield f"faults (--fault KIND or KIND@FRACTION): {', '.join(FaultKind)}"
    yield f"cuts (--cut KIND or KIND:NUMBER): {', '.join(CutKind)}"
