"""The interface between an agent loop and a vendor."""

import abc
from collections.abc import AsyncGenerator, AsyncIterable
from typing import Any, TypeVar

from pydantic import BaseModel
from typing_extensions import TypedDict

from harness.contract import tokens
from harness.contract.content import Messages, SystemContentBlock, ToolChoice, ToolSpec
from harness.contract.events import StreamEvent

T = TypeVar("T", bound=BaseModel)


class BaseModelConfig(TypedDict, total=False):
    """Settings that every adapter has.

    ``context_window_limit`` in tokens, input and output together. ``idle_timeout`` is how long the service may be
    silent, in seconds; without it the SDK's own time-out holds. A reply that keeps coming may take any time.
    """

    context_window_limit: int | None
    idle_timeout: float | None


class Model(abc.ABC):
    """One model of one vendor. Instances may serve several streams at a time and several event loops in turn."""

    @property
    def stateful(self) -> bool:
        """Whether the vendor keeps the conversation, so that the loop must not resend it."""
        return False

    @property
    def context_window_limit(self) -> int | None:
        """Size of the context window in tokens; None when it was not configured."""
        config = self.get_config()
        limit: int | None = config.get("context_window_limit") if isinstance(config, dict) else None
        return limit

    @abc.abstractmethod
    def update_config(self, **model_config: Any) -> None:
        """Change settings; unknown keys warn."""

    @abc.abstractmethod
    def get_config(self) -> Any:
        """Return the current settings."""

    @abc.abstractmethod
    def structured_output(
        self, output_model: type[T], prompt: Messages, system_prompt: str | None = None, **kwargs: Any
    ) -> AsyncGenerator[dict[str, T | Any], None]:
        """Yield the reply's events and, last, ``{"output": instance}``.

        Raises StructuredOutputException when the reply holds no valid instance.
        """

    @abc.abstractmethod
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
    ) -> AsyncIterable[StreamEvent]:
        """Yield the events of one reply, in the order that :mod:`harness.contract.state` defines.

        ``system_prompt_content`` wins over ``system_prompt`` when both are given. Unknown keyword arguments
        are ignored, since loops pass more with time. Two have a meaning: ``stop_sequences``, strings at which the
        service is to stop, beside those of the settings, and ``model_state``, a dictionary in which a stateful model
        keeps its place. The inputs are never changed.

        Raises ModelThrottledException, ContextWindowOverflowException, ToolsUnsupportedException,
        IncompleteStreamError, or the vendor's own exception.
        """

    async def count_tokens(
        self,
        messages: Messages,
        tool_specs: list[ToolSpec] | None = None,
        system_prompt: str | None = None,
        system_prompt_content: list[SystemContentBlock] | None = None,
    ) -> int:
        """Estimated input tokens of a request; see :mod:`harness.contract.tokens`."""
        return tokens.count_tokens(messages, tool_specs, system_prompt, system_prompt_content)
