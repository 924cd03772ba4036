"""Where the recorded corpus and the case files live: beside the checkout, never inside it."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"the shared corpus is not beside the checkout ({SHARED.name}/ is absent)"
)
