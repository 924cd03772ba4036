"""Secrets in bytes: found by their form, by the name they stand under, or by their value, and overwritten in place."""

import base64
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, quote_plus

from harness.cassettes.scrub.shapes import KEYS, MEMBERS

#: values shorter than this are not looked for: they are words
SHORTEST: Final = 6

_DEPTH: Final = 3
_BASE64: Final = re.compile(rb"[A-Za-z0-9+/_-]{16,}={0,2}")
_URLSAFE: Final = bytes.maketrans(b"-_", b"+/")
_STANDARD: Final = bytes.maketrans(b"+/", b"-_")


def mask(secret: bytes) -> bytes:
    """As many bytes that tell nothing; digits for digits, so that numbers stay numbers."""
    if secret.isdigit():
        return b"1" * len(secret)
    return (b"REDACTED" * (len(secret) // 8 + 1))[: len(secret)]


@dataclass(frozen=True)
class Secrets:
    """What is to be taken out: the known forms, and these very values."""

    values: tuple[str, ...] = ()

    def hide(self, data: bytes, depth: int = _DEPTH) -> bytes:
        """The same number of bytes, without secrets: also not in base64 within."""
        for pattern in (*_literals(self.values), *KEYS, *MEMBERS):
            data = pattern.sub(_masked, data)
        return _BASE64.sub(lambda found: self._inside(found[0], depth), data) if depth else data

    def hide_text(self, text: str) -> str:
        """A text without secrets."""
        return self.hide(text.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")

    def _inside(self, run: bytes, depth: int) -> bytes:
        """A run of base64 without what it hides; it may begin anywhere in the run."""
        for start in range(4):
            changed = self._decoded(run[start:], depth)
            if changed is not None:
                return run[:start] + changed
        return run

    def _decoded(self, run: bytes, depth: int) -> bytes | None:
        digits = run.rstrip(b"=").translate(_URLSAFE)
        if len(digits) % 4 == 1:
            digits = digits[:-1]
        plain = base64.b64decode(digits + b"=" * (-len(digits) % 4))
        hidden = self.hide(plain, depth - 1)
        if hidden == plain:
            return None
        encoded = base64.b64encode(hidden).rstrip(b"=")
        if b"-" in run or b"_" in run:
            encoded = encoded.translate(_STANDARD)
        return encoded + run[len(encoded) :]


def _masked(found: re.Match[bytes]) -> bytes:
    secret = found.groupdict().get("secret") or found[0]
    start = found.start("secret") - found.start() if "secret" in found.re.groupindex else 0
    return found[0][:start] + mask(secret) + found[0][start + len(secret) :]


def _literals(values: Iterable[str]) -> Iterator[re.Pattern[bytes]]:
    forms = {form for value in values if len(value) >= SHORTEST for form in _forms(value)}
    if forms:
        yield re.compile(b"|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True)))


def _forms(value: str) -> Iterator[bytes]:
    """A value as it may be written: plainly, in a URL, in a JSON text, and in one that is a string of another."""
    texts = {value, quote(value, safe=""), quote_plus(value)}
    for _ in range(2):
        yield from (text.encode() for text in texts)
        texts |= {json.dumps(text, ensure_ascii=ascii_only)[1:-1] for text in texts for ascii_only in (True, False)}
    yield from (text.encode() for text in texts)
