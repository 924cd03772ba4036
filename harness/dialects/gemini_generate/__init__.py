"""Google's Gemini API: ``generateContent`` and ``streamGenerateContent``, of the Developer API and of Vertex AI.

:data:`DIALECT` speaks to clients that ask for server-sent events, as the google-genai SDK does. What a client gets only
because its own request asks for it (JSON arrays, enums as numbers, arguments in pieces) are the axes of
:data:`REST_DIALECT`; each of its styles is understood by :data:`DIALECT` too.
"""

from typing import Final

from harness.dialects.base import Dialect
from harness.dialects.gemini_generate.dialect import GeminiGenerate
from harness.dialects.gemini_generate.styles import ASKED_AXES, AXES

DIALECT: Final[Dialect] = GeminiGenerate()
REST_DIALECT: Final[Dialect] = GeminiGenerate(axes=(*AXES, *ASKED_AXES))
