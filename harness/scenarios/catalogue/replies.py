"""Replies: every block, every style on its own, every stop reason, and both modes of one reply."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from harness.checks import check_parity
from harness.checks.findings import Findings
from harness.dialects.base import Dialect, Style
from harness.dialects.reply import Block, Guardrail, Reasoning, RedactedReasoning, Refusal, Reply, Text, ToolUse
from harness.exchange import Answer, Call, Exchange
from harness.provider import Provider
from harness.scenarios.catalogue.samples import WEATHER, call, called, cited, latency, rich, said, signed, usage
from harness.scenarios.scenario import Scenario, Stage, capable, exchanges, modes
from harness.scenarios.strategies import ended
from harness.scenarios.styles import CUTS, single_styles
from harness.wire.cuts import Cut, CutKind


def _told(provider: Provider, reply: Reply) -> Iterator[Exchange]:
    """One reply in every mode of the adapter."""
    tools = [WEATHER] if reply.tools else None
    for stream in modes(provider):
        yield Exchange(Call(tool_specs=tools), Answer(reply), stream=stream)


def _text(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    yield from _told(provider, said(dialect))


def _one_tool(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    yield from _told(provider, called(dialect, call(dialect, city="Paris"), text=""))


def _no_arguments(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    yield from _told(provider, called(dialect, call(dialect, name="clock")))


def _parallel_tools(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    calls = (call(dialect, 1, city="Zürich"), call(dialect, 2, city="日本"), call(dialect, 3, name="clock"))
    yield from _told(provider, called(dialect, *calls))


def _rich(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    yield from _told(provider, rich(provider, dialect))


def _every_style(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """Each option of each axis on its own, for a plain and for a rich reply."""
    for stream in modes(provider):
        for style in single_styles(dialect, stream=stream):
            for reply in (said(dialect), rich(provider, dialect)):
                yield Exchange(answer=Answer(reply, style), stream=stream)


def _every_cut(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    for stream in modes(provider):
        for cut in CUTS:
            yield Exchange(answer=Answer(rich(provider, dialect), cut=cut), stream=stream)


def _every_stop(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """Every row of the stop table, with calls, without them, or each in turn, as the row goes."""
    said: tuple[Block, ...] = (Text("So far."),)
    endings = {False: said, True: (*said, call(dialect, city="Bern"))}
    for row in dialect.stops:
        for tools, blocks in endings.items():
            if row.with_tools in (None, tools) and (provider.capabilities.tools or not tools):
                reply = ended(dialect, blocks, row, usage(dialect))
                yield from _told(provider, replace(reply, latency_ms=latency(dialect)))


def _cut_call(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """The length limit strikes inside the arguments of a call."""
    whole = call(dialect, city="Par")
    for arguments in ('{"city": "Par', '{"city"', "{"):
        reply = Reply(
            (Text("Let me see."), ToolUse(whole.id, whole.name, arguments)), "max_tokens", usage=usage(dialect)
        )
        for stream in modes(provider):
            if dialect.shape.cut_arguments[0 if stream else 1]:
                yield Exchange(Call(tool_specs=[WEATHER]), Answer(reply), stream=stream)


def _cut_second_call(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """The length limit strikes inside the second call: the first one is whole."""
    second = ToolUse(call(dialect, 2).id, "get_weather", '{"city": "B')
    reply = Reply((call(dialect, 1, city="Paris"), second), "max_tokens", usage=usage(dialect))
    if dialect.shape.cut_arguments[0]:
        yield Exchange(Call(tool_specs=[WEATHER]), Answer(reply))


def _reasoning(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """Reasoning alone, before text, and in several blocks with a signature each where the dialect can say so."""
    signature = None if dialect.shape.signed is False else "c2lnbmF0dXJl"
    first = Reasoning("Let me think 日本.", signature)
    yield from _told(provider, Reply((first, Text("Done.")), usage=usage(dialect)))
    if dialect.shape.order == "any":
        second = Reasoning("And again.", None if signature is None else "b3RoZXI=")
        yield from _told(provider, Reply((first, second, Text("Done."), second), usage=usage(dialect)))


def _signed_calls(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """One call with a signature, and three of which the first, or each, has one of its own."""
    calls = (call(dialect, 1, city="Zürich"), call(dialect, 2, city="日本"), call(dialect, 3, name="clock"))
    each = [replace(one, signature=f"c2ln{one.id[-4:]}") for one in calls]
    for made in (signed(dialect, calls[0]), signed(dialect, *calls), each):
        yield from _told(provider, called(dialect, *made))


def _signs_calls(provider: Provider, dialect: Dialect) -> bool:
    return provider.capabilities.tools and dialect.shape.signed_calls


def _redacted(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    if RedactedReasoning in dialect.shape.blocks:
        blocks = (RedactedReasoning(b"\x00\xffsecret"), RedactedReasoning(b"more"), Text("Done."))
        yield from _told(provider, Reply(blocks, usage=usage(dialect)))


def _cited(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    yield from _told(provider, cited(dialect))


def _refusal(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    if Refusal in dialect.shape.blocks:
        yield from _told(provider, Reply((Refusal("I cannot help with that."),), usage=usage(dialect)))


def _interleaved(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """Text after a call, where the protocol keeps the order of blocks."""
    if dialect.shape.order == "any":
        blocks = (Text("One."), call(dialect, 1, city="Rome"), Text("Two."), call(dialect, 2, city="Bern"))
        yield from _told(provider, Reply(blocks, "tool_use", usage=usage(dialect)))


def _long(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """A long text in many cuts; no part of it is like another, so that none can be lost or moved unseen."""
    reply = said(dialect, "".join(f"{number}. ünïcode 🙂 and\nlines. " for number in range(60)))
    for cut in (Cut(CutKind.WHOLE), Cut(CutKind.FIXED, 37), Cut(CutKind.INSIDE_CHARACTER)):
        yield Exchange(answer=Answer(reply, cut=cut), stream=modes(provider)[0])


def _gated(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    if provider.stream_config is not None:
        yield Exchange(answer=Answer(said(dialect, "One after the other, word by word.")), gated=True)


def _uncounted(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """Replies of services that count no tokens."""
    yield from _told(provider, replace(said(dialect), usage=None))
    if provider.capabilities.tools:
        yield from _told(provider, replace(called(dialect, call(dialect, 1, city="Paris")), usage=None))


#: protocols whose service model requires counts: ConverseStreamMetadataEvent.usage, ConverseResponse.usage
_COUNTED: Final = frozenset({"bedrock_converse"})


def _may_not_count(provider: Provider, dialect: Dialect) -> bool:
    if dialect.name in _COUNTED:
        return False
    try:
        dialect.encode(replace(said(dialect), usage=None), {}, stream=modes(provider)[0])
    except ValueError:  # the protocol has no reply without
        return False
    return True


def _guarded(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """A guardrail blocks the prompt, the reply, both, or only masks, told in every way, under every setting."""
    blocked = (Guardrail(True, False), Guardrail(False, True), Guardrail(True, True), Guardrail(False, False))
    settings: tuple[dict[str, bool], ...] = ({}, {"guardrail_redact_input": False}, {"guardrail_redact_output": True})
    for guardrail in blocked if dialect.shape.guardrail else ():
        reply = replace(said(dialect, "I may not say that."), stop="guardrail_intervened", guardrail=guardrail)
        for chosen in settings:
            call = Call(config={"guardrail_id": "guard", "guardrail_version": "1", **chosen})
            for stream in modes(provider):
                for style in _guardrail_styles(dialect, stream):
                    yield Exchange(call, Answer(reply, style), stream)


def _guardrail_styles(dialect: Dialect, stream: bool) -> list[Style]:
    styles = single_styles(dialect, stream=stream)
    return [style for style in styles if all(axis.startswith("guardrail") for axis in style)]


def _undeclared(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """Blocks that the service can send and the adapter does not declare."""
    if Reasoning in dialect.shape.blocks and not provider.capabilities.reasoning:
        signature = "c2lnbmF0dXJl" if dialect.shape.signed else None
        yield from _told(provider, Reply((Reasoning("Hm.", signature), Text("Done.")), usage=usage(dialect)))
    if dialect.shape.citations and not provider.capabilities.citations:
        yield from _told(provider, cited(dialect))


def _declares_less(provider: Provider, dialect: Dialect) -> bool:
    return any(True for _ in _undeclared(provider, dialect))


async def _parity(stage: Stage) -> None:
    """The same reply in both modes."""
    provider, dialect = stage.subject.provider, stage.subject.dialect
    for reply in (said(dialect), rich(provider, dialect), _limited(dialect)):
        streamed, whole = [await stage.run(exchange) for exchange in _told(provider, reply)]
        found = Findings()
        check_parity(streamed, whole, found)
        stage.keep(found, streamed)


def _limited(dialect: Dialect) -> Reply:
    return replace(said(dialect), stop="max_tokens")


def _both_modes(provider: Provider, dialect: Dialect) -> bool:
    return len(modes(provider)) == 2


REPLIES = (
    Scenario("text", "a plain text reply", ("CONTENT-TEXT", "USAGE-REPORTED"), exchanges(_text)),
    Scenario("tool", "one tool call and nothing else", ("TOOL-COUNT",), exchanges(_one_tool), needs=capable("tools")),
    Scenario(
        "tool-no-arguments",
        "a call without arguments",
        ("TOOL-INPUT-JSON",),
        exchanges(_no_arguments),
        "litellm#5063",
        capable("tools"),
    ),
    Scenario(
        "tools-parallel",
        "three calls in one reply",
        ("TOOL-COUNT", "TOOL-INPUT", "STREAM-TOOL-ID-UNIQUE"),
        exchanges(_parallel_tools),
        "litellm#37792",
        capable("tools"),
    ),
    Scenario(
        "tools-interleaved", "text between calls", ("CONTENT-BLOCKS",), exchanges(_interleaved), needs=capable("tools")
    ),
    Scenario(
        "tool-cut",
        "the length limit cuts a call's arguments",
        ("TOOL-TRUNCATED",),
        exchanges(_cut_call),
        "strands#4135",
        capable("tools"),
    ),
    Scenario(
        "tool-cut-second",
        "the length limit cuts the second of two calls",
        ("TOOL-TRUNCATED",),
        exchanges(_cut_second_call),
        "litellm#37710",
        capable("tools"),
    ),
    Scenario(
        "rich", "every kind of block that the adapter declares", ("CONTENT-BLOCKS", "USAGE-CACHE"), exchanges(_rich)
    ),
    Scenario(
        "uncounted",
        "a reply whose tokens are not counted",
        ("USAGE-INVENTED", "CONTENT-DELIVERED"),
        exchanges(_uncounted),
        "strands:gemini-no-usage; strands#442",
        _may_not_count,
        "its protocol always counts tokens",
    ),
    Scenario("styles", "every legal way of telling, one at a time", ("CONTENT-DELIVERED",), exchanges(_every_style)),
    Scenario("cuts", "every way in which a transport splits bytes", ("CONTENT-TEXT",), exchanges(_every_cut)),
    Scenario("stops", "every documented stop reason", ("STOP-MAPPED", "STOP-KNOWN"), exchanges(_every_stop)),
    Scenario("long", "a long text in many chunks", ("CONTENT-TEXT",), exchanges(_long), "librefang#3448"),
    Scenario("incremental", "events come while bytes come", ("CONTENT-INCREMENTAL",), exchanges(_gated)),
    Scenario(
        "reasoning",
        "reasoning blocks with their signatures",
        ("REASON-TEXT", "REASON-SIGNATURE"),
        exchanges(_reasoning),
        "openai-agents-python#4155",
        capable("reasoning"),
    ),
    Scenario(
        "tool-signatures",
        "calls with signatures",
        ("REASON-CALL-SIGNATURE",),
        exchanges(_signed_calls),
        "quarkus-langchain4j#2046",
        _signs_calls,
    ),
    Scenario(
        "reasoning-redacted",
        "redacted reasoning",
        ("REASON-REDACTED",),
        exchanges(_redacted),
        "strands#848",
        capable("redacted"),
    ),
    Scenario(
        "citations",
        "text with citations",
        ("CITE-KEPT", "CITE-FIELDS"),
        exchanges(_cited),
        "strands#1341",
        capable("citations"),
    ),
    Scenario("refusal", "the model declines", ("CONTENT-REFUSAL",), exchanges(_refusal), "strands-1.62:openai-refusal"),
    Scenario(
        "guardrail",
        "a guardrail steps in",
        ("REDACT-INPUT", "REDACT-OUTPUT"),
        exchanges(_guarded),
        "strands#3617",
        capable("guardrails"),
    ),
    Scenario(
        "undeclared",
        "blocks that are not declared",
        ("CAPABILITY-UNDECLARED",),
        exchanges(_undeclared),
        needs=_declares_less,
    ),
    Scenario("parity", "the same reply streamed and whole", ("PARITY-MESSAGE",), _parity, needs=_both_modes),
)
