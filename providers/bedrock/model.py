"""The adapter for Amazon Bedrock's Converse API."""

import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, ClassVar, Final

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from harness.contract.content import Messages, SystemContentBlock, ToolChoice, ToolSpec
from harness.contract.events import StreamEvent
from harness.contract.model import T
from providers._shared.bridge import call_in_thread, iterate_in_thread
from providers._shared.config import ConfiguredModel
from providers._shared.structured import from_forced_tool, tool_spec
from providers.bedrock.client import make_client
from providers.bedrock.config import BedrockConfig, default_model_id, foundation_model_id
from providers.bedrock.errors import Target
from providers.bedrock.events import Translator
from providers.bedrock.replies import ReplyStream, VendorEvent, expand, interrupt, whole_reply
from providers.bedrock.request import Call, counted_of, request_of, system_blocks

#: codes and words by which the service says that it will never count for a model
_NOT_COUNTED_CODES: Final = frozenset(
    {"AccessDeniedException", "ResourceNotFoundException", "UnknownOperationException"}
)
_NOT_COUNTED_WORDS: Final = re.compile(r"does(n't| not) support|identifier is invalid", re.IGNORECASE)


class BedrockModel(ConfiguredModel):
    """A model of Amazon Bedrock.

    ``boto_client_config`` wins over the adapter's own client settings (one attempt, 120 s without a byte).
    ``api_key`` is a Bedrock API key, sent instead of a signature. The SDK blocks, so each call has a thread of its
    own; a reply that is asked for whole cannot be interrupted, it ends in its thread.
    """

    CONFIG: ClassVar[type] = BedrockConfig

    def __init__(
        self,
        *,
        boto_session: Any = None,
        boto_client_config: Config | None = None,
        region_name: str | None = None,
        endpoint_url: str | None = None,
        api_key: str | None = None,
        **model_config: Any,
    ) -> None:
        super().__init__(**model_config)
        self.client = make_client(boto_session, boto_client_config, region_name, endpoint_url, api_key)
        if not self.config.get("model_id"):
            self.config["model_id"] = default_model_id(self.client.meta.region_name)
        self._not_counted: set[str] = set()

    async def stream(
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
        """Yield the events of one reply; see :class:`harness.contract.model.Model`."""
        config = dict(self.config)
        streaming = config.get("streaming") is not False
        system = system_blocks(system_prompt, system_prompt_content)
        call = Call(config, messages, tool_specs, system, tool_choice, streaming)
        replies = self._streamed if streaming else self._whole
        translator = Translator(config, call.tools)
        async with aclosing(replies(request_of(call), self._target(call))) as vendor_events:
            async for vendor_event in vendor_events:
                for event in translator.feed(vendor_event):
                    yield event
        for event in translator.finish():
            yield event

    async def structured_output(
        self, output_model: type[T], prompt: Messages, system_prompt: str | None = None, **kwargs: Any
    ) -> AsyncGenerator[dict[str, T | Any], None]:
        """Yield the reply's events and, last, ``{"output": instance}``: the input of a tool that must be called."""
        spec = tool_spec(output_model)
        choice: ToolChoice = {"tool": {"name": spec["name"]}}
        events = self.stream(prompt, [spec], system_prompt, tool_choice=choice, **kwargs)
        async with aclosing(events), aclosing(from_forced_tool(output_model, events)) as outputs:
            async for output in outputs:
                yield output

    async def count_tokens(
        self,
        messages: Messages,
        tool_specs: list[ToolSpec] | None = None,
        system_prompt: str | None = None,
        system_prompt_content: list[SystemContentBlock] | None = None,
    ) -> int:
        """Input tokens: counted by the service when it is set to and can, else estimated."""
        model_id = foundation_model_id(str(self.config["model_id"]))
        if self.config.get("use_native_token_count") and model_id not in self._not_counted:
            system = system_blocks(system_prompt, system_prompt_content)
            call = Call(dict(self.config), messages, tool_specs, system)
            try:
                return await self._native_count(model_id, counted_of(call))
            except ClientError as error:
                if _is_refusal(error):
                    self._not_counted.add(model_id)
            except (BotoCoreError, OSError):
                pass  # out of reach this time
        return await super().count_tokens(messages, tool_specs, system_prompt, system_prompt_content)

    async def _native_count(self, model_id: str, converse: Mapping[str, Any]) -> int:
        request = {"modelId": model_id, "input": {"converse": converse}}
        answer = await call_in_thread(lambda: self.client.count_tokens(**request))
        return int(answer["inputTokens"])

    def _target(self, call: Call) -> Target:
        meta = self.client.meta
        return Target(call.model_id, meta.region_name, meta.endpoint_url)

    def _streamed(self, request: Mapping[str, Any], target: Target) -> AsyncGenerator[VendorEvent, None]:
        return iterate_in_thread(lambda: ReplyStream(self.client, request, target), interrupt=interrupt)

    async def _whole(self, request: Mapping[str, Any], target: Target) -> AsyncGenerator[VendorEvent, None]:
        answer = await call_in_thread(lambda: whole_reply(self.client, request, target))
        for event in expand(answer):
            yield event


def _is_refusal(error: ClientError) -> bool:
    details = error.response.get("Error", {})
    return details.get("Code") in _NOT_COUNTED_CODES or bool(_NOT_COUNTED_WORDS.search(str(details.get("Message"))))
