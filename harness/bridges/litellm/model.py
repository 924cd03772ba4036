"""``litellm.acompletion`` behind the contract's ``stream``."""

from collections.abc import AsyncIterator
from typing import Any

from harness.bridges.base import Bridge
from harness.bridges.events import Telling, ending
from harness.bridges.litellm.replies import blocks_of, pieces_of, stop_of, usage_of
from harness.bridges.litellm.requests import choice_of, messages_of
from harness.bridges.openai_parts import tool_of
from harness.contract.events import StreamEvent


class Completion(Bridge):
    """What the suite calls: inputs go out in OpenAI's form, which LiteLLM takes, and its chunks come back as events."""

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
        """The events of one reply. Its whole is what LiteLLM's ``stream_chunk_builder`` makes of the chunks."""
        asked = {"messages": messages_of(messages, system_prompt, system_prompt_content)}
        if tool_specs:
            asked |= {"tools": [tool_of(spec) for spec in tool_specs], **choice_of(tool_choice)}
        reply = await self._model.acompletion(
            **self._settings, **asked, stream=True, stream_options={"include_usage": True}
        )
        telling = Telling()
        chunks: list[Any] = []
        try:
            async for chunk in reply:
                begun = () if chunks else telling.start()
                chunks.append(chunk)
                for event in (*begun, *telling.live(pieces_of(chunk))):
                    yield event
        finally:
            await reply.aclose()
        if chunks:
            whole = self._model.stream_chunk_builder(chunks)
            for event in (*telling.rest(blocks_of(whole)), *ending(stop_of(chunks), usage_of(whole))):
                yield event
