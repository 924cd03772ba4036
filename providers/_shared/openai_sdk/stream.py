"""The SDK's stream, of plain objects, that remembers whether the service said ``[DONE]``."""

from collections.abc import AsyncIterator
from typing import Any

from openai import AsyncStream

from providers._shared.openai_sdk.errors import connection_errors


class ChunkStream(AsyncStream[object]):
    """Yields chunks as the JSON values that they are.

    ``object`` is the SDK's own way to leave data alone: building its models costs as much as everything else together,
    and they fit OpenAI's chunks only.
    """

    done = False

    async def _iter_events(self) -> AsyncIterator[Any]:
        with connection_errors(self.response.request):
            async for event in super()._iter_events():
                self.done = self.done or event.data.startswith("[DONE]")
                if event.data:  # the SDK would parse the data of events that have none
                    yield event

    async def whole(self) -> bytes | None:
        """The body, when the service answered with something else than a stream; else None."""
        kind = self.response.headers.get("content-type", "").partition(";")[0].strip()
        if kind not in {"application/json", "text/html"}:
            return None
        with connection_errors(self.response.request):
            return bytes(await self.response.aread())
