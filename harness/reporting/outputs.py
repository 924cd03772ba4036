"""The reports that are made from a run's events, beside the file that holds them."""

from pathlib import Path
from typing import Final

from harness.reporting.badge import write_badges
from harness.reporting.html import write_html
from harness.reporting.jsonl import read_run, replace_file
from harness.reporting.markdown import render_markdown
from harness.reporting.verdicts import RunReport, aggregate

#: the folder of badges, beside the run
BADGES: Final = "badges"


def write_reports(run: Path) -> tuple[RunReport, list[Path]]:
    """Write the page, the document, and for a whole run the badges; the run, judged, and what was written.

    Raises BrokenReportError, naming file and line; OSError.
    """
    report = aggregate(read_run(run).events)
    page, document = run.with_suffix(".html"), run.with_suffix(".md")
    write_html(run, page)
    replace_file(document, render_markdown(report).encode())
    return report, [page, document, *write_badges(report, run.parent / BADGES)]
