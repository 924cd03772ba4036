"""Ollama's ``/api/chat``: one JSON object, or one a line (NDJSON) of which the last says ``"done": true``."""

from harness.dialects.base import Dialect
from harness.dialects.ollama_chat.dialect import OllamaChat

DIALECT: Dialect = OllamaChat()
