"""Names of functions, by the older and narrower of the vendor's rules (Gemini API reference, FunctionDeclaration)."""

from typing import Final

from providers._shared.wire_names import Alphabet

NAMES: Final = Alphabet("a-zA-Z0-9_.-", 64, first="a-zA-Z_")
