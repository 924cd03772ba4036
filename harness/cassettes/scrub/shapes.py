"""The forms by which secrets are known: what services' keys look like, and the names of members that hold them.

Each pattern's group ``secret`` is what is replaced; the rest is kept, so that a reader sees what stood there.
"""

import re
from typing import Final

_START = rb"(?<![A-Za-z0-9])"


def _key(prefix: bytes, alphabet: bytes = rb"[A-Za-z0-9_-]", least: int = 16) -> bytes:
    return _START + prefix + rb"(?P<secret>" + alphabet + rb"{%d,})" % least


def _compiled(*patterns: bytes, flags: int = 0) -> tuple[re.Pattern[bytes], ...]:
    return tuple(re.compile(pattern, flags) for pattern in patterns)


#: what services' keys and ids look like, wherever they stand
KEYS: Final = _compiled(
    _key(rb"(?:sk|pk|rk)-"),  # OpenAI, Anthropic, OpenRouter, DeepSeek, LiteLLM and many more
    _key(rb"(?:gsk|hf|ghp|gho|ghs|github_pat|glpat|r8|fw|csk|tgp_v1|sess)[-_]"),
    _key(rb"(?:xai|pplx|nvapi|co|ak|xoxb|xoxp)-", least=20),
    _key(rb"AIza", least=30),  # Google
    _key(rb"ya29\."),  # Google OAuth
    _key(rb"(?:AKIA|ASIA|ABIA|ACCA)", rb"[A-Z0-9]"),  # AWS
    _key(rb"(?:bedrock-api-key-|ABSK)", rb"[A-Za-z0-9+/=]", 20),
    _key(rb"LLM(?:\||%7C)\d+(?:\||%7C)", rb"[A-Za-z0-9_-]", 8),  # Llama API
    _key(rb"(?:org-|proj_|acct_|req_|user-)", rb"[A-Za-z0-9]"),
    _key(rb"eyJ", rb"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.?[A-Za-z0-9_-]", 8),  # JWT
    rb"(?i)\b(?:bearer|basic)\s+(?P<secret>(?=[A-Za-z._~+/=-]*\d)[A-Za-z0-9._~+/=|-]{12,})",
    rb"-----BEGIN [A-Z ]*PRIVATE KEY-----(?P<secret>.+?)-----END",
    rb"(?i)\barn(?::|%3a)aws[a-z-]*(?:(?::|%3a)[a-z0-9-]*){2}(?::|%3a)(?P<secret>\d{12})(?!\d)",
    rb"Credential=(?P<secret>[^,\s\"\\]{8,})",
    rb"(?i)[?&](?:[a-z_-]*key|[a-z_-]*token|sig|code|x-amz-[a-z-]+|[a-z_-]*signature)=(?P<secret>[^&\s\"'\\#]+)",
    rb"(?i)\bsignature=(?P<secret>[0-9a-f]{32,})",
    flags=re.DOTALL,
)

_NAMES = rb"""
    (?:x-)?(?:goog-|amz-)?(?:api|secret|access|private)[-_]?key(?:[-_]?id)? | (?:aws[-_])?secret[-_]access[-_]key
    | (?:aws[-_])?access[-_]key[-_]id | (?:proxy-)?authorization
    | (?:access|refresh|id|session|security|auth|bearer|x-amz-security)[-_]?token | client[-_]?secret | secret
    | password | (?:set-)?cookie
    | (?:openai-|x-)?organi[sz]ation(?:[-_]?id)? | org[-_]?id | (?:openai-|x-goog-user-)?project(?:[-_]?id)?
    | (?:x-)?account(?:[-_]?id)? | (?:x-|amzn-|x-amzn-)?request[-_]?id | user[-_]?id | session[-_]?id | client[-_]?email
    | cf-ray
"""

#: members of JSON documents, also where these stand escaped in a text, and of lists of headers in a text
MEMBERS: Final = _compiled(
    rb"\\*[\"'](?:" + _NAMES + rb")\\*[\"']\s*:\s*\\*[\"'](?P<secret>[^\"'\\]+)",
    rb"\\*[\"'](?:" + _NAMES + rb")\\*[\"']\s*:\s*(?P<secret>\d{6,})",
    rb"\b(?:(?:x-)?(?:goog-)?api-key|(?:proxy-)?authorization|(?:set-)?cookie|x-amz-security-token)"
    rb"\s*[:=]\s*(?P<secret>[^\s\"'\\,{}\[\]]{8,})",
    flags=re.IGNORECASE | re.VERBOSE,
)
