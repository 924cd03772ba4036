"""The adapter in front of an endpoint that answers by hand-written deliveries."""

from providers.openai_responses import PROVIDER
from tests.providers.openai import service


class Service(service.Service):
    """An endpoint for the adapter of Responses."""

    provider = PROVIDER
