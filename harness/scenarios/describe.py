"""An exchange in a few lines, for people."""

from collections.abc import Iterator
from typing import Any

from harness.agent.events import LoopEvent
from harness.dialects.base import Dialect
from harness.dialects.reply import Reasoning, RedactedReasoning, Reply, Text, ToolUse
from harness.exchange import FRAMES, Answer, Call, Exchange, Listen, Operation, hello


def describe(exchange: Exchange, dialect: Dialect) -> list[str]:
    """What was asked, what was answered, and what was unusual about it; usual things are left out."""
    mode = "streamed" if exchange.stream else "whole"
    lines = [f"call: {_call(exchange.call)}", f"answer ({dialect.name}, {mode}): {_answer(exchange)}"]
    unusual = [*_manner(exchange)]
    return [*lines, f"told: {', '.join(unusual)}"] if unusual else lines


def _call(call: Call) -> str:
    parts = [call.operation.value, *_arguments(call)]
    return " ".join(parts)


def _arguments(call: Call) -> Iterator[str]:
    if call.messages != hello():
        yield f"messages={_short(call.messages, 200)}"
    for name in ("system_prompt", "system_prompt_content", "tool_choice"):
        if (value := getattr(call, name)) is not None:
            yield f"{name}={_short(value)}"
    if call.tool_specs:
        yield f"tools={[spec['name'] for spec in call.tool_specs]}"
    if call.config:
        yield f"config={_short(dict(call.config))}"


def _answer(exchange: Exchange) -> str:
    if exchange.goal is not None:
        return "; then ".join(map(_one_answer, exchange.goal.answers))
    return _one_answer(exchange.answer)


def _one_answer(answer: Answer) -> str:
    if answer.raw is not None:
        return f"recorded, {len(answer.raw.body)} bytes"
    if answer.error is not None:
        where = "" if answer.error_after is None else f" in the stream after {answer.error_after} frames"
        return f"error {answer.error.id}, HTTP {answer.error.status}{where}"
    return _reply(answer.reply)


def _reply(reply: Reply) -> str:
    blocks = ", ".join(map(_block, reply.blocks)) or "nothing"
    usage = "" if reply.usage is None else f", usage {reply.usage.input}+{reply.usage.output}"
    return f"{blocks}; stop {reply.wire_stop or reply.stop}{usage}"


def _block(block: Any) -> str:
    if isinstance(block, ToolUse):
        return f"call {block.name}({_short(block.arguments)})"
    if isinstance(block, RedactedReasoning):
        return f"redacted {block.data!r}"
    kind = type(block).__name__.lower()
    extra = f" with {len(block.citations)} citations" if isinstance(block, Text) and block.citations else ""
    extra += " signed" if isinstance(block, Reasoning) and block.signature else ""
    return f"{kind} {_short(block.text)}{extra}"


def _manner(exchange: Exchange) -> Iterator[str]:
    answer = exchange.answer
    yield from (f"{axis}={option}" for axis, option in answer.style.items())
    if answer.cut != FRAMES:
        size = f" {answer.cut.seed_or_size}" if answer.cut.seed_or_size else ""
        yield f"cut {answer.cut.kind}{size}"
    if answer.fault is not None:
        status = f", HTTP {answer.fault.status}" if answer.fault.status else ""
        yield f"fault {answer.fault.kind} at {answer.fault.at:.2f}{status}"
    if exchange.listen is not Listen.ALL:
        yield f"{exchange.listen.value} after {exchange.listen_after} events"
    if exchange.pause:
        yield f"taken with a pause of {exchange.pause * 1000:g} ms after each event"
    if exchange.call.operation is not Operation.STREAM:
        yield exchange.call.operation.value


def _short(value: object, limit: int = 80) -> str:
    text = repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def timeline(events: list[Any]) -> list[str]:
    """One line an event."""
    return [_event(event) for event in events]


def _event(event: Any) -> str:
    if isinstance(event, LoopEvent):
        return str(event)
    if not isinstance(event, dict) or len(event) != 1:
        return _short(event)
    ((key, body),) = event.items()
    inner = {k: v for k, v in body.items() if k != "contentBlockIndex"} if isinstance(body, dict) else body
    return f"{key} {_short(inner.get('delta', inner) if isinstance(inner, dict) else inner)}"
