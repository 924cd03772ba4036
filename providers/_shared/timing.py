"""Times that the adapter measures itself."""

import time

from harness.contract.events import Metrics


class Stopwatch:
    """Runs from when it is made, which is when the request goes out."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._first: float | None = None

    def note_answer(self) -> None:
        """Something of the answer is there; only the first time counts."""
        if self._first is None:
            self._first = time.monotonic()

    def metrics(self) -> Metrics:
        """The time until now, and until the first of the answer where that was noted."""
        metrics: Metrics = {"latencyMs": self._milliseconds(time.monotonic())}
        if self._first is not None:
            metrics["timeToFirstByteMs"] = self._milliseconds(self._first)
        return metrics

    def _milliseconds(self, moment: float) -> int:
        return round((moment - self._began) * 1000)
