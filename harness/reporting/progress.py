"""How far a run has come, for people who watch it: one line at the foot of a terminal, and failures above it."""

import time
from typing import IO, Final

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from harness.reporting.events import ScenarioFinished
from harness.reporting.text import cut

#: seconds between two drawings: a run has hundreds of scenarios a second
_PAUSE: Final = 0.1
_NAME: Final = 24


class Bar:
    """A line that is drawn anew as scenarios come to their end, and is gone once it is closed.

    No thread draws it: one would take time from the event loop whose stalls are being measured.
    """

    def __init__(self, out: IO[str], width: int, total: int, *, colour: bool) -> None:
        console = Console(file=out, force_terminal=True, width=width, no_color=not colour, highlight=False)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("[red]{task.fields[failed]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(compact=True),
            console=console,
            transient=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._progress.add_task("", total=total, failed="")
        self._failed = 0
        self._drawn = 0.0
        self._progress.start()

    def add(self, event: ScenarioFinished) -> None:
        """Count a scenario; one that did not pass is told at once."""
        if event.outcome in ("failed", "error"):
            self._failed += 1
            self._tell(event)
        failed = f"{self._failed} failed" if self._failed else ""
        name = escape(cut(event.provider, _NAME))
        self._progress.update(self._task, advance=1, description=name, failed=failed)
        if time.monotonic() - self._drawn >= _PAUSE:
            self._drawn = time.monotonic()
            self._progress.refresh()

    def _tell(self, event: ScenarioFinished) -> None:
        rules = ", ".join(dict.fromkeys(violation.rule for violation in event.violations)) or event.message
        line = cut(f"{event.provider}-{event.scenario}: {rules}", self._progress.console.width - 7)
        self._progress.console.print(f"[red]{event.outcome.upper():<6}[/] {escape(line)}")

    def close(self) -> None:
        """Take the line away."""
        self._progress.stop()
