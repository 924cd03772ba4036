"""ERROR and FAULT: what fails, fails once, visibly, and as what it is."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from harness.checks.content import check_content, text_of
from harness.checks.ending import check_stop, check_usage
from harness.checks.findings import Findings, shown
from harness.checks.observation import Observation
from harness.checks.tools import check_tools
from harness.contract.errors import ErrorFacts, classify
from harness.contract.errors.facts import mappings
from harness.dialects.base import ErrorClass, VendorError, WireRequest
from harness.dialects.reply import Refusal, Text
from harness.wire.faults import FaultKind

#: exceptions that nobody raises on purpose: a slip of the adapter (or of its SDK, which the adapter should have met).
#: JSONDecodeError is none: it says in words what is wrong with a body, and vendors' SDKs raise it for that.
SLIPS: Final = (
    AttributeError,
    LookupError,
    TypeError,
    NameError,
    AssertionError,
    RecursionError,
    UnicodeError,
    NotImplementedError,
    StopIteration,
    RuntimeError,
)

THROTTLED: Final = "ModelThrottledException"
OVERFLOW: Final = "ContextWindowOverflowException"
TOOLS: Final = "ToolsUnsupportedException"

#: error class, the rule, and the exception of the contract that it asks for (None: neither throttling nor overflow)
_CLASSES: Final = {
    ErrorClass.THROTTLE: ("ERROR-THROTTLE", THROTTLED),
    ErrorClass.OVERFLOW: ("ERROR-OVERFLOW", OVERFLOW),
    ErrorClass.TOOLS_UNSUPPORTED: ("ERROR-TOOLS", TOOLS),
    ErrorClass.OTHER: ("ERROR-OTHER", None),
}

_FAULT_RULES: Final = {
    FaultKind.RESET: "FAULT-CUT",
    FaultKind.HEADERS_THEN_RESET: "FAULT-CUT",
    FaultKind.CLEAN_EOF: "FAULT-EOF",
    FaultKind.EOF_MID_FRAME: "FAULT-EOF",
    FaultKind.EOF_MID_CHARACTER: "FAULT-EOF",
    FaultKind.EMPTY: "FAULT-BODY",
    FaultKind.NOT_JSON: "FAULT-BODY",
    FaultKind.CORRUPT: "FAULT-BODY",
    FaultKind.HALF_JSON: "FAULT-BODY",
    FaultKind.PRELUDE: "FAULT-CHECKSUM",
    FaultKind.GZIP: "FAULT-ENCODING",
    FaultKind.REFUSED: "FAULT-REFUSED",
    FaultKind.SILENCE: "FAULT-SILENCE",
    FaultKind.REDIRECT: "FAULT-REDIRECT",
    FaultKind.HTML_STATUS: "FAULT-STATUS",
    FaultKind.EMPTY_STATUS: "FAULT-STATUS",
}
#: rules about faults that come without words, or a status, by which an adapter could take them for throttling
_WORDLESS: Final = frozenset({"FAULT-CUT", "FAULT-EOF", "FAULT-REFUSED", "FAULT-SILENCE"})
#: faults that break one frame only: an adapter may read past it where it says nothing
_OF_ONE_FRAME: Final = frozenset({FaultKind.CORRUPT, FaultKind.HALF_JSON})


def check_errors(seen: Observation, findings: Findings) -> None:
    """An error that the vendor answered with."""
    vendor = seen.exchange.answer.error
    if vendor is None:
        return
    findings.expect("ERROR-SWALLOWED", seen.error is not None, f"a normal end after {vendor.id}", "an exception")
    requests = _alike(seen)
    findings.expect("ERROR-ONE-REQUEST", requests == 1, f"{requests} requests", "1 request")
    if seen.error is None:
        return
    _check_no_stop(seen, findings)
    findings.expect("ERROR-TYPED", not is_slip(seen.error), told(seen.error), "a typed error")
    _check_class(seen, vendor, findings)
    if seen.kinds:
        findings.expect("ERROR-CAUSE", seen.error.__cause__ is not None, f"{told(seen.error)} without a cause")
    _check_message(seen, seen.error, vendor, findings)
    _check_wait(seen, vendor, findings)


def _alike(seen: Observation) -> int:
    """Requests that were made; of those for structured output, which may be asked for in another way, the alike."""
    bodies = [request.body for request in seen.log.requests]
    structured = seen.exchange.call.operation == "structured_output"
    return max(map(bodies.count, bodies), default=0) if structured else len(bodies)


def _check_class(seen: Observation, vendor: VendorError, findings: Findings) -> None:
    rule, wanted = _CLASSES[vendor.error_class]
    if seen.exchange.call.operation == "structured_output":
        rule = "STRUCT-ERROR"
    met = f"{type(seen.error).__name__} for {_vendor(vendor)}"  # its words are the body's, and would crowd it out
    if wanted is None:
        wrong = seen.kinds & ({OVERFLOW} if vendor.again else {THROTTLED, OVERFLOW})
        findings.expect(rule, not wrong, met, f"the vendor's own exception{_deciding(vendor)}")
    elif wanted in seen.known:
        findings.expect(rule, wanted in seen.kinds, met, f"{wanted}{_deciding(vendor)}")


def _deciding(vendor: VendorError) -> str:
    """Which row of the harness's own table of errors speaks of the error, for authors who have none yet."""
    headers = dict(vendor.headers)
    codes = (*_coded(vendor), *([kind] if (kind := headers.get("x-amzn-errortype")) else []))
    row = classify(ErrorFacts(vendor_words(vendor) or "", vendor.status, codes, headers))
    return f" (row {row.name} of harness/contract/errors/rows.toml: {row.means})" if row else ""


def _coded(vendor: VendorError) -> tuple[str, ...]:
    """The codes in an error's body."""
    try:
        objects = mappings(json.loads(vendor.body))
    except ValueError:
        return ()
    return tuple(str(value) for found in objects for key, value in found.items() if key in _CODE_KEYS and value)


_CODE_KEYS: Final = ("code", "type", "status", "error_type", "tpe")


def retry_after_of(vendor: VendorError) -> float | None:
    """The seconds that the error's ``retry-after`` header names; None where it has none, or a date."""
    value = dict(vendor.headers).get("retry-after", "")
    return float(value) if value.isdecimal() else None


def _check_wait(seen: Observation, vendor: VendorError, findings: Findings) -> None:
    """How long to wait is known to the contract's own exception only, and from an answer's headers."""
    wanted = retry_after_of(vendor)
    by_header = seen.exchange.answer.error_after is None and seen.provider.exceptions is None
    if wanted is None or not by_header or THROTTLED not in seen.kinds:
        return
    met = getattr(seen.error, "retry_after", None)
    near = isinstance(met, int | float) and abs(met - wanted) < 1  # a header in milliseconds is more exact
    findings.expect("ERROR-RETRY-AFTER", near, f"retry_after {met}", f"{wanted:g} seconds")


def _vendor(vendor: VendorError) -> str:
    return f"HTTP {vendor.status} {shown(vendor.body.decode(errors='replace'), 90)}"


def _check_message(seen: Observation, error: BaseException, vendor: VendorError, findings: Findings) -> None:
    words = vendor_words(vendor)
    in_stream = seen.exchange.answer.error_after is not None
    if words and not (in_stream and _is_mute(vendor, words)):
        heard = " ".join(_said(link) for link in _chain(error))
        findings.expect("ERROR-MESSAGE", words in heard, shown(heard), words)


def _said(error: BaseException) -> str:
    """The words of an exception, and of the message and body that SDKs keep beside them; quotes as themselves.

    An SDK whose exceptions print a dictionary has its newlines escaped there, but not in the message.
    """
    return f"{error} {getattr(error, 'message', '')} {getattr(error, 'body', '')}".replace("\\'", "'")


def _is_mute(vendor: VendorError, words: str) -> bool:
    """Whether the error's form in a stream is without its words, as a mere finish reason is."""
    forms = (words, json.dumps(words)[1:-1], json.dumps(words, ensure_ascii=False)[1:-1])
    return not any(form.encode() in (vendor.in_stream or b"") for form in forms)


def vendor_words(vendor: VendorError) -> str | None:
    """The longest text in an error's body that is no code: its message."""
    try:
        return max(_strings(json.loads(vendor.body)), key=len, default=None)
    except ValueError:
        return None


#: members of error bodies that hold a code, an id or an address, which may be longer than a short message
_CODES: Final = frozenset(
    {"type", "code", "status", "param", "object", "error_type", "request_id", "id", "user_id", "signin_url"}
)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for key, item in value.items() if key not in _CODES for text in _strings(item))
    elif isinstance(value, list):
        yield from (text for item in value for text in _strings(item))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An exception and what it came from; the end may be the beginning, where a cause was raised again."""
    met: set[int] = set()
    while error is not None and id(error) not in met:
        met.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def is_slip(error: BaseException) -> bool:
    """Whether nobody raises such an exception on purpose. Subclasses that an SDK declares are typed errors."""
    return type(error).__module__ == "builtins" and isinstance(error, SLIPS)


def is_timeout(error: BaseException | None) -> bool:
    """Whether an exception, or one that it came from, is called one of a time-out."""
    return any("timeout" in kind.__name__.lower() for link in _chain(error) for kind in type(link).__mro__)


def told(error: BaseException | None) -> str:
    """An exception in a few words."""
    return shown(f"{type(error).__name__}: {error}") if error is not None else "no exception"


def _check_no_stop(seen: Observation, findings: Findings) -> None:
    stops = [index for index, event in enumerate(seen.events) if "messageStop" in event]
    findings.exercise("ERROR-NO-STOP")
    if stops:
        findings.violate("ERROR-NO-STOP", f"messageStop, then {told(seen.error)}", "no messageStop", stops[0])


def check_faults(seen: Observation, findings: Findings) -> None:
    """A transport or body that went wrong."""
    fault = seen.exchange.answer.fault
    if fault is None:
        return
    met = "a normal end" if seen.error is None else told(seen.error)
    raised = seen.error is not None and not seen.timed_out
    visible = raised or (fault.kind in _OF_ONE_FRAME and _harmless(seen))
    findings.expect(_FAULT_RULES[fault.kind], visible, f"{met} after {fault.kind}", "an exception")
    if fault.kind is FaultKind.REDIRECT:
        told_to = sorted(_strangers_told(seen.log.requests))
        findings.expect("FAULT-REDIRECT", not told_to, f"credentials sent on to {told_to}", "none sent on")
    if fault.status == _RATE_LIMITED and THROTTLED in seen.known:
        findings.expect("FAULT-STATUS", THROTTLED in seen.kinds, f"{met} for HTTP {fault.status}", THROTTLED)
    if seen.error is None:
        return
    _check_no_stop(seen, findings)
    decoding = isinstance(seen.error, json.JSONDecodeError | UnicodeDecodeError)  # vendors' SDKs raise either
    findings.expect("FAULT-TYPED", decoding or not is_slip(seen.error), met, "a typed error")
    if _FAULT_RULES[fault.kind] in _WORDLESS:
        check_name(seen, findings)
    findings.expect("FAULT-DECODE", not decoding, met, "an error that tells what came in the reply's place")
    _check_prefix(seen, findings)


def check_name(seen: Observation, findings: Findings) -> None:
    """What no service told is none of the classes that services tell."""
    if seen.known and seen.error is not None:
        met = f"{told(seen.error)}, a {', '.join(sorted(seen.kinds))}"
        findings.expect("ERROR-MISNAMED", not seen.kinds, met, "an exception of another kind")


_RATE_LIMITED: Final = 429
_CREDENTIALS: Final = ("authorization", "x-api-key", "api-key", "x-goog-api-key")


def _strangers_told(requests: Sequence[WireRequest]) -> set[str]:
    """The hosts, beside the first one, that were sent a credential."""
    hosts = [request.header("host") or "" for request in requests]
    telling = (any(request.header(name) for name in _CREDENTIALS) for request in requests)
    return {host for host, told in zip(hosts, telling, strict=True) if told and host != hosts[0]}


def _harmless(seen: Observation) -> bool:
    """Whether the whole reply arrived all the same: the broken frame said nothing, as a ping does."""
    answer, stream = seen.exchange.answer, seen.exchange.stream
    whole = replace(seen, expected=seen.dialect.expected(answer.reply, answer.style, stream=stream))
    found = Findings()
    for check in (check_content, check_tools, check_stop, check_usage):
        check(whole, found)
    return not found.violations


def _check_prefix(seen: Observation, findings: Findings) -> None:
    said = "".join(b.text for b in seen.exchange.answer.reply.blocks if isinstance(b, Text | Refusal))
    heard = "".join(text_of(block) for block in seen.content)
    findings.expect("FAULT-PREFIX", said.startswith(heard), heard, f"a beginning of {shown(said)}")
