"""Whole exchanges without secrets: of headers and queries only what is known to be harmless is kept."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import SplitResult, urlsplit

from harness.cassettes.model import Interaction, split
from harness.cassettes.scrub.bodies import hide_in_body
from harness.cassettes.scrub.secrets import Secrets
from harness.dialects.base import Headers, WireRequest

#: request headers that say what is asked for, and nothing of who asks
_ASKED: Final = frozenset(
    {
        "accept",
        "anthropic-beta",
        "anthropic-version",
        "content-type",
        "openai-beta",
        "x-amz-target",
        "x-amzn-bedrock-accept",
        "x-amzn-sagemaker-accept",
    }
)
#: response headers that adapters and their SDKs read
_ANSWERED: Final = re.compile(
    r"content-type|retry-after(-ms)?|x-should-retry|x-amzn-errortype|x-amzn-bedrock-content-type"
    r"|x-amzn-invoked-production-variant|location|(x|anthropic)-ratelimit-[a-z-]+"
)
_QUERY: Final = frozenset({"alt", "$alt", "api-version", "beta"})
_HIDDEN: Final = "REDACTED"


@dataclass(frozen=True)
class Scrubber:
    """Takes the secrets out of exchanges. ``secrets`` holds the values that are known to be some."""

    secrets: Secrets = field(default_factory=Secrets)

    def interaction(self, one: Interaction) -> Interaction:
        """An exchange that may be written down."""
        sizes = [len(chunk) for chunk in one.chunks]
        return replace(
            one,
            uri=self.uri(one.uri),
            request_headers=self._headers(one.request_headers, _ASKED.__contains__),
            request_body=hide_in_body(one.request_body, self.secrets),
            headers=self._headers(one.headers, lambda name: _ANSWERED.fullmatch(name) is not None),
            chunks=split(hide_in_body(one.body, self.secrets), sizes),
        )

    def request(self, request: WireRequest) -> WireRequest:
        """A request as it would be written down, for comparison."""
        headers = self._headers(request.headers, _ASKED.__contains__)
        body = hide_in_body(request.body, self.secrets)
        return WireRequest(request.method, self.uri(request.path), headers, body)

    def uri(self, uri: str) -> str:
        """An address without user, secrets in its path, and values of its query that are not known to be harmless."""
        url = urlsplit(uri)
        path = self.secrets.hide_text(url.path)
        query = "&".join(self._parameter(*pair.partition("=")) for pair in url.query.split("&") if pair)
        return SplitResult(url.scheme, self.secrets.hide_text(_host(url)), path, query, "").geturl()

    def _parameter(self, name: str, equals: str, value: str) -> str:
        kept = self.secrets.hide_text(value) if name in _QUERY else _HIDDEN if value else ""
        return f"{self.secrets.hide_text(name)}{equals}{kept}"

    def _headers(self, headers: Headers, harmless: Callable[[str], bool]) -> Headers:
        kept = ((name.lower(), value) for name, value in headers)
        return tuple(sorted((name, self.secrets.hide_text(value)) for name, value in kept if harmless(name)))


def _host(url: SplitResult) -> str:
    """The host without its user, and without the port of this machine, which is a matter of chance."""
    host = url.netloc.rpartition("@")[2]
    return url.hostname or host if url.hostname in _LOCAL else host


_LOCAL: Final = ("127.0.0.1", "localhost")
