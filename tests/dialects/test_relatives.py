"""Every option, stop value and error of the dialects near Chat Completions names something that exists."""

import json
from functools import cache

import pytest

from harness.dialects import load_dialect
from harness.dialects.base import Dialect
from harness.dialects.openai_chat.styles import AXES as FAMILY
from tests.recordings.corpus import rows
from tests.shared import SHARED, needs_shared

NAMES = ("writer_chat", "llamacpp_chat", "sagemaker_chat", "llama_api")
DIALECTS = [load_dialect(name) for name in NAMES]

#: beginnings of evidence that is no recording and no row of the case files
_NAMED_ELSEWHERE = ("doc: ", "report: ", "run: ")


@cache
def known() -> frozenset[str]:
    """Paths of recordings, ids of reports and of errors."""
    ids: set[str] = {row.path for row in rows()}
    for name in ("adapter_bugs", "error_responses", "strands_bugs"):
        lines = (SHARED / "data" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        ids |= {json.loads(line)["id"] for line in lines}
    return frozenset(ids)


@needs_shared
@pytest.mark.parametrize("dialect", DIALECTS, ids=NAMES)
def test_evidence_exists(dialect: Dialect) -> None:
    evidence = {option.evidence for axis in dialect.axes for option in axis.options}
    evidence |= {row.evidence for row in dialect.stops} | {error.evidence for error in dialect.errors}
    assert {told for told in evidence if not told.startswith(_NAMED_ELSEWHERE)} <= known()


@pytest.mark.parametrize("dialect", DIALECTS, ids=NAMES)
def test_names_are_unique(dialect: Dialect) -> None:
    for names in ([axis.name for axis in dialect.axes], [error.id for error in dialect.errors]):
        assert len(set(names)) == len(names)
    for axis in dialect.axes:
        assert len(set(axis.names)) == len(axis.names)


def test_an_axis_of_the_family_exists_in_the_same_modes_in_its_relatives() -> None:
    modes = {axis.name: (axis.streamed, axis.whole) for axis in FAMILY}
    for dialect in DIALECTS[:-1]:  # the last has an envelope, and so axes, of its own
        shared = [axis for axis in dialect.axes if axis.name in modes]
        assert [(axis.streamed, axis.whole) for axis in shared] == [modes[axis.name] for axis in shared]
