"""Mistral's chat completions: a near relative of OpenAI's, with content in parts and rules of its own for histories."""

from harness.dialects.base import Dialect
from harness.dialects.mistral_chat.dialect import MistralChat

DIALECT: Dialect = MistralChat()
