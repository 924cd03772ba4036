"""The SDK's client, with a chat that leaves requests and answers as they are.

The SDK's own ``chat`` forces both into its classes. These lack much of a tool's schema (nested properties, ``anyOf``,
references) and the ids by which newer servers tell calls apart, and its answers are split into lines at characters that
JSON allows inside strings.
"""

import json
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any

from ollama import AsyncClient

from harness.contract.exceptions import IncompleteStreamError, ModelResponseError
from providers.ollama.errors import raise_error, raise_refusal

Answer = Mapping[str, Any]


class ChatClient(AsyncClient):
    """Connects and authenticates as the SDK does."""

    async def answers(self, body: Mapping[str, Any], **options: Any) -> AsyncGenerator[Answer, None]:
        """The JSON objects of the answer to a chat request: one a line where it streams, else the only one.

        ``options`` are further arguments of httpx. Raises the classified error that an answer is. The connection is
        given back or closed, however this ends.
        """
        async with self._client.stream("POST", "/api/chat", json=body, **options) as response:
            if not response.is_success:
                raise_refusal(response.status_code, dict(response.headers), await response.aread())
            if not body["stream"]:
                yield _answer(await response.aread())
                return
            async with aclosing(response.aiter_bytes()) as chunks:
                async for line in _lines(chunks):
                    yield _answer(line)


async def _lines(chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """The lines that hold something. A line ends where NDJSON says so, and nowhere else."""
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in filter(bytes.strip, lines):
            yield line
    if rest.strip():
        yield rest


def _answer(text: bytes) -> Answer:
    try:
        answer = json.loads(text)
    except ValueError as error:
        cut = text.lstrip().startswith(b"{")
        kind = IncompleteStreamError if cut else ModelResponseError
        raise kind(f"the answer is not JSON: {text[:200]!r}") from error
    if not isinstance(answer, dict):
        raise ModelResponseError(f"the answer is no JSON object: {text[:200]!r}")
    if answer.get("error"):
        raise_error(answer["error"])
    return answer
