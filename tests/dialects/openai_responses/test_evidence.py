"""Every option, stop value and error names something that exists."""

import json
import re
from functools import cache

import pytest

from harness.dialects.base import ErrorClass
from harness.dialects.openai_responses import DIALECT
from tests.recordings.corpus import rows
from tests.shared import SHARED, needs_shared

EVIDENCE = sorted(
    {option.evidence for axis in DIALECT.axes for option in axis.options}
    | {row.evidence for row in DIALECT.stops}
    | {error.evidence for error in DIALECT.errors}
)
_OUTSIDE = re.compile(r"doc: .+|report: [\w.-]+/[\w.-]+#\d+")


@cache
def known() -> frozenset[str]:
    """Paths of recordings, ids of reports and of errors."""
    ids: set[str] = {row.path for row in rows()}
    for name in ("adapter_bugs", "error_responses"):
        lines = (SHARED / "data" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        ids |= {json.loads(line)["id"] for line in lines}
    return frozenset(ids)


@needs_shared
@pytest.mark.parametrize("evidence", EVIDENCE)
def test_evidence_exists(evidence: str) -> None:
    assert _OUTSIDE.fullmatch(evidence) or evidence in known()


@needs_shared
def test_errors_from_the_case_file_are_classified_as_it_says() -> None:
    lines = (SHARED / "data" / "error_responses.jsonl").read_text(encoding="utf-8").splitlines()
    cases = {case["id"]: case for case in map(json.loads, lines)}
    classes = {"throttle": ErrorClass.THROTTLE, "overloaded": ErrorClass.THROTTLE, "overflow": ErrorClass.OVERFLOW}
    classes |= {"tools_unsupported": ErrorClass.TOOLS_UNSUPPORTED}
    compared = [error for error in DIALECT.errors if error.evidence in cases]
    assert len(compared) > 10
    for error in compared:
        assert error.error_class is classes.get(cases[error.evidence]["class"], ErrorClass.OTHER), error.id


@needs_shared
def test_reports_about_the_protocol_that_are_about_answers_are_options() -> None:
    """Each trigger that a public report found in an answer's form is an axis option, or stands here with its reason."""
    lines = (SHARED / "data" / "adapter_bugs.jsonl").read_text(encoding="utf-8").splitlines()
    reports = [row for row in map(json.loads, lines) if row["protocol_family"] == "openai-responses"]
    elsewhere = {
        "litellm#37710": "how a response ends is a stop value",
        "langchain#34616": "a refusal is a block",
        "openai-agents-python#3055": "a refusal is a block",
        "litellm#22695": "an error",
        "llxprt-code#3140": "an error",
        "litellm#36123": "a caller that goes away",
        "openai-agents-js#1070": "a request",
        "oh-my-pi#1835": "a request",
        "agent-framework#5690": "a request",
        "eliza#19260": "the same as vm0#24687",
        "opencodex#4652": "the same as the recordings of LM Studio",
    }
    assert {row["id"] for row in reports} - set(EVIDENCE) == set(elsewhere)


def test_names_are_unique() -> None:
    for names in ([axis.name for axis in DIALECT.axes], [error.id for error in DIALECT.errors]):
        assert len(set(names)) == len(names)
    for axis in DIALECT.axes:
        assert len(set(axis.names)) == len(axis.names) > 1
