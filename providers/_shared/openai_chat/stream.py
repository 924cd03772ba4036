"""Replies out of bytes, for SDKs that do not read the protocol themselves."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from harness.contract.events import StreamEvent
from harness.contract.exceptions import ModelResponseError
from providers._shared.lines import JsonReader
from providers._shared.openai_chat.reply import ChatReader


class ChatStream:
    """Reads the body of one streamed reply, which may be cut anywhere.

    ``done`` is true once the service ended the reply.
    """

    def __init__(self, reader: ChatReader) -> None:
        self._reader = reader
        self._values = JsonReader()
        self._whole = False

    @property
    def done(self) -> bool:
        """Whether nothing more is to be read."""
        return self._values.done

    def feed(self, data: bytes) -> Iterator[StreamEvent]:
        """The events of the next bytes. Raises the classified error that they hold."""
        return self._told(self._values.feed(data))

    def finish(self) -> Iterator[StreamEvent]:
        """The last events, once the body has ended; see :meth:`ChatReader.finish`."""
        yield from self._told(self._values.finish())
        if not self._whole:
            yield from self._reader.finish(done=self.done)

    def _told(self, values: Iterable[Any]) -> Iterator[StreamEvent]:
        for value in values:
            yield from self._events(value)

    def _events(self, value: Any) -> list[StreamEvent]:
        """A chunk's events, or those of a whole reply, for which a service may take the wish for a stream."""
        if _is_whole(value):
            self._whole = True
            return self._reader.whole(value)
        return self._reader.feed(value)


def read_whole(reader: ChatReader, body: bytes) -> list[StreamEvent]:
    """The events of a whole body. Raises ModelResponseError for one that is no reply."""
    try:
        value = json.loads(body)
    except ValueError as error:
        raise ModelResponseError(f"the answer is not JSON: {body[:200]!r}") from error
    return reader.whole(value)


def _is_whole(value: Any) -> bool:
    choices = value.get("choices") if isinstance(value, dict) else None
    return any(isinstance(choice, dict) and "message" in choice and "delta" not in choice for choice in choices or ())
