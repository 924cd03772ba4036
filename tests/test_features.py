from dataclasses import replace
from pathlib import Path

from harness.contract.rules import RULES
from harness.dialects import load_dialect
from harness.discovery import find
from harness.features import features


def test_every_need_of_a_rule_is_a_feature_of_some_adapter() -> None:
    records = [
        replace(record, cassettes=Path()) for record in find(["all", "strands/event_loop"])
    ]  # the suite says where they are
    known = {name for record in records for name in features(record, load_dialect(record.dialect))}
    assert {need for rule in RULES.values() for need in rule.needs} <= known


def test_a_rule_applies_only_with_its_profile_and_its_needs() -> None:
    rule = RULES["REDACT-INPUT"]
    assert rule.applies(("core",), ("guardrails",))
    assert not rule.applies(("core",), ())
    assert not RULES["TOOL-ID-MADE"].applies(("core",), ("wire-no-id",))


def test_what_a_protocol_cannot_say_is_no_feature() -> None:
    (bedrock,) = find(["bedrock"])
    (openai,) = find(["openai"])
    assert "wire-refusal" not in features(bedrock, load_dialect(bedrock.dialect))
    assert {"wire-refusal", "wire-no-id", "wire-no-usage"} <= set(features(openai, load_dialect(openai.dialect)))
