"""One call of the model, to its end."""

from collections.abc import AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from harness.agent.events import EventKind, brief
from harness.agent.kit import Kit
from harness.agent.transcript import STOP_SEQUENCE
from harness.agent.turns import text_of
from harness.contract.assembler import Assembler
from harness.contract.content import Message, Messages, ToolSpec
from harness.contract.events import StreamEvent
from harness.contract.exceptions import IncompleteStreamError


@dataclass(frozen=True, slots=True)
class Request:
    """What a mode asks the model."""

    messages: Messages
    tool_specs: list[ToolSpec] | None
    system_prompt: str | None


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A whole reply. ``redacted_input`` are the words that a guardrail puts in place of the user's."""

    message: Message
    stop_reason: str | None
    usage: Any = None
    redacted_input: str | None = None

    @property
    def text(self) -> str:
        """The words for the user."""
        return text_of(self.message["content"])

    @property
    def cut(self) -> bool:
        """Whether the length limit ended it."""
        return self.stop_reason == "max_tokens"

    @property
    def shown(self) -> str:
        """The reply in one line."""
        calls = [f"call {block['toolUse'].get('name')}" for block in self.message["content"] if "toolUse" in block]
        return brief(", ".join([*([self.text] if self.text else []), *calls]) or "nothing")


async def complete(kit: Kit, request: Request, *, stop: bool) -> ModelReply:
    """Call the model and listen to the end. Raises what it raises, and IncompleteStreamError for a reply without one.

    Stop words are given as the keyword ``stop_sequences``, which adapters put where their service has them. Those that
    do not know it ignore it, as models ignore all they do not know, so replies are cut on this side as well.
    """
    assembler = Assembler()
    async with _listening(_stream(kit, request, stop=stop)) as events:
        async for event in events:
            assembler.feed(event)
            kit.tell(EventKind.STREAMED, data=event)
    if assembler.stop_reason is None:
        raise IncompleteStreamError("the model's events ended without messageStop")
    told = {key: words for each in assembler.redactions if isinstance(each, dict) for key, words in each.items()}
    message = assembler.message
    if (words := told.get("redactAssistantContentMessage")) is not None:
        message = {"role": "assistant", "content": [{"text": words}]}
    return ModelReply(message, assembler.stop_reason, assembler.usage, told.get("redactUserContentMessage"))


def _stream(kit: Kit, request: Request, *, stop: bool) -> AsyncIterable[StreamEvent]:
    options: dict[str, Any] = {"stop_sequences": [STOP_SEQUENCE]} if stop else {}
    if kit.model.stateful:
        options["model_state"] = kit.model_state
    return kit.model.stream(list(request.messages), request.tool_specs, request.system_prompt, **options)


@asynccontextmanager
async def _listening(events: AsyncIterable[StreamEvent]) -> AsyncIterator[AsyncIterable[StreamEvent]]:
    """The events, whose connection is freed in the end where it can be."""
    try:
        yield events
    finally:
        if close := getattr(events, "aclose", None):
            await close()
