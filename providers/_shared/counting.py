"""Token counts by the service, and estimates where it does not count."""

import abc
from typing import Any

from harness.contract.content import Messages, SystemContentBlock, ToolSpec
from providers._shared.config import ConfiguredModel
from providers._shared.request import Request


class CountingModel(ConfiguredModel):
    """A model whose service may count tokens: it is asked where the setting ``use_native_token_count`` is true."""

    def __init__(self, **model_config: Any) -> None:
        super().__init__(**model_config)
        self._uncountable: set[str] = set()

    async def count_tokens(
        self,
        messages: Messages,
        tool_specs: list[ToolSpec] | None = None,
        system_prompt: str | None = None,
        system_prompt_content: list[SystemContentBlock] | None = None,
    ) -> int:
        """Input tokens of a request: the service's count where it is to count and can, else an estimate."""
        counted = None
        if self.config.get("use_native_token_count"):
            counted = await self._counted(self._request(messages, tool_specs, system_prompt, system_prompt_content))
        if counted is not None:
            return counted
        return await super().count_tokens(messages, tool_specs, system_prompt, system_prompt_content)

    @abc.abstractmethod
    async def _native_count(self, request: Request) -> int:
        """The service's count; any exception where there is none."""

    @abc.abstractmethod
    def _never_counts(self, error: Exception) -> bool:
        """Whether ``error`` says that the service will not count for this model next time either."""

    async def _counted(self, request: Request) -> int | None:
        """The count, or None. A model that the service does not count for is not asked about again."""
        if request.model_id in self._uncountable:
            return None
        try:
            return await self._native_count(request)
        except Exception as error:  # whatever went wrong, an estimate is of more use than an error
            if self._never_counts(error):
                self._uncountable.add(request.model_id)
            return None
