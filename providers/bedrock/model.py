"""The adapter for Amazon Bedrock's Converse API."""

import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, ClassVar, Final

from botocore.config import Config
from botocore.exceptions import ClientError

from harness.contract.events import StreamEvent
from providers._shared.boto import interrupt
from providers._shared.bridge import call_in_thread, iterate_in_thread
from providers._shared.counting import CountingModel
from providers._shared.request import Request
from providers.bedrock.client import make_client
from providers.bedrock.config import BedrockConfig, default_model_id, foundation_model_id
from providers.bedrock.errors import Target
from providers.bedrock.events import Translator
from providers.bedrock.names import NAMES
from providers.bedrock.replies import VendorEvent, expand, reply_stream, whole_reply
from providers.bedrock.request import counted_of, request_of, streams

#: codes and words by which the service says that it will never count for a model
_NOT_COUNTED_CODES: Final = frozenset(
    {"AccessDeniedException", "ResourceNotFoundException", "UnknownOperationException"}
)
_NOT_COUNTED_WORDS: Final = re.compile(r"does(n't| not) support|identifier is invalid", re.IGNORECASE)


class BedrockModel(CountingModel):
    """A model of Amazon Bedrock.

    ``boto_client_config`` wins over the adapter's own client settings (one attempt, 120 s without a byte).
    ``api_key`` is a Bedrock API key, sent instead of a signature. The SDK blocks, so each call has a thread of its
    own; a reply that is asked for whole cannot be interrupted, it ends in its thread.
    """

    CONFIG: ClassVar[type] = BedrockConfig
    STOP_WORDS: ClassVar[tuple[str, ...]] = ("stop_sequences",)

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
        self.client = make_client(
            boto_session,
            boto_client_config,
            region_name,
            endpoint_url,
            api_key,
            lambda: self.config.get("idle_timeout"),
        )
        if not self.config.get("model_id"):
            self.config["model_id"] = default_model_id(self.client.meta.region_name)

    async def _events(self, request: Request) -> AsyncGenerator[StreamEvent, None]:
        replies = self._streamed if streams(request) else self._whole
        translator = Translator(request.config, NAMES.own(request.tool_names))
        async with aclosing(replies(request_of(request), self._target(request))) as vendor_events:
            async for vendor_event in vendor_events:
                for event in translator.feed(vendor_event):
                    yield event
        for event in translator.finish():
            yield event

    async def _native_count(self, request: Request) -> int:
        wire = {"modelId": foundation_model_id(request.model_id), "input": {"converse": counted_of(request)}}
        answer = await call_in_thread(lambda: self.client.count_tokens(**wire))
        return int(answer["inputTokens"])

    def _never_counts(self, error: Exception) -> bool:
        details = error.response.get("Error", {}) if isinstance(error, ClientError) else {}
        words = str(details.get("Message"))
        return details.get("Code") in _NOT_COUNTED_CODES or _NOT_COUNTED_WORDS.search(words) is not None

    def _target(self, request: Request) -> Target:
        meta = self.client.meta
        return Target(request.model_id, meta.region_name, meta.endpoint_url)

    def _streamed(self, request: Mapping[str, Any], target: Target) -> AsyncGenerator[VendorEvent, None]:
        return iterate_in_thread(lambda: reply_stream(self.client, request, target), interrupt=interrupt)

    async def _whole(self, request: Mapping[str, Any], target: Target) -> AsyncGenerator[VendorEvent, None]:
        answer = await call_in_thread(lambda: whole_reply(self.client, request, target))
        for event in expand(answer):
            yield event
