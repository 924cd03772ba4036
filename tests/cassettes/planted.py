"""Secrets to plant, and the ways in which they may stand in a text."""

import base64
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Final
from urllib.parse import quote

#: values of the environment's keys, which no form gives away
KEYS: Final = {
    "key": 'hun"ter2/pläin+value==',
    "id": "AKIAQYLPMN5HFIQR7XYA",
    "token": "FwoGZXIvYXdzEBYaDKq0example//////////wEaDF0",
}

#: what is known by its form
SHAPED: Final = {
    "openai": "sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4",
    "anthropic": "sk-ant-api03-q9W8e7R6t5Y4u3I2o1P0-AAbbCCdd",
    "google": "AIzaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q",
    "aws": "ASIAIOSFODNN7EXAMPLE",
    "groq": "gsk_Zz9Yy8Xx7Ww6Vv5Uu4Tt3Ss2Rr1",
    "huggingface": "hf_QqWwEeRrTtYyUuIiOoPpAaSsDd",
    "llama": "LLM|1234567890|aBcDeFgHiJkLmNoPqRs",
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlMTIz",
    "organisation": "org-Ab12Cd34Ef56Gh78Ij90",
    "request": "req_011CSabcdefghijkLMNOP",
}


def bare(secret: str) -> str:
    """The part that must be gone: behind its prefix."""
    return secret.rpartition("|")[2] if "|" in secret else secret[4:]


FORMS: Final[Mapping[str, Callable[[str], str]]] = {
    "plain": lambda secret: f"The key is {secret} and no other.",
    "bearer": lambda secret: f"Authorization: Bearer {secret}",
    "json": lambda secret: json.dumps({"note": secret}),
    "base64": lambda secret: f"data:text/plain;base64,{base64.b64encode(f'my {secret} here'.encode()).decode()}",
    "urlsafe": lambda secret: base64.urlsafe_b64encode(f"??>{secret}".encode()).decode(),
    "twice": lambda secret: base64.b64encode(base64.b64encode(f"[{secret}]".encode())).decode(),
    "url": lambda secret: f"https://example.com/a?api_key={quote(secret, safe='')}&x=1",
}


def traces(secret: str) -> Iterator[bytes]:
    """How a secret would show in a file, were it there."""
    core = bare(secret)
    escaped = json.dumps(core)[1:-1]
    for text in (core, escaped, json.dumps(escaped)[1:-1], quote(core, safe="")):
        yield text.encode()
    for pad in range(3):
        data = b"\0" * pad + core.encode()
        whole = base64.b64encode(data)[4 * bool(pad) :].rstrip(b"=")[: (len(core) - 3) // 3 * 4]
        yield from (whole, whole.translate(bytes.maketrans(b"+/", b"-_")))
