r"""Secrets that a stream tells in pieces: each event has a part of the text, so that no event shows the whole.

The strings of all members of one place, one after the other, are read as one text. What is overwritten there is
overwritten in the pieces, byte by byte; an escape such as ``\u00fc`` gives way to as many letters.
"""

import json
import re
from typing import Final

from harness.cassettes.scrub.secrets import Secrets

#: a string of JSON, and whether it names a member; or the beginning or end of an object or array
_TOKEN: Final = re.compile(rb'"((?:[^"\\]|\\.)*)"(\s*:)?|([\[{])|([\]}])')
#: a character of a string as it is written; pairs of surrogates are one
_UNIT: Final = re.compile(rb"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|[\xc2-\xf4][\x80-\xbf]+|.", re.DOTALL)
_LETTERS: Final = b"REDACTEDREDA"

Span = tuple[int, int]


def hide_in_pieces(data: bytes, secrets: Secrets) -> bytes:
    """The same number of bytes, without secrets that lie across strings."""
    changed = bytearray(data)
    for spans in _texts(data):
        told = [_decoded(bytes(changed[start:end])) for start, end in spans]
        whole = b"".join(told)
        hidden = secrets.hide(whole)
        if hidden != whole:
            _overwrite(changed, spans, told, hidden)
    return bytes(changed)


def _texts(data: bytes) -> list[list[Span]]:
    """The strings at each place of a document that occurs several times, and those under each name."""
    found: dict[tuple[bytes, ...], list[Span]] = {}
    stack: list[bytes] = []
    name = b""
    for token in _TOKEN.finditer(data):
        if token[2]:
            name = token[1]
        elif token[1] is not None:
            for place in ((*stack, b".", name), (name,)):
                found.setdefault(place, []).append(token.span(1))
        elif token[3]:
            stack.append(name)
        elif stack:
            name = stack.pop()
    return [spans for spans in found.values() if len(spans) > 1]


def _decoded(raw: bytes) -> bytes:
    if b"\\" not in raw:
        return raw
    try:
        return str(json.loads(b'"%s"' % raw)).encode("utf-8", "surrogatepass")
    except ValueError:
        return raw


def _overwrite(data: bytearray, spans: list[Span], told: list[bytes], hidden: bytes) -> None:
    at = 0
    for (start, end), text in zip(spans, told, strict=True):
        new = hidden[at : at + len(text)]
        at += len(text)
        if new != text:
            data[start:end] = _rewritten(bytes(data[start:end]), text, new)


def _rewritten(raw: bytes, text: bytes, new: bytes) -> bytes:
    """A string as it is written, with what differs from ``text`` overwritten."""
    parts = []
    at = 0
    for unit in _UNIT.findall(raw):
        size = len(_decoded(unit))
        same = text[at : at + size] == new[at : at + size]
        parts.append(unit if same else new[at : at + 1] if len(unit) == 1 else _LETTERS[: len(unit)])
        at += size
    return b"".join(parts)
