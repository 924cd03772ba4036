"""An event loop that is blocked for ever is interrupted, so that a run goes on and can say where it hung.

A thread looks whether the loop comes round. If it does not, the main thread gets a signal, whose handler raises there:
system calls and locks that wait are interrupted by that on Linux and macOS. A loop in another thread, a system without
such signals, and code in C that never looks at them are beyond reach.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice, takewhile
from types import FrameType
from typing import Any, Final

from harness.endpoint.loop import StallSelector

#: how long a loop may be deaf before it counts as blocked for ever, in seconds; and once one was
PATIENCE: Final = 25.0
IMPATIENCE: Final = 3.0
#: how often it is looked at, in seconds
_POLL: Final = 0.1
#: how many calls are told, the innermost first
_CALLS: Final = 6
#: whoever steps through code takes their time, and so does importing a large SDK on a busy machine
_SLOW: Final = frozenset({"bdb", "pdb", "pydevd", "debugpy", "importlib._bootstrap"})
#: a signal that means nothing by itself, where the system has one
_SIGNAL: Final[Any] = getattr(signal, "SIGUSR2", None)


class LoopBlockedError(BaseException):
    """The loop was blocked. No ``Exception``, so that an adapter does not take it for an error of the service."""


class Watchdog:
    """Watches the loop of ``selector`` while it is ``running``. To be made and closed in the main thread.

    ``awake`` says whether it can: not in another thread, nor where somebody else has taken the signal.
    """

    def __init__(self, selector: StallSelector, running: Callable[[], bool]) -> None:
        self._selector = selector
        self._running = running
        self._closed = threading.Event()
        #: the loop was blocked before, and gets less patience
        self.impatient = False
        self.awake = threading.current_thread() is threading.main_thread() and _is_free(_SIGNAL)
        self._thread = threading.Thread(target=self._watch, name="conformance-watchdog", daemon=True)
        if self.awake:
            signal.signal(_SIGNAL, self._interrupt)
            self._thread.start()

    def close(self) -> None:
        """Watch no more."""
        self._closed.set()
        if self.awake:
            self._thread.join()  # a signal that came later would end the process
            signal.signal(_SIGNAL, signal.SIG_DFL)
        self.awake = False

    def _watch(self) -> None:
        main = threading.main_thread().ident
        assert main is not None
        barked = 0.0
        while not self._closed.wait(_POLL):
            if self._is_blocked() and time.perf_counter() - barked > self._patience:
                barked = time.perf_counter()
                signal.pthread_kill(main, _SIGNAL)

    @property
    def _patience(self) -> float:
        return min(IMPATIENCE, PATIENCE) if self.impatient else PATIENCE

    def _is_blocked(self) -> bool:
        return self._running() and self._selector.deaf_for > self._patience

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """Look again, now that nothing else can happen, and raise."""
        calls = list(_calls(frame))
        if self._is_blocked() and _SLOW.isdisjoint(call.f_globals.get("__name__") for call in calls):
            self.impatient = True
            told = " < ".join(map(_told, islice(takewhile(_is_foreign, calls), _CALLS)))
            raise LoopBlockedError(f"the event loop is blocked for ever, here: {told}")


def _is_free(number: Any) -> bool:
    return number is not None and signal.getsignal(number) is signal.SIG_DFL


def _is_foreign(call: FrameType) -> bool:
    """Whether the call is not of the harness, which only waits for what it called."""
    return not str(call.f_globals.get("__name__")).startswith("harness.")


def _told(call: FrameType) -> str:
    return f"{call.f_globals.get('__name__')}:{call.f_lineno} in {call.f_code.co_name}"


def _calls(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back
