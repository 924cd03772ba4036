"""Every option, stop value and error names something that exists."""

import json
from functools import cache

import pytest

from harness.dialects.base import ErrorClass
from harness.dialects.openai_chat import DIALECT
from harness.dialects.openai_chat.styles import AXES, restricted
from tests.recordings.corpus import rows
from tests.shared import SHARED, needs_shared

EVIDENCE = sorted(
    {option.evidence for axis in DIALECT.axes for option in axis.options}
    | {row.evidence for row in DIALECT.stops}
    | {error.evidence for error in DIALECT.errors}
)
#: public reports beside those of the case files
REPORTS = {"dify#18971"}


@cache
def known() -> frozenset[str]:
    """Paths of recordings, ids of reports and of errors."""
    ids: set[str] = {row.path for row in rows()} | REPORTS
    for name in ("adapter_bugs", "error_responses", "strands_bugs"):
        lines = (SHARED / "data" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        ids |= {json.loads(line)["id"] for line in lines}
    return frozenset(ids)


@needs_shared
@pytest.mark.parametrize("evidence", EVIDENCE)
def test_evidence_exists(evidence: str) -> None:
    assert evidence.startswith("doc: ") or evidence in known()


@needs_shared
def test_errors_from_the_case_file_are_classified_as_it_says() -> None:
    lines = (SHARED / "data" / "error_responses.jsonl").read_text(encoding="utf-8").splitlines()
    cases = {case["id"]: case for case in map(json.loads, lines)}
    classes = {"throttle": ErrorClass.THROTTLE, "overloaded": ErrorClass.THROTTLE, "overflow": ErrorClass.OVERFLOW}
    classes |= {"tools_unsupported": ErrorClass.TOOLS_UNSUPPORTED}
    compared = [error for error in DIALECT.errors if error.evidence in cases]
    assert len(compared) > 20
    for error in compared:
        assert error.error_class is classes.get(cases[error.evidence]["class"], ErrorClass.OTHER), error.id


def test_names_are_unique() -> None:
    for names in ([axis.name for axis in AXES], [error.id for error in DIALECT.errors]):
        assert len(set(names)) == len(names)
    for axis in AXES:
        assert len(set(axis.names)) == len(axis.names) > 1


def test_a_part_of_the_family_keeps_the_named_options_in_the_named_order() -> None:
    axes = restricted(AXES, {"done": ("absent",), "usage": ("finish_chunk", "absent")})
    kept = {axis.name: axis.names for axis in axes}
    assert (kept["done"], kept["usage"]) == (("absent",), ("finish_chunk", "absent"))
    assert kept["role"] == next(axis.names for axis in AXES if axis.name == "role")
