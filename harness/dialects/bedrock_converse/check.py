"""Why Bedrock would refuse a request."""

from collections.abc import Sequence
from harness.dialects.base import RequestFault, WireRequest


def check(request: WireRequest) -> Sequence[RequestFault]:
    """Why Bedrock would refuse the request."""
    return ()
