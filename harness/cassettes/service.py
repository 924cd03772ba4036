"""The real service of a provider: where it is and what lets in, from the usual variables of the environment."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, urlsplit

from harness.dialects.base import Headers, WireRequest
from harness.provider import Live, Provider

_REGION: Final = ("AWS_REGION", "AWS_DEFAULT_REGION")
_DEFAULT_REGION: Final = "us-east-1"
#: what adapters put in by which they would be let in, and what belongs to their own connection
_REPLACED: Final = frozenset(
    {
        "accept-encoding",
        "api-key",
        "authorization",
        "connection",
        "content-length",
        "expect",
        "host",
        "transfer-encoding",
        "x-amz-date",
        "x-amz-security-token",
        "x-api-key",
        "x-goog-api-key",
    }
)


class MissingKeyError(LookupError):
    """The environment does not hold what lets into a service: which variables would do."""


@dataclass(frozen=True)
class Service:
    """A service, and the keys to it; ``region`` is that of AWS."""

    live: Live
    url: SplitResult
    region: str
    keys: tuple[str, ...] = field(default=(), repr=False)
    #: the address that recordings tell, where it is another one
    shown: str | None = None

    @property
    def host(self) -> str:
        """The host's name."""
        return self.url.hostname or ""

    @property
    def port(self) -> int:
        """The port."""
        return self.url.port or (443 if self.encrypted else 80)

    @property
    def encrypted(self) -> bool:
        """Whether it is spoken to over TLS."""
        return self.url.scheme == "https"

    def uri(self, request: WireRequest) -> str:
        """The request's address at the service."""
        return f"{self._root}{request.path}"

    def shown_uri(self, request: WireRequest) -> str:
        """The address that is written down."""
        return f"{self.shown or self._root}{request.path}"

    @property
    def _root(self) -> str:
        return f"{self.url.scheme}://{self.url.netloc}{self.url.path}"

    def headers(self, request: WireRequest) -> Headers:
        """The headers to send: the adapter's, with real keys in the place of its own.

        Bodies are asked for as they are: compressed ones cannot be scrubbed.
        """
        kept = tuple(header for header in request.headers if header[0] not in _REPLACED)
        own = (("host", self.url.netloc), ("accept-encoding", "identity"), ("connection", "close"))
        return (*own, ("content-length", str(len(request.body))), *kept, *self._credentials(request, kept))

    def _credentials(self, request: WireRequest, kept: Headers) -> Headers:
        if self.live.signs is not None and len(self.keys) > 1:
            from harness.cassettes.signing import signature

            typed = tuple(header for header in kept if header[0] == "content-type")
            return signature(request, self.uri(request), typed, self.keys, self.live.signs, self.region)
        return ((self.live.header, f"{self.live.scheme}{self.keys[0]}"),) if self.keys else ()


def service_of(provider: Provider, environment: Mapping[str, str] = os.environ) -> Service:
    """The service that the environment says. Raises MissingKeyError."""
    live = provider.live
    if live is None:
        raise MissingKeyError(f"{provider.name} does not say where its service is, so it cannot be recorded")
    region = next((environment[name] for name in _REGION if environment.get(name)), _DEFAULT_REGION)
    given = next((environment[name] for name in live.variables if environment.get(name)), None)
    address = (given or live.url.format(region=region)).rstrip("/").removesuffix(live.path)
    url = urlsplit(address if "://" in address else f"http://{address}")
    return Service(live, url, region, _keys(provider, live, environment))


def stand_in(provider: Provider, address: str) -> Service:
    """What answers in the service's place at an address, and needs no keys."""
    live = provider.live
    if live is None:
        raise MissingKeyError(f"{provider.name} does not say where its service is, so it cannot be recorded")
    return Service(live, urlsplit(address), _DEFAULT_REGION, (), live.url.format(region=_DEFAULT_REGION))


def _keys(provider: Provider, live: Live, environment: Mapping[str, str]) -> tuple[str, ...]:
    for names in live.keys:
        if all(environment.get(name) for name in names):
            return tuple(environment[name] for name in names)
    if live.keys:
        wanted = " or ".join(" and ".join(names) for names in live.keys)
        raise MissingKeyError(f"recording {provider.name} needs {wanted} in the environment; nothing was called")
    return ()


def secret_values(provider: Provider, environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """The values of all variables that may hold a provider's keys."""
    names = {name for names in (provider.live.keys if provider.live else ()) for name in names}
    return tuple(sorted({value for name in names if (value := environment.get(name))}))
