"""Every option, stop value and error names something that exists."""

import json
import re
from functools import cache

import pytest

from harness.dialects.gemini_generate import REST_DIALECT
from harness.dialects.gemini_generate.styles import AXIS_NAMES
from tests.recordings.corpus import rows
from tests.shared import SHARED, needs_shared

EVIDENCE = sorted(
    {option.evidence for axis in REST_DIALECT.axes for option in axis.options}
    | {row.evidence for row in REST_DIALECT.stops}
    | {error.evidence for error in REST_DIALECT.errors}
)
#: public reports beside those of the case file
REPORTS = {"litellm#29167", "OmniRoute#4177", "helm#2709"}


@cache
def known() -> frozenset[str]:
    """Paths of recordings, ids of reports and of errors."""
    ids: set[str] = {row.path for row in rows()} | REPORTS
    for name in ("adapter_bugs", "error_responses"):
        lines = (SHARED / "data" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        ids |= {json.loads(line)["id"] for line in lines}
    return frozenset(ids)


@needs_shared
@pytest.mark.parametrize("evidence", EVIDENCE)
def test_evidence_exists(evidence: str) -> None:
    named = re.findall(r"(?:gemini|vertex-gemini)/\S+\.(?:yaml|yml|json|txt|httprr)|[\w-]+#\d+|\be\d{3}\b", evidence)
    assert [name for name in named if name not in known()] == []
    pages = ("reference", "errors", "Living Standard", "Protocol Buffers", "google-genai", "python-genai")
    assert named or any(page in evidence for page in pages)


def test_names_are_unique_and_the_usual_option_is_recorded() -> None:
    assert tuple(axis.name for axis in REST_DIALECT.axes) == AXIS_NAMES
    for axis in REST_DIALECT.axes:
        assert len(set(axis.names)) == len(axis.names) > 1
        assert "gemini/" in axis.options[0].evidence or axis.name == "error"
