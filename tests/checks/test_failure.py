"""What is said of an adapter that maps no error, and what is not said of one that tries again where it may."""

import re
from dataclasses import replace

import pytest

from harness.checks.failure import check_errors
from harness.checks.findings import Findings
from harness.contract.errors import ROWS
from harness.contract.exceptions import ContextWindowOverflowException, ModelThrottledException
from harness.dialects import load_dialect
from harness.dialects.base import ErrorClass, VendorError
from harness.exchange import Answer, Call, Exchange
from harness.laboratory import Laboratory
from harness.provider import Provider
from harness.run import observe
from harness.scenarios.catalogue.samples import WEATHER
from tests.miniatures.adapters import failing, raised
from tests.miniatures.miniature import ALL, Miniature, Wrap, provider

RULES = {
    ErrorClass.THROTTLE: "ERROR-THROTTLE",
    ErrorClass.OVERFLOW: "ERROR-OVERFLOW",
    ErrorClass.TOOLS_UNSUPPORTED: "ERROR-TOOLS",
}
MEANT = {
    "throttle": ErrorClass.THROTTLE,
    "overloaded": ErrorClass.THROTTLE,
    "overflow": ErrorClass.OVERFLOW,
    "tools_unsupported": ErrorClass.TOOLS_UNSUPPORTED,
}
MEANS = {row.name: MEANT.get(row.means) for row in ROWS}
ERRORS = [(base, error) for base in ALL for error in load_dialect(provider(base).dialect).errors]


def broken(base: str, name: str, wrap: Wrap) -> Provider:
    return replace(Miniature("", "", "", wrap).of(provider(base)), name=f"{base} {name}")


def findings(laboratory: Laboratory, record: Provider, error: VendorError) -> Findings:
    """What is found where an adapter is told an error at the call."""
    tools = [WEATHER] if error.error_class is ErrorClass.TOOLS_UNSUPPORTED else None
    subject = laboratory.bench(record).subject
    found = Findings()
    check_errors(laboratory.run(observe(subject, Exchange(Call(tool_specs=tools), Answer(error=error)))), found)
    return found


def unmapped(error: Exception) -> Exception:
    """The vendor's own exception. Raised while the contract's is handled, it is the context of its own context."""
    cause = error.__cause__
    return cause if isinstance(cause, Exception) else error


@pytest.mark.parametrize(
    ("base", "error"),
    [pair for pair in ERRORS if pair[1].error_class in RULES],
    ids=lambda value: getattr(value, "id", value),
)
def test_who_maps_nothing_is_told_the_class_the_body_and_the_row(
    base: str, error: VendorError, laboratory: Laboratory
) -> None:
    found = findings(laboratory, broken(base, "unmapped", failing(unmapped)), error)
    [violation] = found.broken[RULES[error.error_class]]
    raised_as, _, body = violation.met.partition(f" for HTTP {error.status} ")
    assert re.fullmatch(r"\w+(?:Error|Exception)", raised_as)
    assert error.body.decode().startswith(body.removesuffix("…"))
    assert len(body) > 30 or body == error.body.decode()
    row = re.search(r"\(row (\S+) of \S+rows\.toml: \w+\)", violation.wanted or "")
    assert row is not None, violation.wanted
    assert MEANS[row[1]] is error.error_class


@pytest.mark.parametrize("kind", [ModelThrottledException, ContextWindowOverflowException])
def test_another_try_is_right_where_the_vendor_advises_it(kind: type[Exception], laboratory: Laboratory) -> None:
    record = broken("bedrock", f"raises {kind.__name__}", raised(kind))
    others = [error for base, error in ERRORS if base == "bedrock" and error.error_class is ErrorClass.OTHER]
    accepted = {error.id for error in others if "ERROR-OTHER" not in findings(laboratory, record, error).broken}
    again = {error.id for error in others if error.again}
    assert "model_stream_error" in again
    assert accepted == (again if kind is ModelThrottledException else set())
