"""Print the numbers; the exit status is 1 when a violation is unexplained."""

import sys

from rich.console import Console

from tests.replay.replay import tallies
from tests.replay.table import numbers, remarks
from tests.shared import SHARED


def main() -> int:
    """Replay everything."""
    console = Console()
    if not SHARED.is_dir():
        console.print("There is nothing to replay: the shared corpus is not beside the checkout.")
        return 2
    console.print(numbers())
    for remark in remarks():
        console.print(remark, highlight=False, markup=False)
    return int(any(tally.unexplained for _, _, tally in tallies()))


sys.exit(main())
