"""Requests signed for AWS, by botocore: the recorder's address is not the one that the adapter signed for."""

from collections.abc import Sequence

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from harness.dialects.base import Headers, WireRequest


def signature(
    request: WireRequest, uri: str, headers: Headers, keys: Sequence[str], service: str, region: str
) -> Headers:
    """The headers that sign a request. ``keys`` are the id, the secret and, for temporary ones, the session's token."""
    signed = AWSRequest(request.method, uri, dict(headers), request.body)
    SigV4Auth(Credentials(*keys), service, region).add_auth(signed)
    names = {name for name, _ in headers}
    return tuple((name.lower(), value) for name, value in signed.headers.items() if name.lower() not in names)
