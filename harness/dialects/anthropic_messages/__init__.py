"""Anthropic's Messages API: streamed as server-sent events, or one JSON body."""

from typing import Final

from harness.dialects.anthropic_messages.dialect import AnthropicMessages
from harness.dialects.base import Dialect

DIALECT: Final[Dialect] = AnthropicMessages()
