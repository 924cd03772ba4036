"""Chat Completions: as OpenAI speaks it, and as the servers that are compatible with it do.

Variation is data (:mod:`.styles`, :mod:`.vendors`, :mod:`.stops`, :mod:`.errors`); a server that speaks a part of it is
``ChatDialect(name=…, axes=restricted(AXES, …), …)``.
"""

from harness.dialects.base import Dialect
from harness.dialects.openai_chat.dialect import ChatDialect

DIALECT: Dialect = ChatDialect()
