"""REQUEST: what the server saw is acceptable, and says all that the caller said."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from harness.checks.failure import is_slip, told
from harness.checks.findings import Findings, shown
from harness.checks.observation import Observation
from harness.checks.tools import canonical
from harness.contract.capabilities import Capabilities
from harness.contract.content import ContentBlock, ToolUse
from harness.contract.rules import RULES
from harness.dialects.base import (
    CallPart,
    MediaPart,
    Part,
    ReasoningPart,
    RequestFault,
    RequestFaultKind,
    RequestView,
    ResultPart,
    TextPart,
    WireRequest,
)
from harness.dialects.schemas import places
from harness.exchange import Call, Operation

_RULES: Final[Mapping[RequestFaultKind, str]] = {
    kind: f"REQUEST-{kind.name.replace('_', '-')}" for kind in RequestFaultKind
}
_ALWAYS: Final = ("REQUEST-FORM", "REQUEST-EMPTY-TEXT", "REQUEST-ROLES", "REQUEST-NO-TOOLS")


def check_acceptable(seen: Observation, findings: Findings) -> None:
    """The real service would not refuse what was sent."""
    if not seen.log.exchanges:
        return
    findings.exercise(*_ALWAYS, *_exercised(seen.exchange.call))
    for fault in seen.faults:
        findings.violate(_RULES[fault.kind], f"{fault.path}: {fault.what}", fault.evidence)


def refused(seen: Observation) -> list[RequestFault]:
    """The faults of the requests that every such service minds; of the others a rule of their own advises."""
    return [fault for fault in seen.faults if RULES[_RULES[fault.kind]].level == "MUST"]


def _exercised(call: Call) -> Iterator[str]:
    """The rules that the content of a call puts to the test."""
    if call.tool_specs:
        yield from ("REQUEST-TOOL-NAME", "REQUEST-SCHEMA")
    if call.tool_choice:
        yield "REQUEST-TOOL-CHOICE"
    for block in blocks_of(call):
        yield from _BLOCK_RULES.get(next(iter(block), ""), ())
        for part in block.get("toolResult", {}).get("content", ()):
            yield from _BLOCK_RULES.get(next(iter(part), ""), ())


_BLOCK_RULES: Final[Mapping[str, tuple[str, ...]]] = {
    "toolUse": ("REQUEST-TOOL-ID",),
    "toolResult": ("REQUEST-PAIRING",),
    "image": ("REQUEST-MEDIA",),
    "document": ("REQUEST-MEDIA",),
    "video": ("REQUEST-MEDIA",),
    "cachePoint": ("REQUEST-CACHE",),
    "reasoningContent": ("REQUEST-REASONING",),
}


def blocks_of(call: Call, role: str | None = None) -> Iterator[ContentBlock]:
    """The content blocks of a call, of one role or of both."""
    return (block for turn in call.messages if role in (None, turn["role"]) for block in turn["content"])


def check_complete(seen: Observation, findings: Findings) -> None:
    """Nothing that the caller said is lost on the way to the server."""
    call = seen.exchange.call
    if call.operation is Operation.COUNT or not seen.log.exchanges:
        return
    abilities, warned = seen.provider.capabilities, tuple(seen.warnings)
    found = _completeness(_Sent(seen, seen.dialect.name, seen.asked, seen.requests[0], abilities, warned))
    findings.exercised |= found.exercised
    findings.violations += found.violations


@dataclass(frozen=True, slots=True)
class _Sent:
    """What completeness depends on; the observation is there to be read, and is the same for equal ones."""

    seen: Observation = field(compare=False)
    dialect: str
    asked: bytes
    request: WireRequest
    abilities: Capabilities
    warned: tuple[str, ...]


@lru_cache(64)
def _completeness(sent: _Sent) -> Findings:
    """What the checks say; calls that are alike are judged once."""
    seen, findings = sent.seen, Findings()
    view = seen.views[0]
    for check in _COMPLETE:
        check(seen, seen.exchange.call, view, findings)
    return findings


#: methods that have a rule of their own about prompts
_PROMPT_RULES: Final[Mapping[Operation, str]] = {Operation.STRUCTURED: "STRUCT-PROMPT"}


def _check_system(seen: Observation, call: Call, view: RequestView, findings: Findings) -> None:
    pieces = [block["text"] for block in call.system_prompt_content or () if block.get("text")]
    wanted = pieces or ([call.system_prompt] if call.system_prompt else [])
    if wanted:
        rule = _PROMPT_RULES.get(call.operation, "REQUEST-SYSTEM")
        findings.expect(rule, _in_order(wanted, "\n".join(view.system)), view.system, wanted)


def _check_texts(seen: Observation, call: Call, view: RequestView, findings: Findings) -> None:
    for role in ("user", "assistant"):
        wanted = [text for block in blocks_of(call, role) if (text := block.get("text", "")).strip()]
        met = "\n".join(part.text for part in _parts(view, role) if isinstance(part, TextPart))
        if wanted:
            rule = _PROMPT_RULES.get(call.operation, "REQUEST-TEXT")
            findings.expect(rule, _in_order(wanted, met), f"{role}: {shown(met)}", wanted)


def _in_order(pieces: Iterable[str], text: str) -> bool:
    place = 0
    for piece in pieces:
        place = text.find(piece, place)
        if place < 0:
            return False
        place += len(piece)
    return True


def _parts(view: RequestView, role: str | None = None) -> Iterator[Part]:
    return (part for turn in view.turns if role in (None, turn.role) for part in turn.parts)


def _check_tools(seen: Observation, call: Call, view: RequestView, findings: Findings) -> None:
    if not call.tool_specs or not seen.provider.capabilities.tools:
        return
    names = _wire_names(call, view)
    wanted = [
        (names.get(spec["name"], spec["name"]), spec["description"], _names(spec["inputSchema"]["json"]))
        for spec in call.tool_specs
    ]
    met = [(tool.name, tool.description, _names(tool.schema)) for tool in view.tools]
    findings.expect("REQUEST-TOOLS", met == wanted, met, wanted)


#: names that every service takes
_COMMON_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def _wire_names(call: Call, view: RequestView) -> Mapping[str, str]:
    """Tools that an adapter may send by another name, since some service refuses theirs, with that name."""
    sent = zip((spec["name"] for spec in call.tool_specs or ()), (tool.name for tool in view.tools), strict=False)
    return {name: wire for name, wire in sent if not _COMMON_NAME.fullmatch(name)}


#: keywords that services have no place for, so that an adapter may leave them out
_CONDITIONS: Final = frozenset({"if", "then", "else", "not", "dependentSchemas", "propertyNames", "contains"})


def _names(schema: Any) -> list[str]:
    """The names of the properties of a schema at every depth, once each: definitions may be written out, or shared."""
    found = (place.schema.get("properties") for place in places(schema, "", _CONDITIONS))
    return sorted({name for properties in found if isinstance(properties, dict) for name in properties})


def _check_calls(seen: Observation, call: Call, view: RequestView, findings: Findings) -> None:
    wanted = [block["toolUse"] for block in blocks_of(call) if "toolUse" in block]
    if not wanted or not seen.provider.capabilities.tools:
        return
    met = [part for part in _parts(view) if isinstance(part, CallPart)]
    names = _wire_names(call, view)
    told_calls = [
        (names.get(use["name"], use["name"]), canonical(use["input"] if isinstance(use["input"], dict) else {}))
        for use in wanted
    ]
    findings.expect("REQUEST-CALLS", [(p.name, canonical(p.input)) for p in met] == told_calls, met, told_calls)
    _check_signatures(seen, wanted, met, findings)
    results = [block["toolResult"] for block in blocks_of(call) if "toolResult" in block]
    if results:
        _check_results(call, met, [part for part in _parts(view) if isinstance(part, ResultPart)], findings)


def _check_signatures(seen: Observation, uses: list[ToolUse], met: list[CallPart], findings: Findings) -> None:
    """Where the protocol has a place for them, calls go back with their signatures."""
    wanted = [use.get("reasoningSignature") for use in uses]
    if any(wanted) and seen.dialect.shape.signed_calls:
        sent = [part.signature for part in met]
        findings.expect("REQUEST-CALL-SIGNATURE", sent == wanted, sent, wanted)


def _check_results(call: Call, calls: list[CallPart], met: list[ResultPart], findings: Findings) -> None:
    """Results by the id that their call has on the wire: vendors' id alphabets differ, so ids may be mapped."""
    uses = [block["toolUse"]["toolUseId"] for block in blocks_of(call) if "toolUse" in block]
    wire_id = dict(zip(uses, (part.id for part in calls), strict=False))
    by_id = {part.id: part for part in met}
    for result in (block["toolResult"] for block in blocks_of(call) if "toolResult" in block):
        part = by_id.get(wire_id.get(result["toolUseId"], ""))
        missing = "no result" if part is None else _missing(result["content"], part)
        findings.expect("REQUEST-RESULTS", not missing, f"{result['toolUseId']}: {missing}", result["content"])
        if part is not None and result.get("status") == "error":
            marked = part.error is True or "error" in " ".join(part.texts).lower()
            findings.expect("REQUEST-RESULT-STATUS", marked, part, "a mark that the tool failed")


def _missing(content: Iterable[Any], part: ResultPart) -> str | None:
    joined = "\n".join(part.texts)
    for item in content:
        if "text" in item and item["text"] not in joined:
            return f"text {shown(item['text'])} is missing"
        if "json" in item and not _holds_json(item["json"], part.texts):
            return f"JSON {shown(item['json'])} is missing"
    return None


def _holds_json(value: Any, texts: tuple[str, ...]) -> bool:
    """Whether a text, or one of its lines, is the JSON value."""
    wanted = canonical(value)
    lines = [line for text in texts for line in (text, *text.splitlines())]
    return any(_is_json(line, wanted) for line in lines) or json.dumps(value, ensure_ascii=False) in "\n".join(texts)


def _is_json(text: str, wanted: str) -> bool:
    try:
        return canonical(json.loads(text)) == wanted
    except ValueError:
        return False


def _check_media(seen: Observation, call: Call, view: RequestView, findings: Findings) -> None:
    abilities = seen.provider.capabilities
    sent = {part.data: part.format for part in _media(view)}
    wanted = [(kind, media) for kind, media in _media_of(blocks_of(call)) if kind in abilities.media]
    results = (block["toolResult"]["content"] for block in blocks_of(call) if "toolResult" in block)
    wanted += [
        (kind, media) for items in results for kind, media in _media_of(items) if kind in abilities.tool_result_media
    ]
    if wanted:
        lost = [f"{kind} of {len(media['source']['bytes'])} bytes" for kind, media in wanted if _is_lost(media, sent)]
        findings.expect("REQUEST-MEDIA-SENT", not lost, f"{lost} did not arrive as they are", "every byte, by its type")


#: formats that have one media type, by which the service reads the bytes
_OF_ONE_TYPE: Final = frozenset({"png", "jpeg", "gif", "webp", "pdf", "mp4"})


def _is_lost(media: Any, sent: Mapping[bytes | None, str | None]) -> bool:
    """Whether the bytes are not among those that were sent, or by the name of another format."""
    data, formats = media["source"]["bytes"], {media.get("format"), sent.get(media["source"]["bytes"])}
    return data not in sent or (len(formats) > 1 and formats <= _OF_ONE_TYPE)


def _media(view: RequestView) -> Iterator[MediaPart]:
    for part in _parts(view):
        if isinstance(part, MediaPart):
            yield part
        elif isinstance(part, ResultPart):
            yield from part.media


def _media_of(blocks: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """Media that are there as bytes, with their kind."""
    for block in blocks:
        for kind in ("image", "document", "video"):
            if "bytes" in block.get(kind, {}).get("source", {}):
                yield kind, block[kind]


def _check_unicode(seen: Observation, call: Call, view: RequestView, findings: Findings) -> None:
    values = [block["toolUse"]["input"] for block in blocks_of(call) if "toolUse" in block]
    letters = {letter for letter in canonical(values) if "\x7f" < letter < "\ud800"}
    if letters:
        # Read and written again: escapes of the body itself mean nothing, those inside its texts stay.
        body = canonical(json.loads(seen.log.requests[0].body)).lower()
        escaped = sorted(letter for letter in letters if f"\\\\u{ord(letter):04x}" in body)
        findings.expect(
            "REQUEST-UNICODE", not escaped, f"{escaped} escaped inside JSON text", "the characters themselves"
        )


def _check_choice(seen: Observation, call: Call, view: RequestView, findings: Findings) -> None:
    choice = call.tool_choice
    if not choice or not call.tool_specs or not seen.provider.capabilities.tools:
        return
    ((kind, body),) = choice.items()
    name = body["name"] if isinstance(body, dict) and "name" in body else ""
    wanted = f"tool:{_wire_names(call, view).get(name, name)}" if kind == "tool" else kind
    ignored = view.tool_choice in (None, "auto", "none") and bool(seen.warnings)
    if kind in seen.provider.capabilities.tool_choice:
        accepted = (wanted, None) if kind == "auto" else (wanted,)
        # A model that is set to think cannot be forced: which of the two gives way is the adapter's to say.
        gives_way = ignored and bool(call.config) and call.config == seen.provider.config_for.get("thinking")
        right = view.tool_choice in accepted or gives_way
        findings.expect("REQUEST-CHOICE", right, view.tool_choice, wanted)
    elif kind != "auto":
        findings.expect("REQUEST-CHOICE", ignored, f"{view.tool_choice}, warnings {seen.warnings}", "a warning")
        told = [warning for warning in seen.warnings if _CHOICE_WORDS.search(warning)]
        findings.expect("REQUEST-CHOICE-WARNED", len(told) == 1, seen.warnings, "one warning that names the choice")


_CHOICE_WORDS: Final = re.compile(r"(tool|function)[ _-]?(choice|call)", re.IGNORECASE)


def _check_cache(seen: Observation, call: Call, view: RequestView, findings: Findings) -> None:
    wanted = sum("cachePoint" in block for block in (*blocks_of(call), *(call.system_prompt_content or ())))
    if wanted and seen.provider.capabilities.caching:
        met = len(view.cache_points)
        findings.expect("REQUEST-CACHE-POINTS", met >= wanted, f"{met} cache markers on the wire", f"{wanted}")


def _check_reasoning(seen: Observation, call: Call, view: RequestView, findings: Findings) -> None:
    """Signed reasoning goes back to the model that it came from; settings may choose one that takes none."""
    abilities = seen.provider.capabilities
    told_blocks: list[Any] = [block["reasoningContent"] for block in blocks_of(call) if "reasoningContent" in block]
    texts = [block["reasoningText"] for block in told_blocks if block.get("reasoningText", {}).get("signature")]
    if not abilities.reasoning_replay or call.config or not texts:
        return
    signed = abilities.signatures
    met = [(p.text, p.signature if signed else None) for p in _parts(view) if isinstance(p, ReasoningPart)]
    wanted = [(text["text"], text["signature"] if signed else None) for text in texts]
    findings.expect("REQUEST-REASONING-SENT", met == wanted, met, wanted)


_COMPLETE: Final = (
    _check_system,
    _check_texts,
    _check_tools,
    _check_calls,
    _check_media,
    _check_unicode,
    _check_choice,
    _check_cache,
    _check_reasoning,
)


def check_unsupported(seen: Observation, findings: Findings) -> None:
    """Content that the adapter does not declare is left out with a warning, or refused in words."""
    lost = seen.undeclared
    if not lost or not seen.exchange.legal:
        return
    if seen.error is not None:
        met = f"{told(seen.error)} for {lost}"
        findings.expect("REQUEST-UNSUPPORTED", _in_words(seen.error, lost), met, "an error that names it")
    else:
        findings.expect("REQUEST-UNSUPPORTED", bool(seen.warnings), f"{lost} left out in silence", "a warning")


def _in_words(error: BaseException, lost: Iterable[str]) -> bool:
    """Whether an error is meant: typed, or one of Python's own that names the content, as no slip over it does."""
    named = any(kind.split()[0] in str(error) for kind in lost)
    return not is_slip(error) or (named and isinstance(error, TypeError | NotImplementedError))
