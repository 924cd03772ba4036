"""The Responses API: as OpenAI speaks it, and as the servers that are compatible with it do.

Variation is data (:mod:`.styles`, :mod:`.vendors`, :mod:`.noise`, :mod:`.stops`, :mod:`.errors`).
"""

from harness.dialects.base import Dialect
from harness.dialects.openai_responses.dialect import ResponsesDialect

DIALECT: Dialect = ResponsesDialect()
