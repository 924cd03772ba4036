"""A framework's reader that is right breaks no rule, and only records that have one are asked."""

from dataclasses import replace

from harness.dialects import load_dialect
from harness.features import features
from harness.laboratory import Laboratory
from harness.scenarios.catalogue import CATALOGUE
from tests.miniatures.miniature import provider
from tests.miniatures.readers import right

_READING = [scenario for scenario in CATALOGUE if scenario.id.startswith("reading")]
_RULES = {"READ-EVENTS", "READ-INDEX", "READ-CUT"}


def test_a_right_reader_breaks_no_rule() -> None:
    laboratory = Laboratory()
    bench = laboratory.bench(replace(provider("bedrock"), assemble=right))
    for scenario in _READING:
        laboratory.run(scenario.play(bench))
    laboratory.close()
    assert bench.findings == {}
    assert bench.exercised >= _RULES


def test_only_frameworks_have_readers() -> None:
    ours = provider("bedrock")
    dialect = load_dialect(ours.dialect)
    assert not any(scenario.needs(ours, dialect) for scenario in _READING)
    assert "framework-reading" not in features(ours, dialect)
    assert "framework-reading" in features(replace(ours, assemble=right), dialect)
