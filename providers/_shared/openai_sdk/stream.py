"""The SDK's stream, of plain objects, that remembers whether the service said ``[DONE]``."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import openai
from openai import AsyncStream

from providers._shared.stainless.stream import Chunks


class ChunkStream(AsyncStream[object], Chunks):
    """Yields chunks as the JSON values that they are."""

    sdk: ClassVar[Any] = openai

    def _iter_events(self) -> AsyncIterator[Any]:
        return self._noted(super()._iter_events())
