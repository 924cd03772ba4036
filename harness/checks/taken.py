"""Events as they were when they came: an adapter may change, or use again, what it has yielded."""

import pickle
from collections.abc import Iterable, Iterator
from typing import Any, Final

from harness.contract.events import StreamEvent

_PROTOCOL: Final = 5

#: an event's value at the moment, as bytes that are equal for equal ones; an event that has no such is its own
Taken = Any


def taken(event: Any) -> Taken:
    """What an event is at this moment. It costs a tenth of assembling it, which can then wait, or be spared."""
    try:
        return pickle.dumps(event, _PROTOCOL)
    except Exception:  # whatever objects a foreign adapter puts in, and however they refuse
        return event


def restored(events: Iterable[Taken]) -> Iterator[StreamEvent]:
    """The events again, as they were."""
    for event in events:
        yield pickle.loads(event) if isinstance(event, bytes) else event  # noqa: S301 - our own bytes


def joined(events: Iterable[Taken]) -> bytes | None:
    """Bytes that are equal for equal events; None where they cannot be told apart by their value."""
    try:
        return b"".join(events)
    except TypeError:
        return None


def without_times(event: Taken) -> Taken:
    """The event without the times that an adapter measured, where it is well-formed metadata: no two calls share them.

    Times that are no numbers of at least 0 are kept.
    """
    (value,) = restored([event])
    metadata: Any = value.get("metadata") if isinstance(value, dict) else None
    metrics = metadata.get("metrics") if isinstance(metadata, dict) else None
    if not isinstance(metrics, dict):
        return event
    kept = {name: 0 if isinstance(time, int | float) and time >= 0 else time for name, time in metrics.items()}
    return taken({**value, "metadata": {**metadata, "metrics": kept}})
