"""What one call of a model asks for, whichever service answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.contract.content import Messages, SystemContentBlock, ToolChoice, ToolSpec


def system_blocks(
    prompt: str | None, content: Sequence[SystemContentBlock] | None = None
) -> Sequence[SystemContentBlock]:
    """The system prompt as blocks. ``content`` wins, unless it holds cache points only, which go behind ``prompt``."""
    content = content or ()
    if not prompt or any("cachePoint" not in block for block in content):
        return content
    return [{"text": prompt}, *content]


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments of one call, with the settings that hold for it. Nothing in it may be changed but ``state``.

    ``state`` is the caller's: what a service that keeps the conversation is to be told with the next call.
    """

    config: Mapping[str, Any]
    messages: Messages
    tool_specs: Sequence[ToolSpec] = ()
    system: Sequence[SystemContentBlock] = ()
    tool_choice: ToolChoice | None = None
    state: dict[str, Any] | None = None

    @property
    def model_id(self) -> str:
        """The setting ``model_id``."""
        return str(self.config["model_id"])

    @property
    def forces_call(self) -> bool:
        """Whether the model must call a tool."""
        return self.tool_choice is not None and not self.tool_choice.keys().isdisjoint(("any", "tool"))

    @property
    def called_tools(self) -> list[str]:
        """Names of the tools that the history calls, each once."""
        content = (block for message in self.messages for block in message["content"])
        return list(dict.fromkeys(block["toolUse"]["name"] for block in content if "toolUse" in block))

    @property
    def tool_names(self) -> list[str]:
        """Names of the tools that are given or called in the history."""
        return [*(spec["name"] for spec in self.tool_specs), *self.called_tools]
