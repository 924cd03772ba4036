"""llama.cpp's server: Chat Completions with its own timings, grammars and errors, and few rules about requests."""

from harness.dialects.base import Dialect
from harness.dialects.llamacpp_chat.dialect import LlamaCppDialect

DIALECT: Dialect = LlamaCppDialect()
