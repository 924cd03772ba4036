"""How long the page of a large run takes to be made and to open: ``python -m tests.benchmarks.opening``."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from harness.reporting.html import render_html
from tests.reporting.browser import chromium
from tests.reporting.large import MOST_BYTES, large_run

#: seconds until everything is laid out
_MOST_SECONDS: Final = 1.0
_ROUNDS: Final = 7
#: once the last script has run and the whole page is laid out, as the browser itself measures it, in milliseconds
_OPENED: Final = """() => new Promise((done) => requestAnimationFrame(() => {
    document.body.getBoundingClientRect();
    done(performance.now());
}))"""


def main() -> None:
    """Measure, and print a table."""
    begun = time.perf_counter()
    page = render_html(large_run()).encode()
    made = time.perf_counter() - begun
    opened, worked = zip(*_opened(page), strict=True)
    table = Table("what", "measured", "target", title="The page of 32 adapters")
    table.add_row("size, MB", f"{len(page) / 1e6:.2f}", f"< {MOST_BYTES / 1e6:.0f}")
    table.add_row("made in, s", f"{made:.2f}", "")
    table.add_row("opens in, s (median)", f"{median(opened):.2f}", f"< {_MOST_SECONDS:.0f}")
    table.add_row("opens in, s (best, worst)", f"{min(opened):.2f}, {max(opened):.2f}", "")
    table.add_row("main thread's work, s (median)", f"{median(worked):.2f}", "")
    Console().print(table)


def _opened(page: bytes) -> Iterator[tuple[float, float]]:
    """Seconds of each opening, in a context of its own, and what its main thread worked of them."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        file = Path(folder, "run.html")
        file.write_bytes(page)
        for _ in range(_ROUNDS):
            context: Any = browser.new_context(viewport={"width": 1280, "height": 900})
            tab = context.new_page()
            session = context.new_cdp_session(tab)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            tab.goto(file.as_uri())
            seconds = tab.evaluate(_OPENED) / 1000
            metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
            yield seconds, metrics["TaskDuration"]
            context.close()


if __name__ == "__main__":
    main()
