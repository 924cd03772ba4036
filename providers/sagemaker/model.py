"""The adapter for models behind Amazon SageMaker endpoints."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractContextManager, aclosing, closing
from typing import Any, ClassVar

from botocore.config import Config
from pydantic import BaseModel

from harness.contract.events import StreamEvent
from providers._shared.boto import EventSource, interrupt, make_client
from providers._shared.bridge import call_in_thread, iterate_in_thread
from providers._shared.native import NativeModel
from providers._shared.openai_chat.names import NAMES
from providers._shared.openai_chat.reply import ChatReader
from providers._shared.openai_chat.stream import ChatStream, read_whole
from providers._shared.openai_chat.structured import response_fields
from providers._shared.request import Request
from providers._shared.transport import drain
from providers.sagemaker.config import SageMakerConfig, plain
from providers.sagemaker.errors import vendor_errors
from providers.sagemaker.request import invocation, payload


class SageMakerModel(NativeModel):
    """A model whose container takes and gives Chat Completions, such as those of vLLM, TGI and DJL Serving.

    Settings are plain keys, or grouped in ``endpoint_config`` and ``payload_config``. ``boto_client_config`` wins over
    the adapter's own client settings (one attempt, 120 s without a byte). The SDK blocks, so each call has a thread of
    its own; a reply that is asked for whole cannot be interrupted, it ends in its thread.
    """

    CONFIG: ClassVar[type] = SageMakerConfig

    def __init__(
        self,
        *,
        boto_session: Any = None,
        boto_client_config: Config | None = None,
        region_name: str | None = None,
        endpoint_url: str | None = None,
        **model_config: Any,
    ) -> None:
        grouped = dict(model_config.get("endpoint_config") or {})
        region = region_name or grouped.pop("region_name", None)
        super().__init__(**{**model_config, "endpoint_config": grouped})
        self.client = make_client(
            "sagemaker-runtime",
            boto_session,
            boto_client_config,
            region,
            endpoint_url,
            lambda: self.config.get("idle_timeout"),
        )

    def update_config(self, **model_config: Any) -> None:
        """Change settings; unknown keys warn and are kept, as they may belong to a newer version."""
        super().update_config(**plain(model_config, self.config.get("params")))

    async def _reply(
        self, request: Request, output_model: type[BaseModel] | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        body, reader = {**payload(request), **response_fields(output_model)}, ChatReader(NAMES.own(request.tool_names))
        reply = self._streamed if body["stream"] else self._whole
        async with aclosing(reply(invocation(request.config, body), reader)) as events:
            async for event in events:
                yield event

    async def _streamed(self, call: Mapping[str, Any], reader: ChatReader) -> AsyncGenerator[StreamEvent, None]:
        """The events of a reply as they arrive. Its bytes are parted without regard to what they say."""
        stream = ChatStream(reader)
        async with aclosing(iterate_in_thread(lambda: self._open(call), interrupt=interrupt)) as parts:
            async for part in parts:
                for event in stream.feed(part.get("PayloadPart", {}).get("Bytes", b"")):
                    yield event
                if stream.done:
                    break
            for event in stream.finish():
                yield event
            await drain(parts)

    async def _whole(self, call: Mapping[str, Any], reader: ChatReader) -> AsyncGenerator[StreamEvent, None]:
        body = await call_in_thread(lambda: self._invoke(call))
        for event in read_whole(reader, body):
            yield event

    def _open(self, call: Mapping[str, Any]) -> EventSource:
        invoke = self.client.invoke_endpoint_with_response_stream
        return EventSource(lambda: invoke(**call)["Body"], self._errors)

    def _invoke(self, call: Mapping[str, Any]) -> bytes:
        with self._errors(), closing(self.client.invoke_endpoint(**call)["Body"]) as body:
            return bytes(body.read())

    def _errors(self) -> AbstractContextManager[None]:
        return vendor_errors(self.client.meta.endpoint_url)
