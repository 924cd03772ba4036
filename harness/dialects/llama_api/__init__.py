"""Meta's Llama API: chat completions in an envelope of its own.

No recording of it exists. What stands here is the schema from which the vendor generates its SDK
(``llama-api-client``), the SDK's own way of reading a stream, and public reports.
"""

from harness.dialects.base import Dialect
from harness.dialects.llama_api.dialect import LlamaApiDialect

DIALECT: Dialect = LlamaApiDialect()
