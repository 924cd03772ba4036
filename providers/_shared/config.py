"""What every adapter does the same way: the methods of the contract on top of one method of its own."""

import abc
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from harness.contract.authoring import SettingsModel
from harness.contract.content import Messages, SystemContentBlock, ToolChoice, ToolSpec
from harness.contract.events import StreamEvent
from harness.contract.model import T
from providers._shared.request import Request, system_blocks
from providers._shared.structured import from_forced_tool, tool_spec


def with_stop_words(config: Mapping[str, Any], path: Sequence[str], words: Sequence[str]) -> Mapping[str, Any]:
    """The settings with further stop words at a path of keys, for one call; as they are where there is no such path."""
    if not path or not words:
        return config
    key, *deeper = path
    if deeper:
        return {**config, key: with_stop_words(config.get(key) or {}, deeper, words)}
    given = config.get(key) or ()
    return {**config, key: [*([given] if isinstance(given, str) else given), *words]}


class ConfiguredModel(SettingsModel):
    """What every adapter here is.

    An adapter defines :meth:`_events`, and :meth:`_structured` where its service can be held to a schema.
    """

    #: where the settings have stop words, as a path of keys; empty where the service takes none
    STOP_WORDS: ClassVar[tuple[str, ...]] = ("params", "stop")

    def stream(
        self,
        messages: Messages,
        tool_specs: list[ToolSpec] | None = None,
        system_prompt: str | None = None,
        *,
        tool_choice: ToolChoice | None = None,
        system_prompt_content: list[SystemContentBlock] | None = None,
        invocation_state: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> AsyncGenerator[StreamEvent, None]:
        """Yield the events of one reply; see :meth:`Model.stream`."""
        request = self._request(messages, tool_specs, system_prompt, system_prompt_content, tool_choice)
        config = with_stop_words(request.config, self.STOP_WORDS, kwargs.get("stop_sequences") or ())
        return self._events(replace(request, config=config, state=kwargs.get("model_state")))

    def structured_output(
        self, output_model: type[T], prompt: Messages, system_prompt: str | None = None, **kwargs: Any
    ) -> AsyncGenerator[dict[str, T | Any], None]:
        """Yield the events of a reply and, last, ``{"output": instance}``; see :meth:`Model.structured_output`."""
        request = self._request(prompt, (), system_prompt, kwargs.get("system_prompt_content"))
        return self._structured(output_model, replace(request, state=kwargs.get("model_state")))

    @abc.abstractmethod
    def _events(self, request: Request) -> AsyncGenerator[StreamEvent, None]:
        """The events of the reply to ``request``, in the contract's order and with its exceptions."""

    def _structured(self, output_model: type[T], request: Request) -> AsyncGenerator[dict[str, T | Any], None]:
        """The answer as the input of a tool that the model is forced to call."""
        spec = tool_spec(output_model)
        forced = replace(request, tool_specs=(spec,), tool_choice={"tool": {"name": spec["name"]}})
        return from_forced_tool(output_model, self._events(forced))

    def _request(
        self,
        messages: Messages,
        tool_specs: Sequence[ToolSpec] | None = None,
        system_prompt: str | None = None,
        system_prompt_content: Sequence[SystemContentBlock] | None = None,
        tool_choice: ToolChoice | None = None,
    ) -> Request:
        """The arguments of a call, with the settings as they are now."""
        system = system_blocks(system_prompt, system_prompt_content)
        return Request(dict(self.config), messages, tool_specs or (), system, tool_choice)
