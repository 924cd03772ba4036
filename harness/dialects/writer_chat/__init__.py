"""Writer's chat: Chat Completions at ``/v1/chat``, with the words of its own that Writer's API has.

Each chunk says its delta twice, as ``delta`` and as ``message``; every field that could be there is, as null; and no
``[DONE]`` ends the stream.
"""

from harness.dialects.base import Dialect
from harness.dialects.writer_chat.dialect import WriterDialect

DIALECT: Dialect = WriterDialect()
