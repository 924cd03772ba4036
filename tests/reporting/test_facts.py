import json
from dataclasses import fields
from importlib.metadata import version

from harness.contract.capabilities import Capabilities
from harness.contract.expected import ExpectedFailure
from harness.provider import Provider
from harness.reporting.events import from_json
from harness.reporting.facts import ABSENT, provider_info, run_started

CAPABILITIES = Capabilities(tools=True, tool_choice=frozenset({"tool", "any", "auto"}), structured="native")
PROVIDER = Provider("mine", "openai_chat", lambda endpoint, config: None, CAPABILITIES, ("pytest", "no-such-thing"))


def test_an_adapter_is_described_in_plain_data() -> None:
    info = provider_info(PROVIDER, [ExpectedFailure("USAGE-TOTAL", "known")])
    assert info.profiles == ("core", "tools", "structured", "fallback")
    assert info.capabilities["tool_choice"] == ["any", "auto", "tool"]
    assert info.capabilities.keys() == {field.name for field in fields(Capabilities)}
    assert info.sdk == {"pytest": version("pytest"), "no-such-thing": ABSENT}
    assert info.expected == (ExpectedFailure("USAGE-TOTAL", "known"),)


def test_the_first_event_survives_its_line() -> None:
    event = run_started("r1", "2025-01-01T00:00:00Z", "pytest", [provider_info(PROVIDER)])
    assert from_json(event.to_json()) == event
    assert json.loads(event.to_json())["python"].startswith("3.")
