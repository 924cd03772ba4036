"""A LangChain chat model behind the contract's ``stream``."""

from collections.abc import AsyncIterator
from typing import Any

from harness.bridges.base import Bridge
from harness.bridges.events import Telling, ending
from harness.bridges.langchain.replies import blocks_of, pieces_of, stop_of, usage_of
from harness.bridges.langchain.requests import choice_of, messages_of
from harness.bridges.openai_parts import tool_of
from harness.contract.events import StreamEvent


class ChatModel(Bridge):
    """What the suite calls: inputs go out as LangChain's own, and its chunks come back as events."""

    async def stream(
        self,
        messages: Any,
        tool_specs: Any = None,
        system_prompt: str | None = None,
        *,
        tool_choice: Any = None,
        system_prompt_content: Any = None,
        **kwargs: Any,
    ) -> AsyncIterator[StreamEvent]:
        """The events of one reply. Its whole is what LangChain's own ``+`` makes of the chunks."""
        history = messages_of(messages, system_prompt, system_prompt_content)
        telling, whole = Telling(), None
        chunks = self._bound(tool_specs, tool_choice).astream(history)
        try:
            async for chunk in chunks:
                begun = () if whole is not None else telling.start()
                whole = chunk if whole is None else whole + chunk
                for event in (*begun, *telling.live(pieces_of(chunk))):
                    yield event
        finally:
            await chunks.aclose()
        if whole is not None:
            for event in (*telling.rest(blocks_of(whole)), *ending(stop_of(whole), usage_of(whole))):
                yield event

    def _bound(self, tool_specs: Any, tool_choice: Any) -> Any:
        if not tool_specs:
            return self._model
        return self._model.bind_tools([tool_of(spec) for spec in tool_specs], **choice_of(tool_choice))
