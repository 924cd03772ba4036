"""The records of adapters that were not written here: they load anywhere, and run where the framework is installed."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from harness.exchange import Answer, Exchange
from harness.laboratory import Laboratory
from harness.provider import Provider
from harness.scenarios.catalogue.samples import said
from tests.foreign.strands_records import ANTHROPIC, BEDROCK, OPENAI, OPENAI_PER_CALL

_RECORDS = (BEDROCK, ANTHROPIC, OPENAI, OPENAI_PER_CALL)
_SDKS = ("strands", "boto3", "anthropic", "openai")


def test_records_load_without_any_sdk() -> None:
    load = f"import sys; sys.modules.update(dict.fromkeys({_SDKS!r})); import tests.foreign.strands_records"
    subprocess.run([sys.executable, "-c", load], check=True, timeout=60)


def test_expected_failures_have_a_reason() -> None:
    assert all(reason for record in _RECORDS for reason in record.expected.values())


@pytest.mark.skipif(find_spec("strands") is None, reason="strands-agents is not installed beside the harness")
@pytest.mark.parametrize("record", _RECORDS, ids=lambda record: record.name)
def test_a_plain_text_arrives(record: Provider) -> None:
    laboratory = Laboratory()
    try:
        bench = laboratory.bench(record)
        seen = laboratory.run(bench.run(Exchange(answer=Answer(said(bench.subject.dialect, "Hello, wörld")))))
        assert (seen.error, seen.content) == (None, [{"text": "Hello, wörld"}])
        assert seen.assembled.stop_reason == "end_turn"
    finally:
        laboratory.close()
