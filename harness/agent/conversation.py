"""The history of a loop: turns in alternation, and each call with its one result, whatever happens."""

from collections.abc import Iterable
from typing import Any

from harness.contract.content import ContentBlock, Message, Messages


class Conversation:
    """The messages so far. Messages are replaced and never changed, so what was sent stays as it was sent."""

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        self.messages: Messages = list(messages)

    def say(self, *blocks: ContentBlock) -> None:
        """Add to the user's turn: a new one, or the one that still waits for its reply."""
        self._add("user", blocks)

    def reply(self, blocks: Iterable[ContentBlock]) -> None:
        """Add the model's turn."""
        self._add("assistant", blocks)

    def rewrite(self, messages: Iterable[Message]) -> None:
        """Put other messages in place of all."""
        self.messages[:] = messages

    def redact(self, words: str | None) -> None:
        """Put a guardrail's words in place of the user's last turn; its results keep their calls."""
        if words is None or not self.messages or self.messages[-1]["role"] != "user":
            return
        blocks = self.messages.pop()["content"]
        results: list[Any] = [block["toolResult"] for block in blocks if "toolResult" in block]
        kept: list[Any] = [{"toolResult": {**result, "content": [{"text": words}]}} for result in results]
        self.say(*(kept or [{"text": words}]))

    def used_ids(self) -> set[str]:
        """The ids of all calls."""
        blocks: list[Any] = [block for message in self.messages for block in message["content"]]
        return {block["toolUse"]["toolUseId"] for block in blocks if "toolUse" in block}

    def _add(self, role: Any, blocks: Iterable[ContentBlock]) -> None:
        added = list(blocks)
        if self.messages and self.messages[-1]["role"] == role:
            added = [*self.messages.pop()["content"], *added]
        if added:
            self.messages.append({"role": role, "content": added})
