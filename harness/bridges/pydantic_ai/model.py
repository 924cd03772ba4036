"""A pydantic-ai model behind the contract's ``stream``."""

from collections.abc import AsyncIterator
from typing import Any

from harness.bridges.base import Bridge
from harness.bridges.events import Telling, ending
from harness.bridges.pydantic_ai.replies import blocks_of, pieces_of, stop_of, usage_of, whole_of
from harness.bridges.pydantic_ai.requests import choice_of, messages_of, tool_of
from harness.contract.events import StreamEvent


class BridgedModel(Bridge):
    """What the suite calls: inputs go out as pydantic-ai's own, and its events come back as the contract's."""

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
        """The events of one reply. Its whole is the response that pydantic-ai has put together.

        Raises CutReplyError where that says that it is not whole, or failed.
        """
        from pydantic_ai.models import ModelRequestParameters

        history = messages_of(messages, system_prompt, system_prompt_content)
        parameters = ModelRequestParameters(function_tools=[tool_of(spec) for spec in tool_specs or ()])
        settings: Any = choice_of(tool_choice) if tool_specs else {}
        telling = Telling()
        async with self._model.request_stream(history, settings, parameters) as reply:
            for event in telling.start():
                yield event
            async for told in reply:
                for event in telling.live(pieces_of(told)):
                    yield event
            whole = whole_of(reply)
        for event in (*telling.rest(blocks_of(whole)), *ending(stop_of(whole), usage_of(whole))):
            yield event
