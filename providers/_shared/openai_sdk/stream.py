"""The SDK's stream, of plain objects, that remembers whether the service said ``[DONE]``."""

from typing import Any, ClassVar

import openai
from openai import AsyncStream

from providers._shared.stainless.stream import Chunks


class ChunkStream(Chunks[object], AsyncStream[object]):
    """Yields chunks as the JSON values that they are."""

    sdk: ClassVar[Any] = openai
