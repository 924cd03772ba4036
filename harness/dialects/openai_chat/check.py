"""Judge a request: why the real service would refuse it."""

from harness.dialects.base import RequestFault, WireRequest


def check_request(request: WireRequest) -> list[RequestFault]:
    """Faults, in the order of the request."""
    return []
