"""Small runs to report on."""

from harness.contract.expected import ExpectedFailure
from harness.reporting.events import (
    Event,
    Outcome,
    ProviderInfo,
    RunFinished,
    RunStarted,
    ScenarioFinished,
    ViolationInfo,
)

MUST, SHOULD, MAY = "STREAM-STOP-ONCE", "STREAM-BLOCK-INDEX", "CAPABILITY-UNDECLARED"
TOOLS = "STREAM-TOOL-BEGIN"


def started(*providers: ProviderInfo) -> RunStarted:
    return RunStarted("r1", "2025-01-01T00:00:00Z", "0.1.0", "pytest --provider=a", "3.11.7", "Linux", providers)


def provider(name: str = "a", expected: tuple[str, ...] = (), profiles: tuple[str, ...] = ("core",)) -> ProviderInfo:
    return ProviderInfo(
        name,
        "openai_chat",
        profiles,
        {"media": ["image"]},
        {"openai": "2.0"},
        tuple(ExpectedFailure(rule, "why") for rule in expected),
    )


def scenario(
    exercised: tuple[str, ...] = (),
    violated: tuple[str, ...] = (),
    outcome: Outcome = "passed",
    name: str = "s1",
    provider: str = "a",
    message: str = "",
) -> ScenarioFinished:
    violations = tuple(
        ViolationInfo(rule, "met this", "wanted that", 1, "call: x", ("one", "two"), "again") for rule in violated
    )
    return ScenarioFinished(provider, name, "title", outcome, exercised, violations, 3, 0.5, message)


def finished(complete: bool = True) -> RunFinished:
    return RunFinished("2025-01-01T00:01:00Z", 3, 1.5, complete)


def run(*scenarios: ScenarioFinished, info: ProviderInfo | None = None, complete: bool = True) -> list[Event]:
    return [started(info or provider()), *scenarios, finished(complete)]
